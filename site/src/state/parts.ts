// The parts of the page, one of which is on show: the simulator, the data lab, the
// reproduction of the papers, and the editor of the reader's own kernel. The others are loaded when they are first opened.

import { byId, stepped } from "../lib/dom";
import { LAB_EXAMPLE } from "./lab";
import type { Page } from "./page";
import type { Settings } from "./settings";

export const PARTS = ["simulator", "kernel", "lab", "sweep", "repro"] as const;
export type Part = (typeof PARTS)[number];

export function partOf(s: Settings): Part {
  if (s.kernel.open) return "kernel";
  if (s.lab.open) return "lab";
  if (!s.repro.open) return "simulator";
  return s.repro.show === "sweep" ? "sweep" : "repro";
}

// boxOf is the element of a part: a sweep is shown where the reproduction is, whose charts it shares.
const boxOf = (part: Exclude<Part, "simulator">): string => (part === "sweep" ? "repro" : part);

export interface Parts {
  apply(): void; // shows what the settings say
  turn(to: Part): void;
}

// startParts connects the switch. shown is told whenever a part comes on.
export function startParts(page: Page, loaders: Record<Exclude<Part, "simulator" | "sweep">, () => void>, shown: () => void): Parts {
  const apply = (): void => {
    const now = partOf(page.settings);
    page.status.kernel.open = now === "kernel";
    page.status.lab.open = now === "lab";
    page.status.repro.open = now === "repro" || now === "sweep";
    const box = now === "simulator" ? now : boxOf(now);
    document.body.dataset["part"] = box;
    for (const part of PARTS) {
      const button = byId(`to-${part}`);
      button.setAttribute("aria-checked", String(part === now));
      button.tabIndex = part === now ? 0 : -1;
    }
    for (const part of ["kernel", "lab", "repro"]) byId(part).hidden = part !== box;
    // Messages are shown where the reader is.
    if (now === "simulator") byId("status").after(byId("messages"));
    else byId(box).prepend(byId("messages"));
    if (now !== "simulator") loaders[now === "sweep" ? "repro" : now]();
    page.emit("kernel");
    page.emit("lab");
    page.emit("repro");
    shown();
  };
  const turn = (to: Part): void => {
    if (partOf(page.settings) === to) return;
    page.settings.kernel.open = to === "kernel";
    page.settings.lab.open = to === "lab";
    // The lab opens with an example, not empty.
    if (to === "lab" && page.status.lab.phase === "idle") page.settings.lab.set ||= LAB_EXAMPLE;
    const { repro } = page.settings;
    repro.open = to === "repro" || to === "sweep";
    if (to === "sweep") repro.show = "sweep";
    else if (repro.show === "sweep") repro.show = "papers";
    apply();
    byId(`to-${to}`).focus();
  };
  for (const part of PARTS) byId(`to-${part}`).addEventListener("click", () => turn(part));
  stepped(byId("part"), () => ({ ArrowLeft: -1, ArrowRight: 1 }), (step) => {
    const at = PARTS.indexOf(partOf(page.settings)) + step;
    turn(PARTS[Math.max(0, Math.min(PARTS.length - 1, at))]!);
  });
  return { apply, turn };
}
