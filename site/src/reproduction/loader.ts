// The reproduction of the papers before it is opened: its script is fetched when it is
// first needed.

import { latePart } from "../engine/lateparts";
import type { Described } from "../protocol/protocol";
import type { Scenario } from "../protocol/scenario";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

export interface ReproHooks {
  messages: Messages;
  describe(scenario: Scenario): Promise<Described>;
  // openPoint shows a scenario in the simulator and runs it.
  openPoint(fragment: string): void;
}

declare global {
  interface Window {
    burstscopeRepro?: (page: Page, hooks: ReproHooks) => void;
  }
}

// reproLoader fetches the part's script, once.
export function reproLoader(page: Page, hooks: ReproHooks): () => void {
  return latePart(hooks.messages, "repro", "The reproduction", "The simulator works without it.", () => {
    window.burstscopeRepro?.(page, hooks);
    page.emit("repro");
  });
}
