// The ledger: the statements of the papers, row by row, each with the paper's number,
// ours, and the verdict of our runs.

import { button, h, text } from "../lib/dom";
import { fill, makeTable, row } from "../lib/table";
import { change, percent, significant } from "../lib/format";
import { BY_RUNS, PAPERS, TIERS, VERDICTS, type ReproSettings, type VerdictKey } from "../state/reproduction";
import type { Interval } from "../protocol/scenario";
import type { Claim, CommittedRun, Ledger, Noise, OtherReading } from "./data";
import { sourceOf } from "./data";
import { saveLedgerCSV, saveLedgerJSON } from "./export";
import { fragmentOfRuns, simulatorLink } from "./links";
import { unitOf } from "./papers";
import { hereLink } from "../lib/files";
import type { Page } from "../state/page";

// Shapes that tell the verdicts apart without colour.
const MARKS: Record<VerdictKey, string> = {
  holds: "●", inorder: "△", fails: "✕", arithmetic: "=", calibrated: "◐", shown: "○", unmeasured: "–",
};
const SAYS: Record<VerdictKey, string> = {
  holds: "the statement's predicate is true for our results, and a number of the paper is met within a factor of 2",
  inorder: "the predicate is true, but our number is below half or above twice the paper's, or has the other direction",
  fails: "the statement's predicate is false for our results",
  arithmetic: "the predicate is true but uses no run: it checks sums of the paper, constants of the simulator or unit tests",
  calibrated: "the inputs were made, or the machine was chosen, so that it holds; it is no evidence",
  shown: "a GPU simulator cannot measure it",
  unmeasured: "a program, a setting or a run is missing; the row names it",
};
const KEYS = Object.keys(VERDICTS) as VerdictKey[];
const TYPING_MS = 150;

export function verdictKey(verdict: string): VerdictKey {
  return KEYS.find((k) => VERDICTS[k] === verdict) ?? "unmeasured";
}

export function shortHash(key: string): string {
  return key.slice(0, 12);
}

function haystack(c: Claim): string {
  return [c.id, c.paper, c.figure, c.statement, c.metric, c.baseline, c.config, c.workloads, c.kind, c.notes, c.grade, c.analysis, c.unit, ...(c.missing ?? [])].join(" ").toLowerCase();
}

type Filter = Pick<ReproSettings, "paper" | "tier" | "verdict" | "q">;

export function matches(c: Claim, f: Filter): boolean {
  if (f.paper && c.paper !== f.paper) return false;
  if (f.tier && c.tier !== f.tier) return false;
  if (f.verdict && verdictKey(c.verdict) !== f.verdict) return false;
  const words = f.q.toLowerCase().split(/\s+/).filter((w) => w !== "");
  if (words.length === 0) return true;
  const all = haystack(c);
  return words.every((w) => all.includes(w));
}

export class LedgerView {
  readonly box = h("div", { class: "ledger" });
  private counts = h("table", { class: "numbers counts-of", id: "repro-counts" });
  private papers = h("table", { class: "numbers counts-of by-paper", id: "repro-papers" });
  private q = h("input", { type: "search", id: "repro-q", placeholder: "speedup, Fig. 8, NN …", "aria-label": "Filter the rows by words" });
  private paper = choice("repro-paper", "paper", PAPERS.map((p) => [p, p]));
  private tier = choice("repro-tier", "tier", TIERS.map((t) => [t, t]));
  private verdict = choice("repro-verdict", "verdict", KEYS.map((k) => [k, VERDICTS[k]]));
  private clear = h("button", { type: "button", class: "plain", id: "repro-clear" }, "All rows");
  private sort = h("button", { type: "button", class: "plain", id: "repro-sort", title: "Rows furthest from the paper first, by the graded deviation" }, "apart");
  private apart = h("th", { scope: "col" }, this.sort);
  private summary = h("p", { id: "repro-summary" });
  private pointed = ""; // the row that was brought into view last
  private said = h("span", { id: "repro-said", "aria-live": "polite" });
  private body = h("tbody", {});
  private rows = new Map<string, HTMLTableRowElement>();
  private ledger: Ledger | undefined;
  private runs: CommittedRun[] = [];

  constructor(private page: Page, private open: (fragment: string) => void) {
    const s = page.settings.repro;
    this.clear.addEventListener("click", () => this.set({ paper: "", tier: "", verdict: "", q: "" }));
    let timer = 0;
    this.q.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.set({ q: this.q.value.trim().slice(0, 200) }), TYPING_MS);
    });
    for (const [key, field] of [["paper", this.paper], ["tier", this.tier], ["verdict", this.verdict]] as const) {
      field.addEventListener("change", () => this.set({ [key]: field.value }));
    }
    this.sort.addEventListener("click", () => this.set({ sort: page.settings.repro.sort ? "" : "apart" }));
    this.q.value = s.q;
    const save = (label: string, id: string, act: (l: Ledger, rows: Claim[]) => void): HTMLElement =>
      button(label, () => this.ledger && act(this.ledger, this.shown()), { id });
    this.box.append(
      this.summary,
      h("div", { class: "counters" }, this.counts, this.papers),
      h("div", { class: "tools filters" },
        h("label", { class: "wide" }, "find ", this.q),
        h("label", {}, "paper ", this.paper),
        h("label", {}, "tier ", this.tier),
        h("label", {}, "verdict ", this.verdict),
        this.clear,
        this.said,
        h("span", { class: "saves" }, save("CSV", "repro-csv", (l, rows) => saveLedgerCSV(l, rows, this.runs, hereLink())), save("JSON", "repro-json", (l, rows) => saveLedgerJSON(l, rows, this.runs, hereLink()))),
      ),
      claimsTable("repro-claims", this.apart, this.body),
    );
  }

  show(ledger: Ledger, runs: CommittedRun[]): void {
    if (this.ledger !== ledger) this.rows.clear();
    this.ledger = ledger;
    this.runs = runs;
  }

  draw(): void {
    if (!this.ledger) return;
    const s = this.page.settings.repro;
    for (const [key, field] of [["paper", this.paper], ["tier", this.tier], ["verdict", this.verdict]] as const) field.value = s[key];
    if (document.activeElement !== this.q) this.q.value = s.q;
    if (s.sort) this.apart.setAttribute("aria-sort", "descending");
    else this.apart.removeAttribute("aria-sort");
    text(this.sort, s.sort ? "apart ▾" : "apart");
    const found = this.shown();
    this.body.replaceChildren(...found.map((c) => this.row(c)));
    this.page.status.repro.rows = found.length;
    text(this.said, `${found.length} of ${this.ledger.claims.length} rows`);
    this.clear.hidden = found.length === this.ledger.claims.length;
    this.drawCounts();
    this.drawPapers();
    this.drawSummary();
    this.point(s.row);
  }

  // drawSummary says in a sentence what runs say about the core results.
  private drawSummary(): void {
    const core = this.ledger!.claims.filter((c) => c.tier === TIERS[0] && (!this.page.settings.repro.paper || c.paper === this.page.settings.repro.paper));
    const of = (key: VerdictKey): number => core.filter((c) => verdictKey(c.verdict) === key).length;
    const [holds, inOrder, fails] = [of("holds"), of("inorder"), of("fails")];
    const decided = `runs decide ${holds + inOrder + fails}: ${fails} do not hold, ${inOrder} hold in order but not in size, and`;
    text(this.summary, `Of the ${core.length} core results of ${this.page.settings.repro.paper || "all papers"}, ${decided} ${holds} hold. These rows come first, in this order.`);
  }

  // point brings the row of a link into view and opens it.
  private point(id: string): void {
    for (const [name, row] of this.rows) row.classList.toggle("here", name === id);
    if (id === this.pointed) return;
    this.pointed = id;
    const row = this.rows.get(id);
    if (!row?.isConnected) return;
    const details = row.querySelector<HTMLDetailsElement>(".says > details:last-child");
    if (details) details.open = true;
    row.scrollIntoView({ block: "center" });
  }

  private shown(): Claim[] {
    const s = this.page.settings.repro;
    const found = (this.ledger?.claims ?? []).filter((c) => matches(c, s));
    return s.sort ? found.sort((a, b) => far(b) - far(a)) : found.sort((a, b) => rank(a) - rank(b));
  }

  private set(to: Partial<Filter & Pick<ReproSettings, "sort" | "row">>): void {
    Object.assign(this.page.settings.repro, to);
    this.page.emit("repro");
  }

  // drawCounts counts the rows that paper and words let through, by verdict and tier;
  // each count is a filter. Rows that runs decide have a sum of their own.
  private drawCounts(): void {
    const s = this.page.settings.repro;
    const all = (this.ledger?.claims ?? []).filter((c) => matches(c, { ...s, tier: "", verdict: "" }));
    const decided = all.filter((c) => BY_RUNS.includes(verdictKey(c.verdict)));
    const cell = (verdict: string, tier: string): HTMLElement => {
      const n = all.filter((c) => matches(c, { paper: "", q: "", verdict, tier })).length;
      const on = s.verdict === verdict && s.tier === tier;
      const what = `${verdict ? VERDICTS[verdict as VerdictKey] : "all verdicts"}, ${tier || "all tiers"}: ${n}`;
      const press = (): void => this.set(on ? { verdict: "", tier: "" } : { verdict, tier });
      const about = { class: "plain", "aria-pressed": String(on), "aria-label": what, disabled: n === 0 };
      return h("td", { "data-verdict": verdict || "all", "data-tier": tier || "all" }, button(String(n), press, about));
    };
    const line = (verdict: VerdictKey | ""): HTMLElement => {
      const n = all.filter((c) => !verdict || verdictKey(c.verdict) === verdict).length;
      const share = all.length > 0 ? n / all.length : 0;
      return row(
        { class: verdict ? `v-${verdict}` : "sum" },
        h("th", { scope: "row", title: verdict ? SAYS[verdict] : undefined }, verdict && h("i", { class: "mark", "aria-hidden": "true" }, MARKS[verdict]), verdict ? VERDICTS[verdict] : "all"),
        ...TIERS.map((t) => cell(verdict, t)),
        cell(verdict, ""),
        h("td", { class: "bar-cell" }, verdict ? h("span", { class: "share" }, h("i", { style: `width:${(share * 100).toFixed(1)}%` })) : undefined, verdict ? h("small", {}, percent(share)) : undefined),
      );
    };
    const sum = row(
      { class: "sum", id: "repro-by-runs" },
      "decided by runs",
      ...TIERS.map((t) => String(decided.filter((c) => c.tier === t).length)),
      String(decided.length),
      h("td", { class: "bar-cell" }, h("small", {}, percent(all.length > 0 ? decided.length / all.length : 0))),
    );
    const focused = document.activeElement instanceof HTMLElement && this.counts.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    fill(
      this.counts, ["verdict", ...TIERS, "all", "share"],
      [...BY_RUNS.map(line), sum, ...KEYS.filter((k) => !BY_RUNS.includes(k)).map(line), line("")],
      h("caption", {}, `${s.paper || "All papers"}${s.q ? `, rows with “${s.q}”` : ""}: rows by verdict and tier. Only rows that runs decide are evidence. T1: core results, T2: details, T3: out of a GPU simulator's reach.`),
    );
    // The same count of other rows keeps the focus: its words up to the number.
    const stem = focused?.replace(/\d+$/, "");
    if (stem) [...this.counts.querySelectorAll("button")].find((b) => b.getAttribute("aria-label")?.replace(/\d+$/, "") === stem)?.focus();
  }

  // drawPapers does the same by paper, whatever paper is chosen.
  private drawPapers(): void {
    const s = this.page.settings.repro;
    const all = (this.ledger?.claims ?? []).filter((c) => matches(c, { ...s, paper: "", verdict: "" }));
    const line = (paper: string): HTMLElement => {
      const of = all.filter((c) => c.paper === paper);
      const on = s.paper === paper;
      const about = { class: "plain", "aria-pressed": String(on), "aria-label": `rows of ${paper}`, disabled: of.length === 0 };
      const counts = KEYS.map((k) => of.filter((c) => verdictKey(c.verdict) === k).length);
      return row({}, button(paper, () => this.set({ paper: on ? "" : paper }), about), ...[...counts, of.length].map(String),
        h("td", { class: "from" }, of.some((c) => BY_RUNS.includes(verdictKey(c.verdict))) ? this.where(paper) : ""));
    };
    const focused = document.activeElement instanceof HTMLElement && this.papers.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    const verdicts = KEYS.map((k) => h("th", { scope: "col", class: `v-${k}`, title: VERDICTS[k] },
      h("i", { class: "mark", "aria-hidden": "true" }, MARKS[k]), h("span", { class: "vh" }, VERDICTS[k])));
    const titles = ["paper", ...verdicts, "all", h("th", { scope: "col", class: "from" }, "machine and inputs")];
    fill(this.papers, titles, PAPERS.map(line), h("caption", {}, `By paper${s.tier ? `, tier ${s.tier}` : ""}`));
    if (focused) this.papers.querySelector<HTMLElement>(`[aria-label="${focused}"]`)?.focus();
  }

  private row(c: Claim): HTMLElement {
    const known = this.rows.get(c.id);
    if (known) return known;
    const row = claimRow(c, () => this.set({ row: c.id }), this.why(c), this.more(c, verdictKey(c.verdict)));
    this.rows.set(c.id, row);
    return row;
  }

  // why is the analysis of a row that does not hold, or not in size. Several rows share one: it is
  // spread out at the first of them, and folded at the others.
  private why(c: Claim): HTMLElement | undefined {
    if (!c.analysis) return undefined;
    const words = h("p", { class: "analysis" }, c.analysis);
    const first = this.ledger!.claims.find((x) => x.analysis === c.analysis)!;
    return first === c ? words : h("details", {}, h("summary", {}, `why: see ${first.id}`), words);
  }

  // more holds the details of a row; it is made when the row is opened.
  private more(c: Claim, key: VerdictKey): HTMLElement {
    const n = c.runs?.length ?? 0;
    const words = [c.missing?.length && "what is missing", n > 0 && `${n} ${n === 1 ? "run" : "runs"}`, "predicate"].filter(Boolean).join(", ");
    const details = h("details", {}, h("summary", {}, words));
    const fill = (): void => {
      if (details.childElementCount > 1) return;
      const list = (label: string, of: HTMLElement | string | undefined | false): HTMLElement | undefined => (of ? h("div", { class: "part-of" }, h("b", {}, label), of) : undefined);
      const listed = (places: number[] | undefined): HTMLElement | undefined => (places?.length ? h("ul", { class: "runs" }, ...places.map((k) => this.run(k))) : undefined);
      details.append(
        ...[
          list("Missing", c.missing?.length ? h("p", {}, `${c.missing.slice(0, 12).join("; ")}${c.missing.length > 12 ? ` and ${c.missing.length - 12} more` : ""}`) : undefined),
          list("Remarks", c.remarks?.length ? h("p", {}, c.remarks.join("; ")) : undefined),
          list("Remarks of the row's own reading", c.asRun?.remarks && h("p", {}, c.asRun.remarks.join("; "))),
          list("Measured", `${c.metric}${c.baseline && c.baseline !== "-" ? `, over ${c.baseline}` : ""}${n > 0 ? `, ${this.where(c.paper)}` : ""}`),
          list("Interval", c.noise && noiseWords(c.noise)),
          list("Interval of the row's own reading", c.asRun?.noise && noiseWords(c.asRun.noise)),
          list("Readings", c.readings && readingsList(c)),
          list("Note", c.notes),
          list("True if", h("code", {}, c.check)),
          list(key === "shown" ? "" : "From the runs", listed(c.runs)),
          list("Runs of the row's own reading", listed(c.asRun?.runs)),
        ].filter((x): x is HTMLElement => x !== undefined),
      );
    };
    details.addEventListener("toggle", fill);
    return details;
  }

  // where names the machine and the inputs of a paper's runs.
  private where(paper: string): string {
    const source = this.ledger && sourceOf(this.ledger, paper);
    return source ? `${source.machine}, ${source.data} inputs` : "";
  }

  private run(place: number): HTMLElement {
    const r = this.runs[place]!; // readLedger has looked
    const link = simulatorLink(fragmentOfRuns(this.page, r.scenario), this.open, r.title, "open this run in the simulator");
    return h("li", {}, link, h("small", { title: r.result ?? "" }, r.result ? ` result ${shortHash(r.result)}` : ""));
  }
}

// claimsTable is a table of rows of the ledger.
export function claimsTable(id: string, apart: string | HTMLElement, body: HTMLElement): HTMLElement {
  return makeTable({ class: "claims", id }, ["claim", "what the paper states", "paper", "ours", apart, "grade", "verdict"], body);
}

// claimRow is a statement with both numbers and its verdict; more stands below the statement.
export function claimRow(c: Claim, open: () => void, ...more: (HTMLElement | undefined)[]): HTMLTableRowElement {
  const key = verdictKey(c.verdict);
  const paper = c.paperValue ? `${c.paperValue}` : "–";
  const ours = c.measured === undefined ? "–" : significant(c.measured, 4);
  const { shown, more: whole } = unitOf(c.unit ?? "");
  const unit = shown && (c.paperValue || c.measured !== undefined) ? h("small", { class: "unit", title: whole || undefined }, shown) : undefined;
  const own = h("a", { class: "id", href: `#v=1&repro=ledger&repro.row=${c.id}`, title: "The address of this row" }, c.id);
  own.addEventListener("click", (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey || e.button !== 0) return;
    e.preventDefault();
    open();
  });
  const apart = h("td", { class: "n apart", "data-label": "apart" });
  if (c.ratioDeviation !== undefined) apart.append(h("span", { title: "our number divided by the paper's, minus 1" }, change(1, 1 + c.ratioDeviation)));
  if (c.effectDeviation !== undefined) apart.append(h("small", { title: "the same for the part above 1, the effect" }, `effect ${change(1, 1 + c.effectDeviation)}`));
  if (!apart.hasChildNodes()) apart.append("–");
  return h("tr", { "data-claim": c.id, class: `v-${key}` },
    h("th", { scope: "row" }, own, h("small", {}, c.tier)),
    h("td", { class: "says" }, h("p", {}, c.statement), h("small", {}, [`${c.paper} ${c.figure}`, c.config !== "-" && c.config, c.workloads !== "-" && c.workloads].filter(Boolean).join(" · ")), ...more),
    h("td", { class: "n", "data-label": "paper" }, paper, c.paperValue ? unit?.cloneNode(true) : undefined),
    h("td", { class: "n ours", "data-label": "ours" },
      ours, c.measured !== undefined ? unit : undefined, interval(c)),
    apart,
    h("td", { class: "grade", "data-label": "grade" }, c.grade ?? (key === "holds" ? numberless(c) : "–")),
    h("td", { class: "verdict" }, h("i", { class: "mark", "aria-hidden": "true" }, MARKS[key]),
      h("span", { title: SAYS[key] }, c.verdict), c.under ? h("small", {}, `under: ${c.under}`) : undefined,
      depends(c) ? h("small", {}, "depends on the reading") : undefined),
  );
}

// rank puts core results before details, what runs decide before the rest, and failures first.
function rank(c: Claim): number {
  const order: readonly VerdictKey[] = ["fails", "inorder", "holds", "unmeasured", "calibrated", "arithmetic", "shown"];
  const key = verdictKey(c.verdict);
  const tier = TIERS.findIndex((t) => t === c.tier);
  return (BY_RUNS.includes(key) ? 0 : 100) + 10 * tier + order.indexOf(key);
}

// far is how far our number is from the paper's: of the effect where the paper states
// a change, of the ratio elsewhere. Rows without both numbers come last.
function far(c: Claim): number {
  return Math.abs(c.effectDeviation ?? c.ratioDeviation ?? -1) * (c.ratioDeviation === undefined ? -1 : 1);
}

// interval stands below a number about time or energy.
function interval(c: Claim): HTMLElement | undefined {
  if (!c.timed) return undefined;
  const unknown = "How far this number moves with other seeds and placements of the buffers was not measured";
  if (!c.noise) return h("small", { class: "interval", title: unknown }, "interval not measured");
  const words = range(c.noise.own) + (c.noise.distinguishable ? "" : ", not distinguishable");
  return h("small", { class: "interval", title: noiseWords(c.noise) }, words);
}

// depends says whether another reading gives the row another verdict.
function depends(c: Claim): boolean {
  const own = (c.asRun ?? c).verdict;
  return (c.readings ?? []).some((r) => BY_RUNS.includes(verdictKey(r.verdict)) && r.verdict !== own);
}

// readingsList has what the paper leaves open, each with a line for every reading: first that of the row itself.
function readingsList(c: Claim): HTMLElement {
  type Numbers = Pick<Claim, "measured" | "grade" | "verdict">;
  const line = (word: string, title: string, of: Numbers): HTMLElement => {
    const ours = of.measured === undefined ? [] : [significant(of.measured, 4)];
    const rest = [...ours, ...(of.grade === undefined ? [] : [of.grade]), of.verdict].join(", ");
    return h("li", { title }, `${word}: `, h("span", {}, rest));
  };
  const list = h("div", { class: "readings" });
  const all = c.readings ?? [];
  for (const part of new Set(all.map((r) => r.part))) {
    const of = all.filter((r) => r.part === part);
    const own = `${of[0]!.own} (${c.asRun ? "as the row runs" : "as in the row"})`;
    const word = (r: OtherReading): string => r.word + (r.stated ? ", as the text states" : "");
    const lines = [line(own, "", c.asRun ?? c), ...of.map((r) => line(word(r), r.settings, r))];
    list.append(h("p", {}, h("em", {}, part), h("small", {}, ` ${of[0]!.why}.`)), h("ul", {}, ...lines));
  }
  return list;
}

function range(i: Interval): string {
  return `${significant(i.low, 4)} to ${significant(i.high, 4)}`;
}

function noiseWords(n: Noise): string {
  const over = `${n.seeds} seeds and ${n.placements} placements of the buffers`;
  const meet = "The two meet: the number is not distinguishable from saving nothing.";
  const apart = n.distinguishable ? "The two do not meet." : meet;
  return `${range(n.own)} over ${over}; ${range(n.null)} over the same if nothing were saved. ${apart}`;
}

// numberless says why a row that holds has no grade.
function numberless(c: Claim): string {
  if (c.measured !== undefined) return c.paperValue === "" ? "the paper states no number" : "no grade";
  return c.paperValue === "" ? "qualitative claim" : "no numeric result";
}

function choice(id: string, what: string, options: (readonly [string, string])[]): HTMLSelectElement {
  return h("select", { id, "aria-label": `Rows of which ${what}` }, h("option", { value: "" }, "all"), ...options.map(([value, label]) => h("option", { value }, label)));
}
