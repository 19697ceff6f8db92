// A sweep of the reader's own: one value of the simulator's scenario takes several
// values, both schemes run at each, and a chart and a table show what follows.

import { assets } from "../lib/assets";
import { h, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { digits4 } from "../lib/format";
import type { Messages } from "../state/messages";
import type { Fault, MachineField } from "../protocol/protocol";
import { chart, DARK, LIGHT, type ChartPanel } from "./chart";
import { download, png } from "../lab/export";
import { csvOf, hereLink } from "../lib/files";
import { fileOf, save } from "./export";
import type { ReproHooks } from "./loader";
import { scenarioFragment } from "../links/permalink";
import { simulatorLink } from "./links";
import { labels, sideScenario, type Full, type Scenario } from "../protocol/scenario";
import type { Page } from "../state/page";
import { Runner } from "../sweep/runner";
import type { Job, Outcome } from "../sweep/pool";
import type { Store } from "../sweep/store";
import { measures, isPath, parametersOf, scenariosOf, valuesOf, varied, type Measure } from "./sweepvalues";
import { isDark } from "../state/theme";

interface Row {
  value: string;
  scenario: Full;
  A: string; // names of the two jobs
  B: string;
}

const nameOf = (s: Scenario): string => JSON.stringify(s);

export class SweepForm {
  readonly box = h("div", { class: "sweeper" });
  private about = h("p", { class: "words", id: "sweep-about" });
  private path = h("select", { id: "sweep-path" });
  private values = h("input", { class: "wide", id: "sweep-values", spellcheck: "false", autocomplete: "off" });
  private both = h("input", { type: "checkbox", id: "sweep-both" });
  private bothLabel = h("label", {}, this.both, "in A too");
  private measure = h("select", { id: "sweep-measure" }, ...measures().map((m) => h("option", { value: m.name }, m.title)));
  private said = h("p", { class: "note", id: "sweep-said", "aria-live": "polite" });
  private plot = h("div", { class: "scroller plotside", tabindex: 0, role: "group", "aria-label": "Chart of the sweep" });
  private table = h("table", { class: "numbers figure-table", id: "sweep-table" });
  private runner: Runner;
  private rows: Row[] = [];
  private jobs = new Map<string, Job>(); // by name
  private outcomes = new Map<string, { key: string; outcome: Outcome }>();
  private faults = new Map<string, Fault>();
  private fields: MachineField[] = [];
  private describedOf = "";
  private readonly redraw = soon(() => this.paint());

  constructor(private page: Page, store: Store, messages: Messages, private hooks: ReproHooks) {
    this.runner = new Runner(page, store, messages, {
      jobs: () => [...this.jobs].filter(([name]) => !this.outcomes.has(name) && !this.faults.has(name)).map(([, job]) => job),
      words: () => this.words(),
      came: (job, key, outcome) => {
        this.outcomes.set(nameOf(job.scenario), { key, outcome });
        this.redraw();
      },
      failed: (job, fault) => {
        this.faults.set(nameOf(job.scenario), fault);
        this.redraw();
      },
    });
    this.path.addEventListener("change", () => {
      const s = page.settings.repro;
      s.vary = this.path.value;
      s.values = this.offered(s.vary);
      s.both = s.vary === "memory.mag" ? "1" : "";
      page.emit("repro");
    });
    this.values.addEventListener("change", () => {
      page.settings.repro.values = this.values.value.slice(0, 200);
      page.emit("repro");
    });
    this.both.addEventListener("change", () => {
      page.settings.repro.both = this.both.checked ? "1" : "";
      page.emit("repro");
    });
    this.measure.addEventListener("change", this.redraw);
    const button = (label: string, act: () => void | Promise<void>): HTMLElement => {
      const b = h("button", { type: "button", id: `sweep-${label.toLowerCase()}` }, label);
      b.addEventListener("click", () => void Promise.resolve(act()).catch((e: unknown) => messages.show("repro-export", { what: "The file could not be made:", where: `${String(e)}.`, mend: "Choose another file type." })));
      return b;
    };
    const knob = (name: string, of: HTMLElement, wide = false): HTMLElement => h("label", { class: wide ? "knob grow" : "knob" }, h("span", {}, name), of);
    this.box.append(
      this.about,
      h("div", { class: "sweep-form" }, knob("vary", this.path), knob("values: 4, 8, 16 or 4..32:4", this.values, true), this.bothLabel, knob("show", this.measure)),
      this.said,
      h(
        "div",
        { class: "figure-bar" },
        this.runner.box,
        h("span", { class: "saves" }, button("CSV", () => this.saveCSV()), button("JSON", () => this.saveJSON()), button("SVG", () => save(this.file().svg, "image/svg+xml", `${this.name()}.svg`)), button("PNG", async () => download(await png(this.file(), this.stamp()), `${this.name()}.png`))),
      ),
      this.plot,
      h("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": "Table of the sweep" }, this.table),
    );
    new ResizeObserver(this.redraw).observe(this.plot);
  }

  draw(): void {
    void this.readMachine();
    this.listPaths();
    const s = this.page.settings.repro;
    this.path.value = s.vary;
    this.both.checked = s.both === "1";
    if (document.activeElement !== this.values) this.values.value = s.values;
    this.plan();
    this.redraw();
  }

  // readMachine asks what values the machine has, all of which can be varied.
  private async readMachine(): Promise<void> {
    const { preset } = this.page.settings.scenario.machine;
    if (!this.page.run.engineReady || this.describedOf === preset) return;
    this.describedOf = preset;
    const answer = await this.hooks.describe(sideScenario(this.page.settings.scenario, "B"));
    this.fields = (answer.fields ?? []).filter((f) => !f.derived);
    this.listPaths();
    this.path.value = this.page.settings.repro.vary;
  }

  private listPaths(): void {
    const s = this.page.settings.repro;
    const known = parametersOf(this.page);
    const machine = this.fields.map((f) => ({ path: `machine.overrides.${f.path}`, title: `${f.path}, ${f.unit || "word"}: ${f.value}` }));
    const all = [...known, ...machine];
    if (!all.some((p) => p.path === s.vary)) known.push({ path: s.vary, title: s.vary, values: s.values });
    const signature = [...known, ...machine].map((p) => p.title).join("\n");
    if (this.path.dataset["filled"] === signature) return;
    this.path.dataset["filled"] = signature;
    const option = (p: { path: string; title: string }): HTMLElement => h("option", { value: p.path }, p.title);
    this.path.replaceChildren(h("optgroup", { label: "Scenario" }, ...known.map(option)), h("optgroup", { label: "Values of the machine" }, ...machine.map(option)));
  }

  private offered(path: string): string {
    const known = parametersOf(this.page).find((p) => p.path === path);
    if (known) return known.values;
    const field = this.fields.find((f) => `machine.overrides.${f.path}` === path);
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
      this.rows = [];
      this.jobs = new Map();
      text(this.about, "");
      return text(this.said, "The scenario of the link is read as soon as the engine is loaded.");
    }
    this.bothLabel.hidden = !s.vary.startsWith("memory.");
    const list = isPath(s.vary) ? valuesOf(s.values) : `“${s.vary.slice(0, 40)}” is not a path of a scenario`;
    this.rows = [];
    const wanted = new Map<string, Job>();
    if (typeof list !== "string") {
      for (const value of list) {
        const at = varied(page, scenario, s.vary, value, this.both.checked);
        const { A, B } = scenariosOf(at);
        this.rows.push({ value, scenario: at, A: nameOf(A), B: nameOf(B) });
        for (const one of [A, B]) wanted.set(nameOf(one), { key: "", scenario: one, traffic: false });
      }
    }
    this.jobs = wanted;
    const of = labels(scenario);
    text(this.about, `${scenario.workload.name || "your program"} ${scenario.workload.size ?? ""} ${scenario.workload.data ?? ""} on ${scenario.machine.preset}; A: ${of.A}, B: ${of.B}. Change the scenario in the simulator. The sweep replaces one of its values.`);
    text(this.said, typeof list === "string" ? `${list[0]!.toUpperCase()}${list.slice(1)}.` : `${list.length} values, ${wanted.size} runs.${page.ownImage ? " The runs use the generated data, not your image." : ""}`);
  }

  private words(): string {
    const left = [...this.jobs.keys()].filter((name) => !this.outcomes.has(name) && !this.faults.has(name)).length;
    if (this.jobs.size === 0) return "Nothing to run";
    return left === 0 ? `All ${this.jobs.size} runs are computed` : `Run ${left} here`;
  }

  private of(m: Measure, row: Row): { A: number | undefined; B: number | undefined } {
    const one = (name: string): number | undefined => {
      const r = this.outcomes.get(name)?.outcome.result;
      const v = r ? m.of(r) : NaN;
      return Number.isFinite(v) ? v : undefined;
    };
    const [A, B] = [one(row.A), one(row.B)];
    if (!m.over) return { A, B };
    return { A: undefined, B: A !== undefined && B !== undefined && A !== 0 ? B / A : undefined };
  }

  private chosen(): Measure {
    return measures().find((m) => m.name === this.measure.value) ?? measures()[0]!;
  }

  private panel(): ChartPanel {
    const m = this.chosen();
    const of = labels(this.page.settings.scenario);
    const path = this.page.settings.repro.vary;
    const series = (side: "A" | "B", label: string): ChartPanel["series"][number] => ({
      label, values: this.rows.map((r) => this.of(m, r)[side] ?? null), paper: this.rows.map(() => null),
    });
    return {
      title: m.title, unit: m.unit, kind: "bars", axis: path, categories: this.rows.map((r) => r.value),
      series: m.over ? [series("B", `${of.B} over ${of.A}`)] : [series("A", `A: ${of.A}`), series("B", `B: ${of.B}`)],
    };
  }

  private paint(): void {
    if (!this.box.isConnected) return;
    this.runner.draw();
    const wide = Math.min(this.plot.clientWidth, 960);
    const some = [...this.jobs.keys()].some((name) => this.outcomes.has(name));
    if (!some) this.plot.replaceChildren(h("p", { class: "note" }, "The chart appears with the first points."));
    else if (this.rows.length > 0 && wide > 0) this.plot.replaceChildren(chart(this.panel(), { width: Math.max(280, wide), palette: isDark(this.page) ? DARK : LIGHT, id: "sweep" }));
    else this.plot.replaceChildren();
    const focused = document.activeElement instanceof HTMLElement && this.table.contains(document.activeElement) ? document.activeElement.dataset["key"] : undefined;
    this.table.replaceChildren(
      h("caption", { class: "vh" }, "Every measure at every value"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, this.page.settings.repro.vary), ...measures().flatMap((m) => (m.over ? [m.title.replace(" of B over A", ", B/A")] : [`A: ${m.title.toLowerCase()}`, `B: ${m.title.toLowerCase()}`])).map((t) => h("th", { scope: "col" }, t)), h("th", { scope: "col" }, "results"))),
      h("tbody", {}, ...this.rows.map((r) => this.row(r))),
    );
    if (focused) this.table.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  private row(r: Row): HTMLElement {
    const link = simulatorLink(scenarioFragment(this.page, r.scenario), (f) => this.hooks.openPoint(f), r.value, "open this point in the simulator");
    link.dataset["key"] = r.value;
    const head = h("th", { scope: "row" }, link);
    const fault = this.faults.get(r.B) ?? this.faults.get(r.A);
    if (fault) return h("tr", { class: "refused" }, head, h("td", { colspan: 13, class: "bad" }, [fault.where, fault.what, fault.mend].filter(Boolean).join(": ")));
    const cells = measures().flatMap((m) => {
      const v = this.of(m, r);
      return (m.over ? [v.B] : [v.A, v.B]).map((x) => h("td", { "data-measure": m.name }, x === undefined ? "–" : digits4(x)));
    });
    const hashes = ([r.A, r.B] as const).map((n) => this.outcomes.get(n)?.outcome.hash);
    return h("tr", { "data-value": r.value }, head, ...cells, h("td", { class: "mono", title: hashes.filter(Boolean).join(" ") }, hashes.map((x) => x?.slice(0, 8) ?? "–").join(" ")));
  }

  // --- files ---

  private name(): string {
    return `burstscope-sweep-${this.page.settings.repro.vary.replace(/[^\w.-]+/g, "-")}`;
  }

  private stamp(): string[] {
    const s = this.page.settings.scenario;
    const of = labels(s);
    return [`Burstscope ${assets.version}, sweep of ${this.page.settings.repro.vary}`, `${s.workload.name} ${s.workload.size ?? ""} ${s.workload.data ?? ""}, ${s.machine.preset}, seed ${s.seed}`, `A: ${of.A}`, `B: ${of.B}`, hereLink()];
  }

  private hashOf(name: string): { scenario: string; result: string } {
    const o = this.outcomes.get(name);
    return { scenario: o?.key ?? "", result: o?.outcome.hash ?? "" };
  }

  private saveCSV(): void {
    const head = ["value", ...measures().flatMap((m) => (m.over ? [m.name] : [`${m.name}A`, `${m.name}B`])), "scenarioA", "scenarioB", "resultA", "resultB"];
    const rows = this.rows.map((r) => {
      const [a, b] = [this.hashOf(r.A), this.hashOf(r.B)];
      return [r.value, ...measures().flatMap((m) => (m.over ? [this.of(m, r).B] : [this.of(m, r).A, this.of(m, r).B])), a.scenario, b.scenario, a.result, b.result];
    });
    save(csvOf(this.stamp(), head, rows), "text/csv", `${this.name()}.csv`);
  }

  private saveJSON(): void {
    const side = (name: string): unknown => ({ scenario: JSON.parse(name) as unknown, scenarioHash: this.hashOf(name).scenario, resultHash: this.hashOf(name).result, result: this.outcomes.get(name)?.outcome.result ?? null });
    const points = this.rows.map((r) => ({ value: r.value, A: side(r.A), B: side(r.B) }));
    save(JSON.stringify({ version: assets.version, link: hereLink(), vary: this.page.settings.repro.vary, schemes: labels(this.page.settings.scenario), points }, null, 1), "application/json", `${this.name()}.json`);
  }

  private file(): { svg: string; width: number; height: number } {
    const hashes = this.rows.map((r) => `${r.value}: ${this.hashOf(r.A).result.slice(0, 8) || "–"} ${this.hashOf(r.B).result.slice(0, 8) || "–"}`);
    return fileOf(`Sweep of ${this.page.settings.repro.vary}`, [...this.stamp(), `results of A and B at ${hashes.slice(0, 6).join(", ")}${hashes.length > 6 ? " …" : ""}`], [this.panel()]);
  }
}
