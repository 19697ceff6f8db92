// Live estimates: while MAG, threshold, codec or ways change, the engine codes the blocks of the last run
// under the new settings. What is shown is marked as an estimate until the run itself has come.

import { byId, h, text } from "../lib/dom";
import { keep, kept } from "../lib/keep";
import { fill, row } from "../lib/table";
import { soon } from "../lib/turns";
import { count, percent, ratio } from "../lib/format";
import type { AskEstimate, Estimated } from "../protocol/estimate";
import { SIDES, type Result, type Side } from "../protocol/protocol";
import { KNOBS, memoryOf, optionsOf, sideScenario, type Full, type Knob, type Memory } from "../protocol/scenario";
import { isLocked, scenarioPath } from "../state/locks";
import { counter } from "../state/metrics";
import type { Page } from "../state/page";

export interface EstimateHooks {
  estimate: AskEstimate;
  turn(path: string, value: string): void;
  run(): void;
}

// The run begins when a slider has rested for so long: a drag that goes on must not start it.
const REST_MS = 700;
const AUTOMATIC = "burstscope-run-after-drag";

// ESTIMATED are the settings of a scheme that change how blocks are coded, and hardly which blocks move.
const ESTIMATED: readonly (keyof Memory)[] = ["codec", "approximation", "mag", "threshold", "decodingWays", "header", "latency"];
const SLIDERS: readonly { setting: keyof Memory; title: string }[] = [
  { setting: "codec", title: "codec" },
  { setting: "approximation", title: "approximation" },
  { setting: "mag", title: "MAG" },
  { setting: "threshold", title: "threshold" },
  { setting: "decodingWays", title: "ways" },
];

interface Row {
  title: string;
  of(e: Estimated): number;
  run?(r: Result): number | undefined;
  text(v: number): string;
}

const ROWS: readonly Row[] = [
  { title: "effective ratio", of: (e) => e.ratio, run: (r) => counter(r, "compressionRatioEffective"), text: ratio },
  { title: "raw ratio", of: (e) => e.rawRatio, run: (r) => counter(r, "compressionRatioRaw"), text: ratio },
  { title: "bursts moved", of: (e) => e.burstsRead + e.burstsWritten, run: (r) => sum(counter(r, "burstsRead"), counter(r, "burstsWritten")), text: count },
  { title: "approximated", of: (e) => e.lossyShare, run: (r) => counter(r, "lossyShare"), text: (v) => (v === 0 ? "0" : percent(v)) },
  { title: "error of stored data", of: (e) => e.storedError, text: (v) => (v === 0 ? "0" : percent(v)) },
];

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

export function startEstimate(page: Page, hooks: EstimateHooks): void {
  new Estimates(page, hooks);
}

class Estimates {
  private box = byId("estimate");
  private sliders = h("div", { class: "sliders" });
  private table = h("table", { class: "estimated", hidden: true });
  private words = h("p", { class: "note", id: "estimate-words", "aria-live": "polite" });
  private automatic = h("input", { type: "checkbox", id: "run-after-drag" });
  private asked = ""; // the settings of the latest question
  private of: Full | undefined; // the settings of the estimate on show
  private rest = 0; // timer

  constructor(
    private page: Page,
    private hooks: EstimateHooks,
  ) {
    this.automatic.checked = wanted();
    this.automatic.addEventListener("change", () => keep(AUTOMATIC, this.automatic.checked ? "yes" : "no"));
    const details = h("details", { id: "drag" },
      h("summary", {}, "Drag for an estimate"),
      this.sliders,
      h("label", { class: "row" }, this.automatic, h("span", {}, "run when the slider rests")),
    );
    this.box.append(details, this.table, this.words);
    const draw = soon(() => this.drawSliders());
    details.addEventListener("toggle", () => {
      draw();
      if (details.open) this.box.scrollIntoView({ block: "start" }); // what the sliders change stands below them
    });
    page.on(["scenario", "tab", "lists", "run"], draw);
    page.on(["scenario"], () => this.changed());
    page.on(["results"], () => this.arrived());
    page.on(["estimate"], () => this.draw());
  }

  // changed asks for an estimate of settings that differ from the results only where an estimate is possible.
  private changed(): void {
    const { page } = this;
    const { scenario } = page.settings;
    const sides = this.differing();
    const key = JSON.stringify(scenario);
    if (sides.length === 0) {
      this.asked = "";
      this.show(undefined, undefined);
      return;
    }
    if (key === this.asked) return;
    this.asked = key;
    const of = structuredClone(scenario);
    this.hooks.estimate(Object.fromEntries(sides.map((side) => [side, sideScenario(of, side)])), (a) => {
      if (JSON.stringify(page.settings.scenario) !== key) return;
      const found: Partial<Record<Side, Estimated>> = {};
      for (const side of sides) {
        const e = a.sides[side];
        if (e && "ratio" in e) found[side] = e;
      }
      if (Object.keys(found).length > 0) text(this.words, "");
      this.show(found, of);
    });
  }

  // differing are the sides that can be estimated: nothing else may have changed.
  private differing(): Side[] {
    const { results, settings, image } = this.page;
    if (!results.ran || !this.page.changed || image !== results.origin.image) return [];
    const rest = (s: Full): string => {
      const c = structuredClone(s);
      for (const side of SIDES) for (const f of ESTIMATED) delete (memoryOf(c, side) as Partial<Memory>)[f];
      return JSON.stringify(c);
    };
    if (rest(settings.scenario) !== rest(results.scenario)) return [];
    return SIDES.filter((side) => JSON.stringify(memoryOf(settings.scenario, side)) !== JSON.stringify(memoryOf(results.scenario, side)));
  }

  private show(found: Partial<Record<Side, Estimated>> | undefined, of: Full | undefined): void {
    if (!found && !this.page.estimate) return;
    this.page.estimate = found && Object.keys(found).length > 0 ? found : undefined;
    this.of = this.page.estimate ? of : undefined;
    this.page.emit("estimate");
  }

  // arrived compares the estimate on show with the run that has come for its settings.
  private arrived(): void {
    const { results, estimate } = this.page;
    if (results.of !== "run" || !results.A || !results.B || !estimate || !this.of) return;
    if (JSON.stringify(results.scenario) !== JSON.stringify(this.of)) return this.changed();
    const said = SIDES.flatMap((side) => {
      const e = estimate[side];
      const run = ROWS[0]!.run!(results[side]!);
      if (!e || !run) return [];
      const off = Math.abs(e.ratio / run - 1);
      return [`${side}: estimate was ${ratio(e.ratio)}, run ${ratio(run)} (${off === 0 ? "0 %" : percent(off)} off)`];
    });
    this.asked = "";
    this.show(undefined, undefined);
    text(this.words, said.length > 0 ? `Effective ratio, ${said.join("; ")}.` : "");
  }

  private draw(): void {
    const { table, page } = this;
    const { estimate, results } = page;
    table.hidden = !estimate;
    if (!estimate) return;
    const sides = SIDES.filter((side) => estimate[side]);
    const cells = (row: Row): HTMLElement[] =>
      sides.flatMap((side) => {
        const [e, r] = [estimate[side]!, results[side]];
        const before = r && row.run?.(r);
        return [
          h("td", { class: "num" }, before === undefined ? "" : row.text(before)),
          h("td", { class: "num" }, h("span", { "aria-hidden": "true" }, "≈"), h("span", { class: "vh" }, "estimate "), row.text(row.of(e))),
        ];
      });
    const bars = sides.map((side) => estimate[side]!).filter((e) => e.burstsBar > 0).map((e) => percent(e.burstsBar / (e.burstsRead + e.burstsWritten)));
    fill(
      table,
      [h("span", { class: "vh" }, "figure"), ...sides.flatMap((side) => [`${side}, run`, `${side}, estimate`])],
      ROWS.map((r) => row({}, r.title, ...cells(r))),
      h("caption", {}, h("b", {}, "Estimate"), ` of the changed settings, not a result${bars.length > 0 ? ` (sampled: bursts ± ${bars.join(", ")})` : ""}`),
    );
  }

  private drawSliders(): void {
    const { page } = this;
    if (!this.sliders.closest("details")!.open) return;
    const { side, scenario } = page.settings;
    const rows = SLIDERS.map(({ setting, title }) => {
      const knob = KNOBS.find((k) => k.path === `${side}.memory.${setting}`)!;
      const id = `drag-${setting}`;
      const row = byIdOr(id, () => this.slider(id, setting));
      const input = row.querySelector("input")!;
      const values = valuesOf(knob, scenario, page);
      const at = Math.max(0, values.indexOf(knob.get(scenario)));
      input.max = String(values.length - 1);
      if (input.valueAsNumber !== at) input.value = String(at);
      input.disabled = page.run.held || isLocked(page, scenarioPath(knob.path)) || (knob.idle?.(scenario) ?? false);
      const shown = optionsOf(knob, scenario, page.catalogue.lists).find((o) => o.value === values[at])?.text ?? values[at] ?? "";
      const unit = setting === "mag" || setting === "threshold" ? "\u202fB" : "";
      input.setAttribute("aria-label", `${side}: ${title}`);
      input.setAttribute("aria-valuetext", shown + unit);
      text(row.querySelector("span")!, `${side}: ${title}`);
      text(row.querySelector("output")!, shown + unit);
      return row;
    });
    if (this.sliders.childElementCount === 0) this.sliders.append(...rows);
  }

  private slider(id: string, setting: keyof Memory): HTMLElement {
    const input = h("input", { type: "range", min: 0, step: 1 });
    const knob = (): Knob => KNOBS.find((k) => k.path === `${this.page.settings.side}.memory.${setting}`)!;
    input.addEventListener("input", () => {
      clearTimeout(this.rest);
      const value = valuesOf(knob(), this.page.settings.scenario, this.page)[input.valueAsNumber];
      if (value !== undefined) this.hooks.turn(knob().path, value);
      this.drawSliders();
    });
    // The drag, or the last key, is over: the run follows.
    input.addEventListener("change", () => {
      clearTimeout(this.rest);
      if (!this.automatic.checked) return;
      this.rest = window.setTimeout(() => {
        if (this.page.changed && this.page.estimate) this.hooks.run();
      }, REST_MS);
    });
    return h("label", { id }, h("span"), input, h("output"));
  }
}

function byIdOr(id: string, make: () => HTMLElement): HTMLElement {
  return document.getElementById(id) ?? make();
}

// valuesOf are the stops of a slider. A threshold goes to the MAG.
function valuesOf(knob: Knob, s: Full, page: Page): string[] {
  if (knob.kind !== "number") return optionsOf(knob, s, page.catalogue.lists).map((o) => o.value);
  const { mag } = memoryOf(s, knob.path.startsWith("A") ? "A" : "B");
  return Array.from({ length: mag + 1 }, (_, i) => String(i));
}

// wanted is what was chosen on an earlier visit; else the run follows, unless the reader saves data.
function wanted(): boolean {
  const chosen = kept(AUTOMATIC);
  if (chosen) return chosen === "yes";
  return !(navigator as { connection?: { saveData?: boolean } }).connection?.saveData;
}
