// The tab L1 before it is opened: its script is fetched when it is first shown. A run without
// an L1 policy fetches nothing.

import { loadScript } from "../lib/script";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

declare global {
  interface Window {
    burstscopeL1?: (page: Page) => void;
  }
}

export function startL1(page: Page, messages: Messages): void {
  let asked = false;
  const load = (): void => {
    if (asked || page.tab !== "l1") return;
    asked = true;
    loadScript("l1.js", "l1.css").then(
      () => {
        window.burstscopeL1?.(page);
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
