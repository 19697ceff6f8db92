// The programs on a GPU and on the preset of that GPU: a chart of simulated against
// measured time, and the same as a table. Both axes are logarithmic, so a distance from the
// diagonal is a ratio.

import { dashed, END, LIVE, Plot, scale, type Scale } from "../drawing/plot";
import { h, stepped, svg, text } from "../lib/dom";
import { makeTable, row } from "../lib/table";
import { count, ratio, seconds } from "../lib/format";
import type { Silicon, SiliconCase, SiliconSummary } from "./data";

// Sizes in units of the drawing, which scales to the width of its box. A narrow window gets a
// small drawing, so that its words stay legible.
const NARROW = window.matchMedia("(max-width: 43.74em)").matches;
const [WIDTH, HEIGHT] = NARROW ? [360, 380] : [640, 560];
const [LEFT, TOP, RIGHT, BOTTOM] = [74, 14, 26, 56];
const RADIUS = 4.5;
const REACH = 26; // a pointer this close names a point
const LABEL_HEIGHT = 38;
const CHAR = 6.9; // width of a character of 12 px, on average

const nanoseconds = (ns: number): string => seconds(ns / 1e9);

// words names a case with its figures, for labels and readers.
function words(c: SiliconCase): string {
  return `${c.name}, size ${count(c.size)}: measured ${nanoseconds(c.measured)}, simulated ${nanoseconds(c.simulated)}, ratio ${ratio(c.simulated / c.measured)}`;
}

// summaries is the figures over all programs and over the long ones.
function summaries(s: Silicon): HTMLElement {
  const line = (id: string, name: string, of: SiliconSummary): HTMLElement => row(
    { id }, `${name} (${count(of.cases)})`, `${(100 * of.meanError).toFixed(1)}\u202f%`,
    of.correlation.toFixed(4), of.logCorrelation.toFixed(4),
  );
  return makeTable(
    { class: "numbers silicon-figures" }, ["runs", "mean absolute error", "correlation", "of logarithms"],
    [line("silicon-all", "all", s.programs), line("silicon-long", "not bound by launches", s.longPrograms)],
    h("caption", { class: "vh" }, "How far simulated times are from measured ones"),
  );
}

export class SiliconView {
  readonly box = h("div", { class: "silicon" });
  private cases: SiliconCase[];
  private low: number; // decades of both axes
  private high: number;
  private x: Scale;
  private y: Scale;
  private marks: SVGElement[];
  private label = svg("g", { class: "silicon-label", "aria-hidden": "true" });
  private said = h("p", { class: "note", id: "silicon-said", "aria-live": "polite" });
  private plot: SVGElement;
  private at = -1;

  constructor(s: Silicon) {
    this.cases = [...s.cases].sort((a, b) => a.measured - b.measured);
    const all = this.cases.flatMap((c) => [c.measured, c.simulated]);
    this.low = Math.floor(Math.log10(Math.min(...all)) * 2) / 2;
    this.high = Math.ceil(Math.log10(Math.max(...all)) * 2) / 2;
    const ends = [10 ** this.low, 10 ** this.high] as const;
    this.x = scale(...ends, LEFT, WIDTH - RIGHT, Math.log10);
    this.y = scale(...ends, HEIGHT - BOTTOM, TOP, Math.log10);
    this.marks = this.cases.map((c, i) => this.mark(c, i));
    this.plot = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "listbox", tabindex: 0, id: "silicon-plot", "aria-label": "Programs by measured time; arrow keys choose one" },
      svg("g", { "aria-hidden": "true" }, ...this.axes()),
      ...this.marks,
      this.label,
    );
    this.plot.addEventListener("pointermove", (e) => this.pointed(e as PointerEvent));
    this.plot.addEventListener("pointerdown", (e) => this.pointed(e as PointerEvent));
    const last = this.cases.length - 1;
    const keys = (): Record<string, number> => {
      const [next, before] = [this.at + 1, this.at - 1];
      return { ArrowRight: next, ArrowDown: next, ArrowLeft: before, ArrowUp: before, Home: 0, End: last };
    };
    stepped(this.plot, keys, (to) => this.choose(Math.min(last, Math.max(0, to))));
    this.plot.addEventListener("focus", () => this.choose(Math.max(0, this.at)));
    this.box.append(
      h("p", { class: "words" },
        `${count(s.cases.length)} runs of ${new Set(s.cases.map((c) => c.name)).size} programs on one ${s.device} (driver ${s.driver}) and on the preset ${s.preset}, without compression. ` +
          `The measured time is the median of repetitions. The simulated time includes what empty kernels take on the GPU: ${nanoseconds(s.launch.aloneMeasuredNs)} for the first launch, ${nanoseconds(s.launch.nextMeasuredNs)} for each further one. ` +
          "The values of the preset come from microbenchmarks and public sources; none is fitted to these programs.",
      ),
      summaries(s),
      h("div", { class: "figpanel" },
        h("div", { class: "plotside" }, h("h2", { class: "figure-title" }, `Simulated (${s.preset}) against measured time (${s.device})`), this.plot, this.said),
        h("div", { class: "scroller tableside", tabindex: 0, role: "group", "aria-label": "Table: measured and simulated times" }, this.table()),
      ),
    );
    this.tell();
  }

  draw(): void {}

  // diagonal is the line of all points whose simulated time is so many times the measured.
  private diagonal(factor: number): string {
    const [from, to] = [10 ** this.low, 10 ** this.high];
    const [a, b] = factor >= 1 ? [from, to / factor] : [from / factor, to];
    return `M${this.x(a)} ${this.y(a * factor)}L${this.x(b)} ${this.y(b * factor)}`;
  }

  private axes(): SVGElement[] {
    const plot = new Plot(LIVE);
    const [right, floor] = [WIDTH - RIGHT, HEIGHT - BOTTOM];
    for (let decade = Math.ceil(this.low); decade <= this.high; decade++) {
      for (const n of NARROW ? [1] : [1, 3]) {
        const v = n * 10 ** decade;
        if (Math.log10(v) > this.high) continue;
        const [x, y] = [this.x(v), this.y(v)];
        plot.path(`M${x} ${TOP}V${floor}M${LEFT} ${y}H${right}`, { stroke: LIVE.rule, "stroke-opacity": n === 1 ? 1 : 0.5 });
        plot.words(x, floor + 18, nanoseconds(v));
        plot.words(LEFT - 8, y + 4, nanoseconds(v), END);
      }
    }
    for (const factor of [1.2, 0.8]) dashed(plot, this.diagonal(factor));
    plot.path(this.diagonal(1), { class: "silicon-equal", stroke: LIVE.ink });
    const about = NARROW ? "± 20\u202f%" : "20\u202f% more or less";
    plot.words((LEFT + WIDTH) / 2, HEIGHT - 12, `measured time; dashed: ${about}`);
    plot.words(0, 0, "simulated time", { transform: `translate(14 ${(TOP + floor) / 2}) rotate(-90)` });
    return plot.parts;
  }

  private mark(c: SiliconCase, i: number): SVGElement {
    return svg("circle", {
      id: `silicon-${i}`, role: "option", "aria-label": words(c), "aria-selected": "false",
      class: `silicon-mark${c.launchBound ? " hollow" : ""}`, cx: this.x(c.measured), cy: this.y(c.simulated), r: RADIUS,
    });
  }

  private pointed(e: PointerEvent): void {
    const box = this.plot.getBoundingClientRect();
    const scale = WIDTH / box.width;
    const [x, y] = [(e.clientX - box.left) * scale, (e.clientY - box.top) * scale];
    let [best, least] = [-1, (REACH * Math.max(1, scale)) ** 2];
    this.cases.forEach((c, i) => {
      const d = (this.x(c.measured) - x) ** 2 + (this.y(c.simulated) - y) ** 2;
      if (d < least) [best, least] = [i, d];
    });
    if (best >= 0) this.choose(best);
  }

  private choose(i: number): void {
    if (i === this.at) return;
    this.marks[this.at]?.setAttribute("aria-selected", "false");
    this.at = i;
    const mark = this.marks[i]!;
    mark.setAttribute("aria-selected", "true");
    this.plot.setAttribute("aria-activedescendant", mark.id);
    this.label.before(mark); // above the others
    this.name(this.cases[i]!);
    this.tell();
  }

  // name writes a case beside its point, inside of the picture.
  private name(c: SiliconCase): void {
    const lines = [`${c.name}, size ${count(c.size)}`, `${nanoseconds(c.measured)} measured, ${nanoseconds(c.simulated)} simulated, ${ratio(c.simulated / c.measured)}`];
    const wide = Math.max(...lines.map((l) => l.length)) * CHAR + 12;
    const x = Math.max(0, Math.min(this.x(c.measured) + 10, WIDTH - wide));
    const above = this.y(c.simulated) - LABEL_HEIGHT - 10;
    const y = above < 0 ? this.y(c.simulated) + 10 : above;
    this.label.replaceChildren(
      svg("rect", { x, y, width: wide, height: LABEL_HEIGHT }),
      ...lines.map((line, k) => svg("text", { x: x + 6, y: y + 15 + 16 * k }, line)),
    );
  }

  private tell(): void {
    const hint = "Hollow: empty kernels take more than half of the measured time. Point at a mark, or focus the chart and press arrow keys.";
    text(this.said, this.at < 0 ? hint : `${words(this.cases[this.at]!)}.`);
  }

  private table(): HTMLElement {
    const rows = [...this.cases].sort((a, b) => (a.name === b.name ? a.size - b.size : a.name < b.name ? -1 : 1));
    return makeTable(
      { class: "numbers figure-table", id: "silicon-table" }, ["program", "size", "measured", "simulated", "ratio"],
      rows.map((c) =>
        row({}, c.name, count(c.size), nanoseconds(c.measured), nanoseconds(c.simulated), ratio(c.simulated / c.measured))),
      h("caption", { class: "vh" }, "Measured and simulated time of each program and size"),
    );
  }
}
