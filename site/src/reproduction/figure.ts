// A figure: its charts, each with its table beside it, and what was computed in the
// page beside what is committed.

import { button, h, text } from "../lib/dom";
import { makeTable, row } from "../lib/table";
import { soon } from "../lib/turns";
import { digits4, significant } from "../lib/format";
import { saveButton, type Messages } from "../state/messages";
import { chart, spreadWords, type Here } from "./chart";
import type { CommittedRun, Figure, Formula, Index, Panel } from "./data";
import { saveFigureCSV, saveFigureJSON, saveFigurePNG, saveFigureSVG } from "./export";
import { valueOf } from "./formula";
import { leaves, linksOf, simulatorLink } from "./links";
import { Pareto } from "./pareto";
import { zeroWords, zerosOf } from "./zeros";
import { hereLink } from "../lib/files";
import type { Page } from "../state/page";
import type { ReproSettings } from "../state/reproduction";
import { Runner } from "../sweep/runner";
import type { Job } from "../sweep/pool";
import type { Store } from "../sweep/store";
import { paletteOf } from "../state/theme";

const MEAN = "mean";
// From so many series on, a table needs the whole width; if its values are on several inputs, from fewer.
const WIDE_FROM = 5;
const WIDE_INPUTS_FROM = 3;

// Computed is a value that the page computed itself.
export interface Computed {
  value: number;
  here: Here; // undefined where no hash is committed
}

export class FigureView {
  readonly box = h("div", { class: "figure" });
  private ways = h("nav", { class: "tools", "aria-label": "Figures" });
  private title = h("h2", { class: "figure-title" });
  private notes = h("p", { class: "words" });
  private about = h("p", { class: "note", id: "figure-about", "aria-live": "polite" });
  private forget = h("button", { type: "button", class: "plain", id: "figure-forget", title: "Delete every point computed in this browser, so that it can be computed again" }, "Delete my results");
  private everything = button("", () => this.chooseAll(), { class: "plain", id: "figure-all" });
  private pareto = new Pareto();
  private panels = h("div", { class: "figure-panels" });
  private points = h("div", { class: "figure-points", "aria-live": "polite" });
  private runner: Runner;
  private figure: Figure | undefined;
  private off = new Set<string>(); // rows and columns that take no part in a run
  private readonly redraw = soon(() => this.paint());

  constructor(private page: Page, private index: Index, private store: Store, messages: Messages, private open: (fragment: string) => void) {
    this.runner = new Runner(page, store, messages, {
      jobs: () => this.jobs(),
      words: () => this.runWords(),
      came: () => this.redraw(),
    });
    const save = (label: string, make: (f: Figure) => unknown): HTMLElement =>
      saveButton(messages, `figure-${label.toLowerCase()}`, label, () => this.figure && make(this.figure));
    const computed = (f: Formula | null): Computed | undefined => this.computed(f);
    this.box.append(
      this.ways,
      this.title,
      this.notes,
      h("div", { class: "figure-bar" },
        this.runner.box,
        this.everything,
        this.forget,
        h("span", { class: "saves" }, save("CSV", (f) => saveFigureCSV(f, index, computed, hereLink())), save("JSON", (f) => saveFigureJSON(f, index, computed, hereLink())), save("SVG", (f) => saveFigureSVG(f, hereLink())), save("PNG", (f) => saveFigurePNG(f, hereLink()))),
      ),
      this.about,
      this.pareto.box,
      this.panels,
      this.points,
    );
    this.forget.addEventListener("click", () => void store.forget().then(this.redraw));
    new ResizeObserver(this.redraw).observe(this.panels);
  }

  show(figure: Figure): void {
    if (this.figure === figure) return;
    this.figure = figure;
    this.off.clear();
    this.points.replaceChildren();
    void this.store.read(figure.runs.map((r) => this.index.runs[r]!.key)).then(this.redraw);
  }

  draw(): void {
    this.drawWays();
    this.redraw();
  }

  // drawWays leads to the page of the figure's paper, and to the figures before and after.
  private drawWays(): void {
    const { figures } = this.index;
    const at = figures.findIndex((f) => f.name === this.figure?.figure);
    const focused = this.ways.contains(document.activeElement) && document.activeElement?.id;
    const way = (id: string, words: string, to: Partial<ReproSettings> | undefined): HTMLElement => {
      const turn = (): void => {
        Object.assign(this.page.settings.repro, to);
        this.page.emit("repro");
      };
      return h("button", { type: "button", id, disabled: !to, onclick: turn }, words);
    };
    const figure = (i: number): Partial<ReproSettings> | undefined => figures[i] && { figure: figures[i].name };
    const paper = figures[at]?.paper;
    this.ways.replaceChildren(
      way("figure-paper", `All of ${paper}`, paper ? { show: "papers", paper } : undefined),
      way("figure-before", "‹ Previous", figure(at - 1)), way("figure-after", "Next ›", figure(at + 1)),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  // --- values computed here ---

  private runOf(place: number): CommittedRun {
    return this.index.runs[place]!; // readFigures has looked
  }

  private computed(f: Formula | null): Computed | undefined {
    const { figure } = this;
    if (!f || !figure) return undefined;
    const value = valueOf(f, figure, (place) => this.store.get(this.runOf(place).key));
    if (value === undefined) return undefined;
    let here: Here = "same";
    for (const leaf of leaves(f)) {
      const run = this.runOf(figure.runs[leaf.run]!);
      const hash = this.store.get(run.key)?.hash;
      if (run.result === undefined) here = here === "other" ? here : undefined;
      else if (hash !== run.result) here = "other";
    }
    return { value, here };
  }

  // selected are the places of the runs that the chosen rows and columns need.
  private selected(): number[] {
    const { figure } = this;
    const found = new Set<number>();
    figure?.panels.forEach((p) =>
      p.series.forEach((s) =>
        p.categories.forEach((c, k) => {
          const f = s.formulas[k];
          if (!f || c === MEAN || (p.kind === "bars" && this.off.has(`program ${c}`)) || this.off.has(`series ${s.label}`)) return;
          for (const leaf of leaves(f)) found.add(figure.runs[leaf.run]!);
        }),
      ),
    );
    return [...found];
  }

  private jobs(): Job[] {
    return this.selected()
      .map((place) => this.runOf(place))
      .filter((r) => !this.store.get(r.key))
      .map((r) => ({ key: r.key, scenario: r.scenario, traffic: r.kind === "traffic" }));
  }

  private runWords(): string {
    const n = this.jobs().length;
    const all = this.selected().length;
    if (all === 0) return "Choose what to run";
    if (n === 0) return `${all} of ${all} recomputed`;
    return `Run ${n === all ? "" : `the other `}${n} ${n === 1 ? "point" : "points"} here`;
  }

  // --- drawing ---

  private paint(): void {
    const { figure, page } = this;
    if (!figure || !this.box.isConnected) return;
    text(this.title, `${figure.figure}: ${figure.title}`);
    text(this.notes, figure.notes ?? "");
    this.runner.draw();
    text(this.everything, this.off.size === 0 ? "Clear selection" : "Choose all");
    this.drawAbout(figure);
    const focused = document.activeElement instanceof HTMLElement && this.panels.contains(document.activeElement) ? document.activeElement.dataset["key"] : undefined;
    const scrolled = [...this.panels.querySelectorAll(".scroller")].map((e) => e.scrollLeft);
    const palette = paletteOf(page);
    this.pareto.draw(figure, palette);
    const room = this.panels.clientWidth;
    this.panels.replaceChildren(
      ...figure.panels.map((p, at) => {
        const from = figure.inputs ? WIDE_INPUTS_FROM : WIDE_FROM;
        const wide = p.series.length >= from || p.kind === "map" || room < 1000;
        const width = wide ? room : Math.floor(room * 0.6) - 24;
        const plot = chart(p, { width: Math.max(280, width), palette, id: `plot${at}`, here: (s, c) => this.computed(p.series[s]!.formulas[c] ?? null)?.here });
        plot.addEventListener("click", (e) => this.clicked(e, at));
        return h("section", { class: wide ? "figpanel wide" : "figpanel" },
          h("div", { class: "plotside" }, h("h3", {}, `${p.title} (${p.unit === "x" ? "ratio" : p.unit})`), h("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": `Chart: ${p.title}` }, plot), this.absent(p)),
          h("div", { class: "scroller tableside", tabindex: 0, role: "group", "aria-label": `Table: ${p.title}` }, this.table(p, at)),
        );
      }),
    );
    [...this.panels.querySelectorAll(".scroller")].forEach((e, i) => (e.scrollLeft = scrolled[i] ?? 0));
    if (focused) this.panels.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  private drawAbout(figure: Figure): void {
    const known = figure.runs.map((r) => this.runOf(r)).filter((r) => this.store.get(r.key));
    const compared = known.filter((r) => r.result !== undefined);
    const same = compared.filter((r) => this.store.get(r.key)!.hash === r.result).length;
    Object.assign(this.page.status.repro, { same, different: compared.length - same, known: known.length });
    this.forget.hidden = known.length === 0;
    const missing = figure.missing?.length ? ` ${figure.missing.length} of its values are not measured yet.` : "";
    const bits =
      known.length === 0
        ? "None is computed here yet."
        : `${known.length} computed here: ${same} with the committed bits${compared.length > same ? `, ${compared.length - same} with other bits` : ""}${known.length > compared.length ? `, ${known.length - compared.length} without a committed result` : ""}.`;
    const inputs = figure.inputs
      ? ` Each was made on ${figure.inputs} inputs (seeds from the first one on); a run here is on the first.`
      : "";
    text(this.about, `${figure.runs.length} runs make this figure.${inputs} ${bits}${missing}`);
  }

  private absent(p: Panel): HTMLElement | undefined {
    return p.absent?.length ? h("p", { class: "note" }, `Not simulated yet: ${p.absent.join(", ")}.`) : undefined;
  }

  private clicked(e: Event, at: number): void {
    const g = e.target instanceof Element ? e.target.closest<SVGElement>("[data-series]") : null;
    if (g) this.showPoints(at, Number(g.dataset["series"]), Number(g.dataset["category"]));
  }

  // chooser takes a program or a series, wherever it stands, into a run here.
  private chooser(at: number, kind: "program" | "series", label: string): HTMLElement {
    const key = `${kind} ${label}`;
    const box = h("input", { type: "checkbox", "aria-label": `${label} is included in a run here`, "data-key": `${at} ${key}` });
    box.checked = !this.off.has(key);
    box.addEventListener("change", () => {
      if (box.checked) this.off.delete(key);
      else this.off.add(key);
      this.redraw();
    });
    return box;
  }

  // chooseAll takes every program in, or none, so that some can be picked.
  private chooseAll(): void {
    const none = this.off.size === 0;
    this.off.clear();
    if (none) for (const p of this.figure?.panels ?? []) for (const c of p.kind === "bars" ? p.categories : p.series.map((s) => s.label)) this.off.add(`${p.kind === "bars" ? "program" : "series"} ${c}`);
    this.redraw();
  }

  private table(p: Panel, at: number): HTMLElement {
    const titles = p.series.map((s) => h("label", {}, this.chooser(at, "series", s.label), s.label));
    const rows = p.categories.map((c, k) => {
      const label = c === MEAN ? h("b", {}, c) : p.kind === "map" ? c : h("label", {}, this.chooser(at, "program", c), c);
      return row({ class: c === MEAN ? "mean" : undefined }, label, ...p.series.map((s, i) => this.cell(p, at, i, k)));
    });
    const caption = h("caption", { class: "vh" }, `${p.title}, ${p.unit}: ours, with the paper's below`);
    return makeTable({ class: "numbers figure-table" }, [p.axis || "program", ...titles], rows, caption);
  }

  private cell(p: Panel, at: number, i: number, k: number): HTMLElement {
    const s = p.series[i]!;
    const [value, paper, formula] = [s.values[k] ?? null, s.paper[k] ?? null, s.formulas[k] ?? null];
    const where = `${p.categories[k]}, ${s.label}`;
    const shown = value === null ? "–" : digits4(value);
    const cell = h("td", { "data-value": value ?? "", "data-paper": paper ?? "", "data-at": `${at}/${i}/${k}` });
    const links = formula && this.figure ? linksOf(this.page, this.figure, this.index.runs, formula) : [];
    const only = links[0];
    const key = `${at} v${i} ${k}`;
    if (links.length === 1 && only) {
      const a = simulatorLink(only.fragment, this.open, shown, `${where}: open this point in the simulator (${only.title})`);
      a.dataset["key"] = key;
      cell.append(a);
    } else if (links.length > 1) {
      const b = button(shown, () => this.showPoints(at, i, k), { class: "plain num-button", title: `${where}: the ${links.length} points it is the mean of`, "data-key": key });
      cell.append(b);
    } else cell.append(shown);
    const zeros = zerosOf(s, k);
    if (zeros) cell.append(h("small", { class: "theirs zeros", title: "Exact zeros count as 1e-9 in the geometric mean" }, zeroWords(zeros)));
    const spread = spreadWords(s, k);
    if (spread) cell.append(h("small", { class: "theirs spread" }, spread));
    if (paper !== null) cell.append(h("small", { class: "theirs" }, `paper ${significant(paper, 4)}`));
    const c = this.computed(formula);
    if (c) {
      cell.dataset["here"] = c.here ?? "new";
      cell.append(h("small", { class: `here ${c.here ?? ""}` }, c.here === "same" ? "● same bits" : c.here === "other" ? `✕ here ${significant(c.value, 4)}, other bits` : `here ${significant(c.value, 4)}`));
    }
    return cell;
  }

  // showPoints lists the points behind a value.
  private showPoints(at: number, i: number, k: number): void {
    const { figure } = this;
    const p = figure?.panels[at];
    const f = p?.series[i]?.formulas[k];
    if (!figure || !p) return;
    const links = f ? linksOf(this.page, figure, this.index.runs, f) : [];
    const list = links.map((l) => h("li", {}, simulatorLink(l.fragment, this.open, l.title, "open this point in the simulator")));
    this.points.replaceChildren(
      h("h3", {}, `${p.title}: ${p.categories[k]}, ${p.series[i]!.label}`),
      links.length > 0 ? h("ul", { class: "runs" }, ...list) : h("p", { class: "note" }, "This value is not measured, so it has no run."),
    );
    this.points.scrollIntoView({ block: "nearest" });
    this.points.querySelector<HTMLElement>("a")?.focus();
  }
}
