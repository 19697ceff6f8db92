// The result table and the data behind each figure.

import { byId, h, text } from "../lib/dom";
import { credited, findingWords, idleWords } from "./credited";
import { count } from "../lib/format";
import { headline } from "./headline";
import { otherFigure, othersOpen, tellingOthers } from "./others";
import { owns } from "../state/owned";
import { metrics, figure, type Given } from "../state/metrics";
import { SIDES, type PerSide, type Side } from "../protocol/protocol";
import { labels, memoryOf, workloadInfo } from "../protocol/scenario";
import type { Page } from "../state/page";

// given collects the data for the figures of both sides: of the whole run, or up to the
// cursor if that is chosen and known.
export function given(page: Page, whole = false): Partial<PerSide<Given>> {
  const of = (side: Side): Given | undefined => {
    const past = !whole && page.settings.figuresAtCursor ? page.data.past[side] : undefined;
    const result = past?.result ?? page.results[side];
    if (!result) return undefined;
    const s = past ? page.data.scenario : page.results.scenario;
    return {
      result,
      memory: memoryOf(s, side),
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
  const { A, B } = page.shows ? given(page, true) : {};
  const said = A && B ? headline(credited(page.results.scenario, page.results), A, B) : undefined;
  return said ? `${findingWords(page.results)} ${said} ${idleWords(page.results)}`.trim() : "";
}

// onShow collects the data for the figures on the screen.
export function onShow(page: Page, whole = false): Partial<PerSide<Given>> {
  return page.shows ? given(page, whole) : {};
}

// namesOnShow are the names of the schemes whose figures these are, or will be.
export function namesOnShow(page: Page): PerSide<string> {
  if (page.shows) return labels(page.results.scenario);
  return page.linkWaits ? { A: "–", B: "–" } : labels(page.settings.scenario);
}

// isPicture reports whether the output is a picture to people: image coding, and
// whatever else has been given an image of theirs. A transposed ramp can be shown
// as one, but is a matrix.
function isPicture(page: Page, metric: string | undefined): boolean {
  if (page.results.built) return page.results.built.picture ?? false;
  const info = workloadInfo(page.catalogue.lists, page.results.scenario.workload.name);
  return (info?.image ?? false) && (metric === "image-diff" || page.results.origin.image !== undefined);
}

export function drawResults(page: Page): void {
  const g = onShow(page);
  const ended = onShow(page, true);
  const empty = !ended.A && !ended.B; // the table keeps its rows
  const names = namesOnShow(page);
  owns(page, byId("results"));
  text(byId("name-a"), names.A);
  text(byId("name-b"), names.B);
  const told = (key: string): boolean => page.run.told?.has(key) ?? true;
  const others = tellingOthers(ended).filter(told);
  byId("others").closest("tr")!.hidden = others.length === 0;
  for (const row of byId("results").querySelectorAll<HTMLElement>("tr[data-row]")) {
    const key = row.dataset["row"]!;
    const m = metrics().get(key);
    for (const side of SIDES) fillCell(row, side, key, m?.under ? otherFigure(key, g[side]) : figure(key, g[side]));
    // Rows of systems that neither side uses say nothing. The whole run decides, so that
    // no row moves with the cursor.
    const novalue = empty ? row.hidden : SIDES.every((side) => !Number.isFinite((ended[side] && m?.value(ended[side])) ?? NaN));
    row.hidden = !told(key) || (m?.under && !(othersOpen() && others.includes(key))) || novalue;
    const [a, b] = [g.A && m?.value(g.A), g.B && m?.value(g.B)];
    const compared = a !== undefined && b !== undefined ? (m?.compare?.(a, b, g.A!, g.B!) ?? "") : "";
    const right = row.querySelector("[data-side=R]")!;
    text(right, compared);
    if (!page.terms.has(compared)) continue;
    right.setAttribute("data-term", compared);
    right.setAttribute("tabindex", "0");
  }
  const stale = byId("stale");
  const cycles = SIDES.map((side) => (page.settings.figuresAtCursor ? page.data.past[side]?.cycle : undefined)).filter((c) => c !== undefined);
  const before = !empty && page.results.of === "before";
  const changed = !empty && page.results.of === "run" && page.changed;
  const dim = before || changed;
  stale.hidden = !dim && !empty && cycles.length === 0;
  const until = cycles.length > 0 ? `up to cycle ${count(Math.max(...cycles))}` : "of the run before";
  const takes = changed && page.runTakes();
  text(stale, empty ? "not run yet" : changed ? `settings changed, press Run${takes && `: ${takes}`}` : until);
  for (const id of ["result", "headline"]) byId(id).classList.toggle("stale", dim);
}

// fillCell keeps the button of a cell while its figure changes, so that focus
// and an open answer stay.
function fillCell(row: HTMLElement, side: Side, key: string, figureText: string): void {
  const cell = row.querySelector(`[data-side=${side}]`)!;
  const button = cell.querySelector("button");
  if (button) return text(button, figureText);
  cell.replaceChildren(h("button", { type: "button", class: "num", "data-metric": key }, figureText));
}

// startFigures wires the switch between the figures of the whole run and those up to
// the cursor.
export function startFigures(page: Page): void {
  const button = byId("figures-at");
  const draw = (): void => {
    button.setAttribute("aria-pressed", String(page.settings.figuresAtCursor));
  };
  button.addEventListener("click", () => {
    page.settings.figuresAtCursor = !page.settings.figuresAtCursor;
    draw();
    page.emit("figures");
  });
  page.on(["figures", "tab"], draw);
  draw();
}
