// The values of outputs before the tab Output is opened.

import { lateTab } from "../engine/latetab";
import type { Elements } from "../protocol/elements";
import type { Side } from "../protocol/side";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

// AskElements asks the engine for the elements of an output.
export type AskElements = (side: Side, name: string) => Promise<Elements>;

export interface OutputHooks {
  elements: AskElements;
  pick(addr: number, side?: Side): void; // opens a block
}

declare global {
  interface Window {
    burstscopeOutput?: (page: Page, hooks: OutputHooks) => void;
  }
}

export function startOutput(page: Page, messages: Messages, hooks: OutputHooks): void {
  lateTab(page, messages, "output", () => window.burstscopeOutput?.(page, hooks));
}
