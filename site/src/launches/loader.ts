// The tab Launches before it is opened.

import { lateTab } from "../engine/latetab";
import type { Side } from "../protocol/protocol";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

// AskLaunches asks the engine for the launches of a side; the answer comes as a message.
export type AskLaunches = (side: Side) => void;

declare global {
  interface Window {
    burstscopeLaunches?: (page: Page, ask: AskLaunches) => void;
  }
}

export function startLaunches(page: Page, messages: Messages, ask: AskLaunches): void {
  lateTab(page, messages, "launches", () => window.burstscopeLaunches?.(page, ask));
}
