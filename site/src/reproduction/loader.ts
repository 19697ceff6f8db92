// The reproduction of the papers before it is opened: its script is fetched when it is
// first needed.

import { loadScript } from "../lib/script";
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
  let asked = false;
  const load = (): void => {
    if (asked) return;
    asked = true;
    loadScript("repro.js", "repro.css").then(
      () => {
        window.burstscopeRepro?.(page, hooks);
        page.emit("repro");
      },
      () => {
        asked = false;
        hooks.messages.show("repro", { what: "The reproduction could not be loaded:", where: "repro.js.", mend: "The simulator works without it." }, { label: "Try again", run: load });
      },
    );
  };
  return load;
}

