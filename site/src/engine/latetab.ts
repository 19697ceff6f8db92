// Tabs whose script is fetched when they are first shown. A run without their scheme fetches nothing.

import { loadScript } from "../lib/script";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";
import type { Tab } from "../state/settings";

// lateTab fetches NAME.js and NAME.css for the tab NAME, and starts it.
export function lateTab(page: Page, messages: Messages, tab: Tab, start: () => void): void {
  let asked = false;
  const load = (): void => {
    if (asked || page.tab !== tab) return;
    asked = true;
    loadScript(`${tab}.js`, `${tab}.css`).then(
      () => {
        start();
        page.emit("tab");
      },
      () => {
        asked = false;
        messages.show(tab, { what: "This picture could not be loaded:", where: `${tab}.js.`, mend: "The others work." }, { label: "Try again", run: load });
      },
    );
  };
  page.on(["tab", "lists", "run"], load);
  load();
}
