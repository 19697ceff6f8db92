// The tab of Buddy Compression before it is opened.

import { lateTab } from "../engine/latetab";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

declare global {
  interface Window {
    burstscopeBuddy?: (page: Page) => void;
  }
}

export function startBuddy(page: Page, messages: Messages): void {
  lateTab(page, messages, "buddy", () => window.burstscopeBuddy?.(page));
}
