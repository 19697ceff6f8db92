// The tab L1 before it is opened.

import { lateTab } from "../engine/latetab";
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
  lateTab(page, messages, "l1", () => window.burstscopeL1?.(page, ask));
}
