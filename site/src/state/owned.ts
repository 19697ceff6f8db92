// Each region of the page with numbers says of which result or run it is: data-result names scenario, version and
// hashes, data-subject the program of a run. Not all regions are drawn in one turn, so a region is hidden from the moment at
// which the page names another result or program until it is drawn again.

import type { Page } from "./page";

// keyOf names the results on show; "" is none.
export const keyOf = (page: Page): string => (page.shows ? page.results.key : "");

export function startOwned(page: Page): void {
  page.on(["scenario", "results", "run"], () => {
    hide("result", keyOf(page));
    hide("subject", page.subject);
  });
}

function hide(kind: string, now: string): void {
  for (const e of document.querySelectorAll<HTMLElement>(`[data-${kind}]`)) e.toggleAttribute("data-old", e.dataset[kind] !== now);
}

// owns says that regions are drawn from the results on show.
export function owns(page: Page, ...regions: Element[]): void {
  for (const e of regions) mark(e, "data-result", keyOf(page));
}

// follows says that a region is drawn from the run of the program on show, or is empty without one.
export function follows(page: Page, region: Element): void {
  mark(region, "data-subject", page.subject);
}

function mark(e: Element, name: string, of: string): void {
  e.setAttribute(name, of);
  e.removeAttribute("data-old");
}
