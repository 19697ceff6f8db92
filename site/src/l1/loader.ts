// The tab L1 before it is opened: its script is fetched when it is first shown. A run without
// an L1 policy fetches nothing.

import { loadScript } from "../lib/script";
import type { Side } from "../protocol/protocol";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

// AskSets asks the engine how the L1 of an SM is filled; the answer comes as a message.
export type AskSets = (side: Side, sm: number, cycle: number | undefined) => void;

declare global {
  interface Window {
    burstscopeL1?: (page: Page, ask: AskSets) => void;
  }
}

export function startL1(page: Page, messages: Messages, ask: AskSets): void {
  let asked = false;
  const load = (): void => {
    if (asked || page.tab !== "l1") return;
    asked = true;
    loadScript("l1.js", "l1.css").then(
      () => {
        window.burstscopeL1?.(page, ask);
        page.emit("tab");
      },
      () => {
        asked = false;
        messages.show("l1", { what: "The picture of L1 could not be loaded:", where: "l1.js.", mend: "The other pictures work without it." }, { label: "Try again", run: load });
      },
    );
  };
  page.on(["tab", "lists", "run"], load);
  load();
}
