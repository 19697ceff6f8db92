// The study of programs on f16, bf16, fp8 and int8 data: a table of programs and codecs, shaded by
// what a codec gains or costs, and one of the best codec of each program. Every cell opens its run.

import { csvOf, hereLink, save } from "../lib/files";
import { button, h, text } from "../lib/dom";
import { fill, row } from "../lib/table";
import { count, ratio, significant } from "../lib/format";
import { codecTitle } from "../protocol/tables";
import type { Scenario } from "../protocol/scenario";
import { FORMAT_MACHINES, FORMAT_METRICS, MAGS } from "../state/reproduction";
import type { Page } from "../state/page";
import type { FormatRun } from "./data";
import { fragmentOfRuns, simulatorLink } from "./links";

type Metric = (typeof FORMAT_METRICS)[number];

const LOSSY = "tslc-opt";
const UNDER = "e2mc16"; // the codec that it approximates over
const NONE = "none";

// signed writes a change in per cent, with a sign.
function signed(change: number): string {
  const words = Math.abs(100 * change).toFixed(1);
  return `${change < 0 && Number(words) > 0 ? "\u2212" : "+"}${words}`;
}

interface Measure {
  title: string;
  about: string;
  of: (run: FormatRun, none: FormatRun) => number;
  write: (v: number) => string;
  gain: (v: number) => number; // above 0: a gain, below: a loss; 1 is shaded most
}

const change = (key: "dramBytes" | "cycles" | "joules"): Pick<Measure, "of" | "write" | "gain"> => ({
  of: (run, none) => run[key] / none[key] - 1,
  write: signed,
  gain: (v) => -v / 0.35,
});
const ratioOf = (key: "compressionRatioRaw" | "compressionRatioEffective"): Pick<Measure, "of" | "write" | "gain"> => ({ of: (run) => run[key], write: ratio, gain: (v) => v - 1 });

const MEASURES: Record<Metric, Measure> = {
  effective: { title: "effective ratio", about: "128 B divided by the bursts that a block takes, of all blocks that moved", ...ratioOf("compressionRatioEffective") },
  raw: { title: "raw ratio", about: "bits of all blocks that moved, divided by bits of their codes", ...ratioOf("compressionRatioRaw") },
  bytes: { title: "bytes moved, %", about: "against no compression, metadata included", ...change("dramBytes") },
  cycles: { title: "cycles, %", about: "against no compression", ...change("cycles") },
  energy: { title: "energy, %", about: "against no compression", ...change("joules") },
  error: { title: "error", about: "NRMSE of the program's output; lossless codecs have none", of: (run) => run.error, write: (v) => significant(v, 2), gain: (v) => -v / 0.03 },
  metadata: { title: "metadata, %", about: "share of the bytes moved that says how many bursts blocks have", of: (run) => (run.burstsMetadata * run.mag) / run.dramBytes, write: (v) => (100 * v).toFixed(1), gain: (v) => -v / 0.3 },
};

const nameOf = (run: FormatRun): string => `${run.program}, ${run.data}`;

// scenarioOf is the scenario of a run, whose settings are those of the study (core/workload/FORMATS.md).
function scenarioOf(run: FormatRun): Scenario {
  const lossy = run.codec === LOSSY;
  return {
    version: 1,
    machine: { preset: run.preset },
    workload: { name: run.program, size: run.size, data: run.data },
    memory: {
      codec: lossy ? UNDER : run.codec, approximation: lossy ? LOSSY : NONE, mag: run.mag, threshold: run.mag / 2, probabilities: "offline", decodingWays: 4,
    },
    seed: 1,
  };
}

export class FormatsView {
  readonly box = h("div", { class: "formats" });
  private machine = h("select", { id: "formats-machine" }, ...FORMAT_MACHINES.map((v) => h("option", { value: v }, v)));
  private mag = h("select", { id: "formats-mag" }, ...MAGS.map((v) => h("option", { value: v }, `${v} B`)));
  private metric = h("select", { id: "formats-metric" }, ...FORMAT_METRICS.map((v) => h("option", { value: v }, MEASURES[v].title)));
  private words = h("p", { class: "words" });
  private about = h("p", { class: "note", id: "formats-about" });
  private table = h("table", { class: "numbers figure-table", id: "formats-table" });
  private best = h("table", { class: "numbers figure-table", id: "formats-best" });
  private programs: string[];
  private codecs: string[];

  constructor(private page: Page, private runs: FormatRun[], private open: (fragment: string) => void) {
    this.programs = [...new Set(runs.map(nameOf))];
    this.codecs = [...new Set(runs.map((r) => r.codec))].filter((c) => c !== NONE);
    const choose = (select: HTMLSelectElement, key: "machine" | "mag" | "metric"): void =>
      select.addEventListener("change", () => {
        page.settings.repro[key] = select.value;
        page.emit("repro");
      });
    choose(this.machine, "machine");
    choose(this.mag, "mag");
    choose(this.metric, "metric");
    const csv = button("CSV", () => this.save(), { id: "formats-csv" });
    const scroller = (label: string, table: HTMLElement): HTMLElement => h("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": label }, table);
    this.box.append(
      this.words,
      h("div", { class: "tools" }, h("label", {}, "machine", this.machine), h("label", {}, "MAG", this.mag), h("label", {}, "figure", this.metric), h("span", { class: "saves" }, csv)),
      this.about,
      scroller("Table: programs and codecs", this.table),
      h("h2", { class: "figure-title" }, "The lossless codec that moves the fewest bytes, and the lossy one"),
      scroller("Table: the best codec of each program", this.best),
      h("ul", { class: "words" },
        h("li", {}, "Codecs for words of 32 bits see two or four numbers in a word, whose low bits are random: they gain only where numbers repeat."),
        h("li", {}, "What there is lies in the exponents. With a MAG of 64 B it saves a burst only if a block fits into half its size."),
        h("li", {}, "A codec that gains nothing still costs its metadata, most in programs as small as these. Few bytes are not few cycles: these sizes wait for latency, and a decoder adds to it."),
      ),
    );
  }

  draw(): void {
    const { machine, mag, metric } = this.page.settings.repro;
    this.machine.value = machine;
    this.mag.value = mag;
    this.metric.value = metric;
    const measure = MEASURES[metric as Metric];
    const { runs } = this;
    text(
      this.words,
      `${count(runs.length)} runs of ${new Set(runs.map((r) => r.program)).size} programs on f16, bf16, fp8 and int8 data, on the presets ${FORMAT_MACHINES.join(" and ")}: without compression, under every lossless codec, and under ` +
        `${codecTitle(LOSSY)} over ${codecTitle(UNDER)} with a threshold of half the MAG. The data are drawn from published statistics, with seed 1; none is a model's own. A number opens its run in the simulator, beside one without compression.`,
    );
    text(this.about, `${measure.title[0]!.toUpperCase()}${measure.title.slice(1)}: ${measure.about}. Blue is a gain, orange a loss.`);
    fill(
      this.table, ["program, data", ...this.codecs.map(codecTitle)],
      this.programs.map((name) => row({}, name, ...this.codecs.map((c) => this.cell(this.find(name, c), measure)))),
      h("caption", { class: "vh" }, `${measure.title} of each program and codec on ${machine} at a MAG of ${mag} B`),
    );
    this.drawBest();
  }

  private find(name: string, codec: string): FormatRun {
    const { machine, mag } = this.page.settings.repro;
    return this.runs.find((r) => r.preset === machine && nameOf(r) === name && r.codec === codec && String(r.mag) === mag)!;
  }

  private cell(run: FormatRun, measure: Measure): HTMLElement {
    const none = this.find(nameOf(run), NONE);
    const value = measure.of(run, none);
    const by = Math.max(-1, Math.min(1, measure.gain(value)));
    const words = `${nameOf(run)}, size ${count(run.size)}, ${codecTitle(run.codec)}, MAG ${run.mag} B, ${run.preset}: open this run in the simulator`;
    const td = h("td", { class: by > 0 ? "gain" : by < 0 ? "loss" : "" }, simulatorLink(fragmentOfRuns(this.page, scenarioOf(run), scenarioOf(none)), this.open, measure.write(value), words));
    td.style.setProperty("--by", `${(45 * Math.abs(by)).toFixed(0)}%`);
    return td;
  }

  private drawBest(): void {
    const { machine, mag } = this.page.settings.repro;
    const shown: Metric[] = ["bytes", "cycles", "energy", "metadata"];
    const lossyShown: Metric[] = ["bytes", "cycles", "energy", "error"];
    const head = (keys: Metric[]): HTMLElement[] => keys.map((k) => h("th", { scope: "col" }, MEASURES[k].title));
    this.best.replaceChildren(
      h("caption", { class: "vh" }, `Change against no compression on ${machine} at a MAG of ${mag} B, in per cent`),
      h("thead", {},
        h("tr", {}, h("td", {}), h("td", {}), h("th", { scope: "colgroup", colspan: shown.length }, "fewest bytes"), h("th", { scope: "colgroup", colspan: lossyShown.length }, codecTitle(LOSSY))),
        h("tr", {}, h("th", { scope: "col" }, "program, data"), h("th", { scope: "col" }, "codec"), ...head(shown), ...head(lossyShown)),
      ),
      h("tbody", {},
        ...this.programs.map((name) => {
          const lossless = this.codecs.filter((c) => c !== LOSSY).map((c) => this.find(name, c));
          const best = lossless.reduce((a, b) => (b.dramBytes < a.dramBytes ? b : a));
          const lossy = this.find(name, LOSSY);
          return row({}, name, codecTitle(best.codec), ...shown.map((k) => this.cell(best, MEASURES[k])), ...lossyShown.map((k) => this.cell(lossy, MEASURES[k])));
        }),
      ),
    );
  }

  private save(): void {
    const columns = Object.keys(this.runs[0]!) as (keyof FormatRun)[];
    const comments = ["Burstscope: programs on f16, bf16, fp8 and int8 data under all codecs", `threshold half the MAG, ${LOSSY} over ${UNDER}, seed 1`, hereLink()];
    save(csvOf(comments, columns, this.runs.map((r) => columns.map((c) => r[c]))), "burstscope-formats.csv");
  }
}
