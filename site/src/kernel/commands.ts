// The commands that make PTX.

import { h } from "../lib/dom";

const COMMANDS: readonly [string, string][] = [
  ["clang", "clang++ -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudalib -O2 -S kernel.cu -o kernel.ptx"],
  ["nvcc", "nvcc -ptx -arch=compute_70 -lineinfo kernel.cu -o kernel.ptx"],
  ["Triton", 'handle = kernel[grid](*arguments)\nopen("kernel.ptx", "w").write(handle.asm["ptx"])'],
];

export function commands(): HTMLElement {
  return h("div", { class: "kcommands" },
    h("h2", {}, "Commands that make PTX"),
    ...COMMANDS.flatMap(([name, command]) => [h("h3", {}, name), h("pre", { tabindex: 0, "aria-label": `Command of ${name}` }, command)]));
}
