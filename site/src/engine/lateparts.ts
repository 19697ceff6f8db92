// Parts of the page whose script is fetched when they are first shown. A run without the scheme of a tab fetches
// nothing.

import { loadScript } from "../lib/script";
import type { Elements } from "../protocol/elements";
import type { Side } from "../protocol/side";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";
import type { Tab } from "../state/settings";

// AskSets asks the engine how the L1 of an SM is filled, AskLaunches for the launches of a side. Answers come as
// messages.
export type AskSets = (side: Side, sm: number, cycle: number | undefined) => void;
export type AskLaunches = (side: Side) => void;

// AskElements asks the engine for the elements of an output.
export type AskElements = (side: Side, name: string) => Promise<Elements>;

export interface OutputHooks {
  elements: AskElements;
  pick(addr: number, side?: Side): void; // opens a block
}

export interface TabHooks extends OutputHooks {
  messages: Messages;
  l1Sets: AskSets;
  launches: AskLaunches;
}

declare global {
  interface Window {
    burstscopeL1?: (page: Page, ask: AskSets) => void;
    burstscopeLaunches?: (page: Page, ask: AskLaunches) => void;
    burstscopeOutput?: (page: Page, hooks: OutputHooks) => void;
    burstscopeBuddy?: (page: Page) => void;
    burstscopeDram?: (page: Page) => void;
  }
}

// latePart fetches NAME.js and NAME.css, once, and starts them. what and mend say what a reader without them lacks.
export function latePart(
  messages: Messages, name: string, what: string, mend: string, start: () => void, styled = true,
): () => void {
  let asked = false;
  const load = (): void => {
    if (asked) return;
    asked = true;
    loadScript(`${name}.js`, styled ? `${name}.css` : undefined).then(start, () => {
      asked = false;
      const lacks = { what: `${what} could not be loaded:`, where: `${name}.js.`, mend };
      messages.show(name, lacks, { label: "Try again", run: load });
    });
  };
  return load;
}

// startLateTabs fetches the script of each tab when it is first on show.
export function startLateTabs(page: Page, hooks: TabHooks): void {
  const tabs: Partial<Record<Tab, () => void>> = {
    l1: () => window.burstscopeL1?.(page, hooks.l1Sets),
    buddy: () => window.burstscopeBuddy?.(page),
    dram: () => window.burstscopeDram?.(page),
    launches: () => window.burstscopeLaunches?.(page, hooks.launches),
    output: () => window.burstscopeOutput?.(page, hooks),
  };
  const loads = Object.entries(tabs).map(([tab, start]) => {
    const load = latePart(hooks.messages, tab, "This picture", "The others work.", () => {
      start();
      page.emit("tab");
    });
    return () => page.tab === tab && load();
  });
  const shown = (): void => loads.forEach((load) => load());
  page.on(["tab", "lists", "run"], shown);
  shown();
}
