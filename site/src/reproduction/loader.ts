// The reproduction of the papers before it is opened: its script is fetched when it is
// first needed.

import { asset } from "../lib/assets";
import { h } from "../lib/dom";
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
    document.head.append(h("link", { rel: "stylesheet", href: asset("repro.css") }));
    const script = h("script", { src: asset("repro.js") });
    script.onload = () => {
      window.burstscopeRepro?.(page, hooks);
      page.emit("repro");
    };
    script.onerror = () => {
      asked = false;
      script.remove();
      hooks.messages.show("repro", { what: "The reproduction could not be loaded:", where: "repro.js.", mend: "The simulator works without it." }, { label: "Try again", run: load });
    };
    document.head.append(script);
  };
  return load;
}

