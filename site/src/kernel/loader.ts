// The editor of the reader's own kernel before it is opened: its script is fetched when it is
// first needed.

import { loadScript } from "../lib/script";
import type { Elements } from "../protocol/elements";
import type { Compiled, Contents } from "../protocol/kernel";
import type { Side } from "../protocol/side";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

export interface KernelHooks {
  messages: Messages;
  compile(file: string, source: string): Promise<Compiled>;
  contents(file: File, array: string): Promise<Contents>;
  elements(side: Side, name: string): Promise<Elements>;
  run(): void; // shows the simulator and runs the settings
}

declare global {
  interface Window {
    burstscopeKernel?: (page: Page, hooks: KernelHooks) => { take(file: File): void };
    burstscopeKernelFile?: File; // dropped before the editor was there
  }
}

// kernelLoader fetches the editor's script, once.
export function kernelLoader(page: Page, hooks: KernelHooks): () => void {
  let asked = false;
  const load = (): void => {
    if (asked) return;
    asked = true;
    loadScript("kernel.js", "kernel.css").then(
      () => {
        window.burstscopeKernel?.(page, hooks);
        page.emit("kernel");
      },
      () => {
        asked = false;
        hooks.messages.show("kernel", { what: "The editor could not be loaded:", where: "kernel.js.", mend: "The simulator works without it." }, { label: "Try again", run: load });
      },
    );
  };
  return load;
}
