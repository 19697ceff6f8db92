// How far the speedup on show moves with other inputs and places of the buffers: from figures that came with the page,
// where there are some of these very results.

import { percent } from "../lib/format";
import type { Interval, Noise } from "../protocol/scenario";
import type { Page } from "../state/page";

// NOT_DISTINGUISHABLE is what a difference inside its noise is called.
export const NOT_DISTINGUISHABLE = "not distinguishable";

const UNKNOWN =
  "How far other inputs and places of the buffers move the time is not measured here: burstscope noise does.";

// noiseOf finds the interval of the results on show.
export function noiseOf(page: Page): Noise | undefined {
  const { A, B } = page.results;
  if (!page.shows || !A || !B) return undefined;
  const known = Object.values(window.burstscopeBuilt ?? {}).map((x) => x.noise);
  return known.find((n) => n && A.scenarioHash?.startsWith(n.a) && B.scenarioHash?.startsWith(n.b));
}

// intervalWords say it in a sentence below the headline; "" without two results.
export function intervalWords(page: Page): string {
  const { A, B } = page.results;
  if (!page.shows || !A || !B) return "";
  const n = noiseOf(page);
  if (!n) return UNKNOWN;
  const over = `${n.seeds} inputs and ${n.placements} placements of the buffers`;
  const verdict = n.distinguishable ? "" : `: ${NOT_DISTINGUISHABLE}`;
  const moves = `${range(n.own)} over ${over}; if nothing were saved, ${range(n.null)}${verdict}.`;
  return `${moves} These figures came with the page.`;
}

// range says speedups as shares of time, as the headline does.
function range({ low, high }: Interval): string {
  const [a, b] = [1 - 1 / low, 1 - 1 / high];
  const word = (x: number): string => (x < 0 ? "later" : "sooner");
  const [x, y] = [a, b].map((v) => percent(Math.abs(v)));
  if (a * b < 0) return `${x} ${word(a)} to ${y} ${word(b)}`;
  return a < 0 ? `${y} to ${x} later` : `${x} to ${y} sooner`;
}
