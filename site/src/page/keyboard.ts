// Keys of the page as a whole. Fields, sliders and the maps keep their own.

import { byId } from "../lib/dom";
import { partOf } from "../state/parts";
import type { Stage } from "../picture/stage";
import type { Page } from "../state/page";
import { TABS } from "../state/settings";
import type { Timeline } from "../timeline/timeline";

const FASTER = 1.5;

export function startKeyboard(page: Page, timeline: Timeline, stage: () => Stage, run: () => void): (key: string) => boolean {
  const act = (key: string): boolean => {
    switch (key) {
      case " ":
        timeline.toggle();
        return true;
      case "ArrowRight":
        void timeline.step(1);
        return true;
      case "ArrowLeft":
        void timeline.step(-1);
        return true;
      case "Home":
        timeline.seek(0);
        return true;
      case "[":
        timeline.faster(1 / FASTER);
        return true;
      case "]":
        timeline.faster(FASTER);
        return true;
      case "x":
        byId("export").click();
        return true;
      case "?":
        byId("help").click();
        return true;
      case "a":
      case "b":
        page.settings.side = key === "a" ? "A" : "B";
        page.emit("tab");
        return true;
      case "e": {
        const bits = document.getElementById("explain-open");
        if (!bits || bits.hidden) return false;
        bits.click();
        return true;
      }
      case "r":
        run();
        return true;
      case "Escape":
        stage().leave();
        return true;
    }
    const tab = /^\d$/.test(key) ? TABS[Number(key) - 1] : undefined;
    if (!tab || byId(`tab-${tab}`).hidden) return false;
    stage().choose(tab);
    return true;
  };
  document.addEventListener("keydown", (e) => {
    if (partOf(page.settings) !== "simulator" && e.key !== "?") return;
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey) return;
    if (byId<HTMLDialogElement>("dialog").open || keepsKey(e)) return;
    if (act(e.key)) e.preventDefault();
  });
  return act;
}

// keepsKey tells whether the focused element needs the key itself.
function keepsKey(e: KeyboardEvent): boolean {
  const t = e.target;
  if (!(t instanceof Element)) return false;
  if (t instanceof HTMLInputElement) {
    const slider = t.type === "range";
    return slider ? /^(Arrow|Home|End|Page)/.test(e.key) : e.key !== "Escape";
  }
  if (t instanceof HTMLTextAreaElement) return e.key !== "Escape";
  if (t instanceof HTMLSelectElement) return e.key !== "Escape" && e.key !== "?";
  const pressable = t.closest("button,a,summary,[role=button]") !== null;
  if (pressable) return e.key === " " || e.key === "Enter";
  const scrollable = t.closest(".codebox") !== null;
  return scrollable && /^(Arrow|Home|End|Page| )/.test(e.key);
}
