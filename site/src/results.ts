// The result table, and what each figure is made from.

import { byId, h, text } from "./dom";
import { TERMS } from "./glossary";
import { headline } from "./headline";
import { METRICS, figure, type Given } from "./metrics";
import { SIDES, type PerSide, type Side } from "./protocol";
import { labels, memoryOf, workloadInfo } from "./scenario";
import type { Page } from "./state";

// given collects what the figures of both sides need.
export function given(page: Page): Partial<PerSide<Given>> {
  const of = (side: Side): Given | undefined => {
    const result = page.results[side];
    if (!result) return undefined;
    const s = page.resultScenario;
    return {
      result,
      memory: memoryOf(s, side),
      topology: page.resultTopology[side],
      image: isPicture(page, result.errorMetric),
    };
  };
  const found: Partial<PerSide<Given>> = {};
  for (const side of SIDES) {
    const g = of(side);
    if (g) found[side] = g;
  }
  return found;
}

// headlineOf is the result on show in one sentence; "" without one.
export function headlineOf(page: Page): string {
  const { A, B } = given(page);
  return A && B ? (headline(labels(page.resultScenario), A, B) ?? "") : "";
}

// isPicture reports whether the output is a picture to people: image coding, and
// whatever else has been given an image of theirs. A transposed ramp can be shown
// as one, but is a matrix.
function isPicture(page: Page, metric: string | undefined): boolean {
  const info = workloadInfo(page.lists, page.resultScenario.workload.name);
  return (info?.image ?? false) && (metric === "image-diff" || page.ownImage !== undefined);
}

export function drawResults(page: Page): void {
  const g = given(page);
  const names = labels(page.resultScenario);
  if (page.resultsOf === "nothing") return;
  text(byId("name-a"), names.A);
  text(byId("name-b"), names.B);
  for (const row of byId("results").querySelectorAll<HTMLElement>("tr[data-row]")) {
    const key = row.dataset["row"]!;
    const m = METRICS.get(key);
    for (const side of SIDES) fillCell(row, side, key, figure(key, g[side]));
    const [a, b] = [g.A && m?.value(g.A), g.B && m?.value(g.B)];
    const compared = a !== undefined && b !== undefined ? (m?.compare?.(a, b, g.A!, g.B!) ?? "") : "";
    const right = row.querySelector("[data-side=R]")!;
    text(right, compared);
    if (!TERMS.has(compared)) continue;
    right.setAttribute("data-term", compared);
    right.setAttribute("tabindex", "0");
  }
  const stale = byId("stale");
  stale.hidden = page.resultsOf !== "before";
  text(stale, "of the run before");
  byId("results").classList.toggle("stale", page.resultsOf === "before");
}

// fillCell keeps the button of a cell while its figure changes, so that focus
// and an open answer stay.
function fillCell(row: HTMLElement, side: Side, key: string, figureText: string): void {
  const cell = row.querySelector(`[data-side=${side}]`)!;
  const button = cell.querySelector("button");
  if (button) return text(button, figureText);
  cell.replaceChildren(h("button", { type: "button", class: "num", "data-metric": key }, figureText));
}
