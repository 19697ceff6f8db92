// Answers: the small sheet that opens beside a number or a term on hover,
// focus or click. Click pins it; Escape or a click elsewhere closes it.

import { byId, h } from "../lib/dom";
import { metrics, counter, counterText, type Given, type Term } from "../state/metrics";
import { keyOf } from "../state/owned";
import type { Page } from "../state/page";
import type { PerSide } from "../protocol/protocol";

let sheet: HTMLElement;
let pinned: Element | undefined;
let shownFor: Element | undefined;

export function startAnswers(page: Page, given: () => Partial<PerSide<Given>>): void {
  sheet = byId("answer");
  const fill = (target: Element): boolean => {
    const term = target.getAttribute("data-term");
    const metric = target.getAttribute("data-metric");
    if (term) return fillTerm(page, term);
    return metric ? fillMetric(page, metric, given()) : false;
  };
  const opener = (e: globalThis.Event): Element | null =>
    e.target instanceof Element ? e.target.closest("[data-term],[data-metric]") : null;

  const open = (target: Element): void => {
    if (!fill(target)) return;
    if (shownFor && shownFor !== target) shownFor.removeAttribute("aria-describedby");
    shownFor = target;
    target.setAttribute("aria-describedby", "answer");
    sheet.hidden = false;
    place(target);
  };
  const close = (): void => {
    sheet.hidden = true;
    shownFor?.removeAttribute("aria-describedby");
    shownFor = pinned = undefined;
  };

  document.addEventListener("pointerover", (e) => {
    const target = opener(e);
    if (target && !pinned && e.pointerType !== "touch") open(target);
  });
  document.addEventListener("pointerout", (e) => {
    const to = e.relatedTarget;
    if (pinned || !shownFor || (to instanceof Element && (shownFor.contains(to) || sheet.contains(to)))) return;
    close();
  });
  document.addEventListener("focusin", (e) => {
    const target = opener(e);
    if (target) {
      if (pinned !== target) pinned = undefined;
      open(target);
    } else if (!(e.target instanceof Node && sheet.contains(e.target))) close();
  });
  document.addEventListener("click", (e) => {
    const target = opener(e);
    if (target) {
      if (pinned === target) return close();
      open(target);
      pinned = target;
    } else if (!(e.target instanceof Node && sheet.contains(e.target))) close();
  });
  document.addEventListener("keydown", (e) => {
    const target = opener(e);
    if (e.key === "Escape" && !sheet.hidden) {
      close();
      e.preventDefault();
    } else if (target instanceof SVGElement && (e.key === "Enter" || e.key === " ")) {
      open(target);
      e.preventDefault();
    }
  });
  let shownOf = ""; // an answer is of the results on show
  page.on(["scenario", "results", "run"], () => {
    const now = keyOf(page);
    if (now !== shownOf && !sheet.hidden) close();
    shownOf = now;
  });
  addEventListener("scroll", () => !sheet.hidden && !pinned && close(), { capture: true, passive: true });
  for (const dfn of document.querySelectorAll("dfn[data-term]")) dfn.setAttribute("tabindex", "0");
}

function fillTerm(page: Page, term: string): boolean {
  const definition = page.terms.get(term);
  if (!definition) return false;
  sheet.replaceChildren(h("b", {}, term), h("p", {}, definition));
  return true;
}

function fillMetric(page: Page, key: string, given: Partial<PerSide<Given>>): boolean {
  const m = metrics().get(key) ?? page.catalogue.figures.get(key);
  if (!m) return false;
  const rows = m.counters.map((name) => {
    const cell = (g: Given | undefined): HTMLElement => {
      const v = g && counter(g.result, name);
      return h("td", {}, v === undefined ? "–" : counterText(v));
    };
    const info = page.catalogue.counters[name];
    return h("tr", { title: info ? `${info.doc} (${info.unit})` : undefined }, h("th", {}, name), cell(given.A), cell(given.B));
  });
  const terms = termRows(m.terms, given);
  sheet.replaceChildren(
    h("b", {}, m.title),
    h("p", {}, m.about),
    h("p", { class: "formula" }, m.formula),
    h("table", {}, h("tr", {}, h("th", {}, rows.length > 0 ? "counter" : "part"), h("td", {}, "A"), h("td", {}, "B")), ...rows, ...terms),
    h("p", { class: "note" }, `Definition: ${m.source}. ${origin(page, given)}`),
  );
  return true;
}

// termRows lists the terms of a sum for both sides.
function termRows(terms: ((g: Given) => Term[]) | undefined, given: Partial<PerSide<Given>>): HTMLElement[] {
  if (!terms) return [];
  const [a, b] = [given.A ? terms(given.A) : [], given.B ? terms(given.B) : []];
  const names = [...new Set([...a, ...b].map((t) => t.name))];
  return names.map((name) => {
    const [x, y] = [a.find((t) => t.name === name), b.find((t) => t.name === name)];
    const detail = y?.detail ?? x?.detail;
    return h("tr", {}, h("th", {}, name, detail ? h("small", {}, detail) : undefined), h("td", {}, x?.text ?? "–"), h("td", {}, y?.text ?? "–"));
  });
}

function origin(page: Page, given: Partial<PerSide<Given>>): string {
  const hash = given.B?.result.resultHash ?? given.A?.result.resultHash;
  const of = hash ? ` Result ${hash.slice(0, 12)}.` : "";
  switch (page.results.of) {
    case "built":
      return `Computed when this page was built.${of}`;
    case "before":
      return `From the run before.${of}`;
    case "run":
      return `From this run.${of}`;
    case "nothing":
      return "No run has finished yet.";
  }
}

// place puts the sheet below its opener, or above where there is no room. For
// a figure of the right column it goes beside the column, so that the table
// stays readable.
function place(target: Element): void {
  const r = target.getBoundingClientRect();
  const gap = 6;
  const { offsetWidth: w, offsetHeight: height } = sheet;
  const column = target.closest("#result")?.getBoundingClientRect();
  if (column && column.left > w + 2 * gap) {
    sheet.style.left = `${column.left - w - gap}px`;
    sheet.style.top = `${Math.max(8, Math.min(r.top - gap, innerHeight - height - 8))}px`;
    return;
  }
  const left = Math.max(8, Math.min(r.right - w, innerWidth - w - 8));
  const below = r.bottom + gap;
  const top = below + height < innerHeight - 8 ? below : Math.max(8, r.top - gap - height);
  sheet.style.left = `${left}px`;
  sheet.style.top = `${top}px`;
}
