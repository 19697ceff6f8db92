// Compare and sweep: one value of the simulator's scenario, or two, take several values, both schemes run at each, and
// charts and a table show what follows. Whole schemes are values too: all codecs on this program are one press.

import { button, h, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { saveButton, type Messages } from "../state/messages";
import type { MachineField } from "../protocol/protocol";
import { LIGHT, type Palette } from "../drawing/plot";
import { chart, type ChartPanel } from "./chart";
import { png, save, type Picture } from "../lib/files";
import { COSTS, frontChart, type FrontPoint } from "./front";
import type { ReproHooks } from "./loader";
import { LONGEST_TEXT } from "../links/reproduction";
import { sideScenario } from "../protocol/scenario";
import type { Page } from "../state/page";
import type { ReproSettings } from "../state/reproduction";
import { Runner } from "../sweep/runner";
import type { Store } from "../sweep/store";
import { SweepFiles } from "./sweepfiles";
import { Points } from "./sweeppoints";
import { SweepTable } from "./sweeptable";
import { activeOf, measures, parametersOf, SCHEME, schemesOf, type Measure, type Parameter } from "./sweepvalues";
import { paletteOf } from "../state/theme";

const FRONT = "front"; // in place of a measure
const MACHINE = "machine.overrides.";

// PRESSES set and run a sweep at once.
const PRESSES = [
  ["All codecs", SCHEME, "codecs"], ["All systems", SCHEME, "systems"], ["MAG", "memory.mag", ""],
  ["Threshold", "memory.threshold", ""], ["Machines", "machine.preset", ""],
] as const;

export class SweepForm {
  readonly box = h("div", { class: "sweeper" });
  private about = h("p", { class: "words", id: "sweep-about" });
  private search = h("input", { class: "wide", id: "sweep-search", type: "search", placeholder: "search settings", "aria-label": "Search settings" });
  private path = h("select", { id: "sweep-path" });
  private values = h("input", { class: "wide", id: "sweep-values", spellcheck: "false", autocomplete: "off" });
  private path2 = h("select", { id: "sweep-path2" });
  private values2 = h("input", { class: "wide", id: "sweep-values2", spellcheck: "false", autocomplete: "off" });
  private values2Label = h("label", { class: "knob grow" }, h("span", {}, "its values"), this.values2);
  private both = h("input", { type: "checkbox", id: "sweep-both" });
  private bothLabel = h("label", {}, this.both, "in A too");
  private measure = h("select", { id: "sweep-measure" }, h("option", { value: FRONT }, "Cost against error"),
    ...measures().map((m) => h("option", { value: m.name }, m.title)));
  private said = h("p", { class: "note", id: "sweep-said", "aria-live": "polite" });
  private plot = h("div", { class: "scroller plotside", tabindex: 0, role: "group", "aria-label": "Chart of the sweep" });
  private runner: Runner;
  private points: Points;
  private table: SweepTable;
  private files: SweepFiles;
  private fields: MachineField[] = [];
  private describedOf = "";
  private readonly redraw = soon(() => this.paint());

  constructor(private page: Page, store: Store, messages: Messages, private hooks: ReproHooks) {
    this.points = new Points(page);
    this.table = new SweepTable(page, this.points, (f) => hooks.openPoint(f));
    this.files = new SweepFiles(page, this.points);
    this.runner = new Runner(page, store, messages, {
      jobs: () => this.points.left(),
      words: () => this.words(),
      came: (job, key, outcome) => {
        this.points.came(job, key, outcome);
        this.redraw();
      },
      failed: (job, fault) => {
        this.points.failed(job, fault);
        this.redraw();
      },
    });
    this.wire();
    this.measure.value = "speedup";
    this.box.append(this.about, this.presses(), this.form(), this.said,
      h("div", { class: "figure-bar" }, this.runner.box, this.saves(messages)), this.plot, this.table.element);
    new ResizeObserver(this.redraw).observe(this.plot);
  }

  private wire(): void {
    const set = (change: Partial<ReproSettings>): void => {
      Object.assign(this.page.settings.repro, change);
      this.page.emit("repro");
    };
    this.search.addEventListener("input", () => this.listPaths());
    this.path.addEventListener("change", () => set(this.varies(this.path.value, "")));
    this.path2.addEventListener("change", () => set({ vary2: this.path2.value, values2: this.path2.value && this.offered(this.path2.value) }));
    this.values.addEventListener("change", () => set({ values: this.values.value.slice(0, LONGEST_TEXT) }));
    this.values2.addEventListener("change", () => set({ values2: this.values2.value.slice(0, LONGEST_TEXT) }));
    this.both.addEventListener("change", () => set({ both: this.both.checked ? "1" : "" }));
    this.measure.addEventListener("change", this.redraw);
  }

  private varies(vary: string, which: "codecs" | "systems" | ""): { vary: string; values: string; both: string } {
    return { vary, values: which ? schemesOf(this.page, which) : this.offered(vary), both: vary === "memory.mag" ? "1" : "" };
  }

  private presses(): HTMLElement {
    const buttons = PRESSES.map(([words, path, which]) => {
      const press = (): void => {
        if (this.runner.running) return;
        Object.assign(this.page.settings.repro, this.varies(path, which), { vary2: "", values2: "", begin: true });
        this.page.emit("repro");
      };
      return button(words, press, { "data-press": words });
    });
    return h("div", { class: "tools presses" }, h("span", {}, "Compare on this program:"), ...buttons);
  }

  private form(): HTMLElement {
    const knob = (name: string, of: HTMLElement, wide = false): HTMLElement => h("label", { class: wide ? "knob grow" : "knob" }, h("span", {}, name), of);
    const form = h("div", { class: "sweep-form" },
      knob("settings with an effect here", this.search), knob("vary", this.path),
      knob("values: 4, 8, 16 or 4..32:4", this.values, true), this.bothLabel, knob("and", this.path2), this.values2Label,
      knob("show", this.measure));
    // On a phone the result comes before the form, which is folded.
    return h("details", { open: !matchMedia("(max-width: 43.74em)").matches }, h("summary", {}, "What varies"), form);
  }

  private saves(messages: Messages): HTMLElement {
    const saver = (label: string, make: () => unknown): HTMLElement => saveButton(messages, `sweep-${label.toLowerCase()}`, label, make);
    const picture = (): Picture => this.files.picture(this.panel(), this.isFront() ? this.drawFront(928, LIGHT) : undefined);
    const name = (ending: string): string => `${this.files.name()}.${ending}`;
    return h("span", { class: "saves" },
      saver("CSV", () => this.files.csv()),
      saver("JSON", () => this.files.json()),
      saver("SVG", () => save(picture().svg, name("svg"))),
      saver("PNG", async () => save(await png(picture(), this.files.stamp()), name("png"))),
      saver("LaTeX", () => this.files.tex(this.panel())));
  }

  draw(): void {
    void this.readMachine();
    this.listPaths();
    const s = this.page.settings.repro;
    this.both.checked = s.both === "1";
    if (document.activeElement !== this.values) this.values.value = s.values;
    if (document.activeElement !== this.values2) this.values2.value = s.values2;
    this.values2Label.hidden = s.vary2 === "";
    this.plan();
    if (s.begin && this.page.run.engineReady && !this.page.linkWaits) {
      s.begin = false;
      this.measure.value = s.vary === SCHEME ? FRONT : "speedup";
      this.runner.begin();
    }
    this.paint(); // at once: the line above names other schemes or another program
  }

  // readMachine asks what values the machine has, all of which can be varied.
  private async readMachine(): Promise<void> {
    const { preset } = this.page.settings.scenario.machine;
    if (!this.page.run.engineReady || this.describedOf === preset) return;
    this.describedOf = preset;
    const answer = await this.hooks.describe(sideScenario(this.page.settings.scenario, "B"));
    this.fields = (answer.fields ?? []).filter((f) => !f.derived);
    this.listPaths();
  }

  // listPaths offers the settings that have an effect here and match the search, and the chosen ones.
  private listPaths(): void {
    const s = this.page.settings.repro;
    const wanted = this.search.value.trim().toLowerCase();
    const matches = (p: { path: string; title: string }): boolean => `${p.path} ${p.title}`.toLowerCase().includes(wanted);
    const machine = this.fields.map((f) => ({ path: `${MACHINE}${f.path}`, title: `${f.path}${f.unit && `, ${f.unit}`}: ${f.value}` }));
    const known = activeOf(this.page);
    const fill = (select: HTMLSelectElement, value: string, none: boolean): void => {
      const first = known.filter((p) => matches(p) || p.path === value);
      const values = machine.filter((p) => matches(p) || p.path === value);
      if (value && ![...first, ...values].some((p) => p.path === value)) first.push({ path: value, title: value, values: "" });
      const signature = [...first, ...values].map((p) => `${p.path} ${p.title}`).join("\n");
      if (select.dataset["filled"] !== signature) {
        select.dataset["filled"] = signature;
        const option = (p: { path: string; title: string }): HTMLElement => h("option", { value: p.path }, p.title);
        select.replaceChildren(none ? h("option", { value: "" }, "nothing else") : "",
          h("optgroup", { label: "Scenario" }, ...first.map(option)), h("optgroup", { label: "Values of the machine" }, ...values.map(option)));
      }
      select.value = value;
    };
    fill(this.path, s.vary, false);
    fill(this.path2, s.vary2, true);
  }

  private offered(path: string): string {
    const known: Parameter | undefined = parametersOf(this.page).find((p) => p.path === path);
    if (known) return known.values;
    const field = this.fields.find((f) => `${MACHINE}${f.path}` === path);
    if (field?.choices?.length) return field.choices.join(", ");
    const n = Number(field?.value);
    return Number.isInteger(n) && n > 0 ? [...new Set([Math.ceil(n / 2), n, 2 * n])].join(", ") : (field?.value ?? "");
  }

  // plan says what is to be run, for the form as it stands.
  private plan(): void {
    const { page } = this;
    const s = page.settings.repro;
    const scenario = page.settings.scenario;
    if (page.linkWaits) {
      this.points.rows = [];
      this.points.jobs = new Map();
      text(this.about, "");
      return text(this.said, "The scenario of the link is read as soon as the engine is loaded.");
    }
    this.bothLabel.hidden = !s.vary.startsWith("memory.") && !s.vary2.startsWith("memory.");
    const wrong = this.points.plan();
    const of = this.points.names();
    const program = `${scenario.workload.name || "your program"} ${scenario.workload.size ?? ""} ${scenario.workload.data ?? ""}`.trim();
    const B = s.vary === SCHEME ? "" : `, B: ${of.B}`;
    text(this.about, `${program} on ${scenario.machine.preset}; A: ${of.A}${B}. Change the scenario in the simulator.`);
    const image = page.ownImage ? " The runs use the generated data, not your image." : "";
    const { rows, jobs } = this.points;
    const said = s.vary2 ? `${rows.length} points` : `${rows.length} values`;
    text(this.said, wrong ? `${wrong[0]!.toUpperCase()}${wrong.slice(1)}.` : `${said}, ${jobs.size} runs.${image}`);
  }

  private words(): string {
    const left = this.points.left().length;
    if (this.points.jobs.size === 0) return "Nothing to run";
    return left === 0 ? `All ${this.points.jobs.size} runs are computed` : `Run ${left} here`;
  }

  private isFront(): boolean {
    return this.measure.value === FRONT;
  }

  private chosen(): Measure {
    return measures().find((m) => m.name === this.measure.value) ?? measures()[0]!;
  }

  private drawFront(width: number, palette: Palette): SVGSVGElement {
    const { points } = this;
    const list = points.rows.flatMap((r): FrontPoint[] => {
      const error = points.metric("error", r.B);
      if (error === undefined) return [];
      const costs = COSTS.map((name) => {
        const [a, b] = [points.metric(name, r.A), points.metric(name, r.B)];
        return a && b !== undefined ? b / a : undefined;
      });
      return [{ title: r.title, error, costs }];
    });
    return frontChart(list, width, palette);
  }

  // panel is the chart of the chosen measure: bars or lines, or a map of two settings.
  private panel(): ChartPanel {
    const m = this.chosen();
    const of = this.points.names();
    const { vary, vary2 } = this.page.settings.repro;
    const { rows } = this.points;
    const none = (n: number): null[] => Array.from({ length: n }, () => null);
    const [firsts, seconds] = [[...new Set(rows.map((r) => r.value))], [...new Set(rows.map((r) => r.second))]];
    if (vary2) {
      const series = seconds.map((second) => {
        const values = rows.filter((r) => r.second === second).map((r) => this.points.of(m, r).B ?? null);
        return { label: second, values, paper: none(values.length) };
      });
      return { title: `${m.title}${m.over ? "" : " of B"}`, unit: m.unit, kind: "map", axis: `${vary}; rows: ${vary2}`, categories: firsts, series };
    }
    const series = (side: "A" | "B", label: string): ChartPanel["series"][number] => ({
      label, values: rows.map((r) => this.points.of(m, r)[side] ?? null), paper: none(rows.length),
    });
    const B = vary === SCHEME ? "B" : of.B;
    return {
      title: m.title, unit: m.unit, kind: "bars", axis: vary, categories: rows.map((r) => r.title),
      series: m.over ? [series("B", `${B} over ${of.A}`)] : [series("A", `A: ${of.A}`), series("B", vary === SCHEME ? "B" : `B: ${of.B}`)],
    };
  }

  private paint(): void {
    if (!this.box.isConnected) return;
    this.runner.draw();
    const wide = Math.max(280, this.plot.clientWidth);
    const palette = paletteOf(this.page);
    if (!this.points.some) this.plot.replaceChildren(h("p", { class: "note" }, "Not run yet: the chart appears with the first points."));
    else if (this.points.rows.length === 0) this.plot.replaceChildren();
    else if (this.isFront()) this.plot.replaceChildren(this.drawFront(wide, palette));
    else this.plot.replaceChildren(chart(this.panel(), { width: wide, palette, id: "sweep" }));
    this.table.draw();
  }
}
