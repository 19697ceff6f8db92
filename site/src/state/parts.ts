// The parts of the page, one of which is on show: the simulator, the data lab, the
// reproduction of the papers, and the editor of the reader's own kernel. The others are loaded when they are first opened.

import { byId } from "../lib/dom";
import { LAB_EXAMPLE } from "./lab";
import type { Page } from "./page";
import type { Settings } from "./settings";

export const PARTS = ["simulator", "kernel", "lab", "repro"] as const;
export type Part = (typeof PARTS)[number];

export function partOf(s: Settings): Part {
  return s.kernel.open ? "kernel" : s.lab.open ? "lab" : s.repro.open ? "repro" : "simulator";
}

export interface Parts {
  apply(): void; // shows what the settings say
  turn(to: Part): void;
}

// startParts connects the switch. shown is told whenever a part comes on.
export function startParts(page: Page, loaders: Record<Exclude<Part, "simulator">, () => void>, shown: () => void): Parts {
  const apply = (): void => {
    const now = partOf(page.settings);
    page.status.kernel.open = now === "kernel";
    page.status.lab.open = now === "lab";
    page.status.repro.open = now === "repro";
    document.body.dataset["part"] = now;
    for (const part of PARTS) {
      const button = byId(`to-${part}`);
      button.setAttribute("aria-checked", String(part === now));
      button.tabIndex = part === now ? 0 : -1;
      if (part !== "simulator") byId(part).hidden = part !== now;
    }
    // Messages are shown where the reader is.
    if (now === "simulator") byId("status").after(byId("messages"));
    else byId(now).prepend(byId("messages"));
    if (now !== "simulator") loaders[now]();
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
    page.settings.repro.open = to === "repro";
    apply();
    byId(`to-${to}`).focus();
  };
  for (const part of PARTS) byId(`to-${part}`).addEventListener("click", () => turn(part));
  byId("part").addEventListener("keydown", (e) => {
    if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
    const at = PARTS.indexOf(partOf(page.settings)) + (e.key === "ArrowRight" ? 1 : -1);
    turn(PARTS[Math.max(0, Math.min(PARTS.length - 1, at))]!);
    e.preventDefault();
    e.stopPropagation();
  });
  return { apply, turn };
}
