// The output's error by other measures than the program's own: rows behind a disclosure, and only those that say
// something (core/metric, OtherErrors).

import { byId } from "../lib/dom";
import { figure, metrics, valueOf, type Given } from "../state/metrics";
import { SIDES, type PerSide } from "../protocol/protocol";
import type { Page } from "../state/page";

const OWN = "error"; // the metric that the others measure in another way

// exact tells whether an output has no error at all; AxBench's measure counts its zeros all the same.
function exact(g: Given): boolean {
  return valueOf(OWN, g) === 0 && valueOf("mreCapped", g) === 0;
}

// otherFigure is the text of such a metric; of an exact output it says nothing but 0.
export function otherFigure(key: string, g: Given | undefined): string {
  return g && exact(g) && valueOf(key, g) !== 0 ? "–" : figure(key, g);
}

// tellingOthers are the metrics that say something of either side: none if both are exact, and none whose figures
// stand there already.
export function tellingOthers(both: Partial<PerSide<Given>>): string[] {
  const sides = SIDES.flatMap((side) => both[side] ?? []).filter((g) => !exact(g));
  const said = (key: string): string => sides.map((g) => figure(key, g)).join();
  const seen = new Set([said(OWN), sides.map(() => "–").join()]);
  return [...metrics().values()].filter((m) => m.under === OWN && !seen.has(said(m.key)) && seen.add(said(m.key))).map((m) => m.key);
}

// startOthers wires the disclosure. open tells whether the rows are shown.
export function startOthers(page: Page): void {
  const button = byId("others");
  button.addEventListener("click", () => {
    button.setAttribute("aria-expanded", String(!othersOpen()));
    page.emit("figures");
  });
}

export function othersOpen(): boolean {
  return byId("others").getAttribute("aria-expanded") === "true";
}
