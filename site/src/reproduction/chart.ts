// Charts of figures. Series differ in pattern or marker as well as in colour; the
// paper's values are ticks in ink. All styles are attributes, so that a chart can be
// saved as it is.

import { cividis } from "../drawing/cividis";
import { dashed, END, type Palette, pictureOf, Plot, ratioTicks, round, scale, START, ticksOf } from "../drawing/plot";
import { svg } from "../lib/dom";
import { digits4, significant } from "../lib/format";
import type { Panel, Series, Spread } from "./data";
import { zeroLines, zerosOf, zeroWords } from "./zeros";

export type ChartSeries = Omit<Series, "formulas">;
export type ChartPanel = Omit<Panel, "series" | "absent"> & { series: ChartSeries[] };

// Here says of a point what was computed in the page: the committed bits, or others.
export type Here = "same" | "other" | undefined;

export interface ChartOptions {
  width: number;
  palette: Palette;
  id: string; // makes the names of patterns the chart's own
  here?: (series: number, category: number) => Here;
}

const CHAR = 7.2; // width of a character, on average
const PLOT = 200;
const LEFT = 48;
const RIGHT = 10;
const NARROWEST_BAR = 5;
const ROW = 18;
const TURNED = 34; // more room for names that are turned
const NEAR = 14 / PLOT; // of the axis: labels nearer than that would cover each other
const MEAN = "mean";

export function chart(p: ChartPanel, o: ChartOptions): SVGSVGElement {
  return new Chart(p, o).draw();
}

// marksOf are all numbers that a chart marks.
function marksOf(p: ChartPanel): number[] {
  const spread = (s: ChartSeries): number[] => (s.spreads ?? []).flatMap((x) => (x ? [x.low, x.high] : []));
  const all = p.series.flatMap((s) => [...s.values, ...s.paper, ...spread(s)]);
  return all.filter((v): v is number => v !== null && Number.isFinite(v));
}

// spreadWords says what a value is over all inputs; "" if it has one.
export function spreadWords(s: ChartSeries, c: number): string {
  const x = s.spreads?.[c];
  if (!x) return "";
  const [low, high] = [digits4(x.low), digits4(x.high)];
  return low === high ? "on all inputs" : `mean ${digits4(x.mean)} (${low}–${high})`;
}

// endsOf are the ends of the axis. Ratios are measured from 1, where both sides are equal.
export function endsOf(p: ChartPanel): [number, number] {
  if (p.unit !== "x") return [0, topOf(p)];
  const all = marksOf(p);
  const beyond = (v: number): number =>
    v > 0 ? topOf({ ...p, unit: "", series: [{ label: "", values: [v], paper: [] }] }) : 0;
  const [up, down] = [beyond(Math.max(0, ...all.map((v) => v - 1))), beyond(Math.max(0, ...all.map((v) => 1 - v)))];
  if (up + down === 0) return [0.9, 1.1];
  // A side with little on it gets no room of its own scale.
  return [Math.max(0, 1 - Math.min(1, down)), 1 + up];
}

// topOf is a round number not below the largest value. Shares end at 1: an error
// above that says no more than that the output is lost.
export function topOf(p: ChartPanel): number {
  const largest = Math.max(0, ...marksOf(p));
  if (largest === 0 || (p.unit === "share" && largest > 1)) return 1;
  const step = 10 ** Math.floor(Math.log10(largest));
  return ([1, 1.2, 1.6, 2, 3, 4, 6, 8].find((n) => n * step >= largest * 0.9999) ?? 10) * step;
}

class Chart {
  private plot: Plot;
  private width: number;
  private height = 0;
  private low: number; // the ends of the axis
  private top: number;
  private plotTop = 0;

  constructor(private p: ChartPanel, private o: ChartOptions) {
    this.plot = new Plot(o.palette);
    [this.low, this.top] = p.kind === "map" && p.unit !== "x" ? [0, topOf(p)] : endsOf(p);
    const groups = p.categories.length;
    const least = LEFT + RIGHT + groups * (p.series.length * NARROWEST_BAR + 8);
    this.width = p.kind === "bars" && !this.isLines() ? Math.max(o.width, least) : o.width;
  }

  draw(): SVGSVGElement {
    const { p } = this;
    if (p.kind === "map") this.map();
    else {
      this.legend();
      this.frame();
      if (this.isLines()) this.lines();
      else this.bars();
    }
    const more = { role: "img", "aria-label": describe(p) };
    const out = pictureOf(this.plot, this.width, this.height, more);
    out.prepend(svg("defs", {}, ...p.series.map((_, i) => this.pattern(i))));
    return out;
  }

  // isLines: points of a number are joined, names are not.
  private isLines(): boolean {
    return this.p.axis !== "" && this.p.categories.every((c) => c !== "" && Number.isFinite(Number(c)));
  }

  // crowded: the names of the groups do not fit beside each other, and are turned.
  private crowded(): boolean {
    const group = (this.width - LEFT - RIGHT) / this.p.categories.length;
    return !this.isLines() && this.p.categories.some((c) => c.length * CHAR > group);
  }

  private colour(i: number): string {
    return this.o.palette.series[i % this.o.palette.series.length]!;
  }

  private fill(i: number): string {
    return `url(#${this.o.id}-${i})`;
  }

  // pattern is the look of a series: plain, hatched, dotted and so on.
  private pattern(i: number): SVGElement {
    const c = this.colour(i);
    const stroke = { stroke: c, "stroke-width": 2, fill: "none" };
    const marks: (() => SVGElement[])[] = [
      () => [svg("rect", { width: 6, height: 6, fill: c })],
      () => [svg("path", { d: "M-1 1l2-2M0 6L6 0M5 7l2-2", ...stroke })],
      () => [svg("circle", { cx: 1.5, cy: 1.5, r: 1.3, fill: c }), svg("circle", { cx: 4.5, cy: 4.5, r: 1.3, fill: c })],
      () => [],
      () => [svg("path", { d: "M-1 5l2 2M0 0l6 6M5-1l2 2", ...stroke })],
      () => [svg("path", { d: "M0 1.5h6M0 4.5h6", ...stroke, "stroke-width": 1.5 })],
      () => [svg("path", { d: "M0 3h6M3 0v6", ...stroke, "stroke-width": 1.3 })],
      () => [svg("path", { d: "M1.5 0v6M4.5 0v6", ...stroke, "stroke-width": 1.5 })],
    ];
    return svg("pattern", { id: `${this.o.id}-${i}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
      svg("rect", { width: 6, height: 6, fill: this.o.palette.paper }),
      svg("rect", { width: 6, height: 6, fill: c, "fill-opacity": 0.16 }),
      ...marks[i % marks.length]!(),
    );
  }

  private legend(): void {
    const { p, o, plot: { parts } } = this;
    let x = LEFT;
    let y = 4;
    const step = (label: string): number => {
      const wide = 26 + label.length * CHAR + 10;
      if (x > LEFT && x + wide > Math.min(this.width, o.width)) {
        x = LEFT;
        y += ROW;
      }
      const at = x;
      x += wide;
      this.plot.words(at + 24, y + 11, label, { ...START, fill: o.palette.ink });
      return at;
    };
    p.series.forEach((s, i) => {
      const at = step(s.label);
      if (this.isLines()) parts.push(this.marker(i, at + 9, y + 7));
      else parts.push(svg("rect", { x: at, y: y + 1, width: 18, height: 12, fill: this.fill(i), stroke: this.colour(i) }));
    });
    if (p.series.some((s) => s.paper.some((v) => v !== null))) {
      const at = step("the paper's");
      parts.push(this.tick(at, at + 18, y + 7));
    }
    if (p.series.some((s) => s.spreads)) {
      const at = step("all inputs, and their mean");
      parts.push(...this.whisker({ low: 6, high: -6, mean: 1 }, at + 9, (v) => y + 7 + v));
    }
    if (p.series.some((_, i) => p.categories.some((__, c) => o.here?.(i, c)))) {
      const at = step("same bits here");
      parts.push(this.hereMark("same", at + 9, y + 7));
    }
    this.plotTop = y + ROW + 10;
    this.height = this.plotTop + PLOT + (p.axis ? 42 : 28) + (this.crowded() ? TURNED : 0);
  }

  private y(v: number): number {
    return scale(this.low, this.top, this.plotTop + PLOT, this.plotTop)(v);
  }

  private frame(): void {
    const { plot, p } = this;
    const right = this.width - RIGHT;
    for (const v of this.ticks()) plot.across(LEFT, right, this.y(v), significant(v));
    if (p.unit === "x") dashed(plot, `M${LEFT} ${round(this.y(1))}H${right}`);
    if (p.axis) plot.words((LEFT + this.width) / 2, this.height - 4, p.axis);
  }

  private ticks(): number[] {
    return this.p.unit === "x" ? ratioTicks(this.low, this.top, NEAR) : ticksOf(this.low, this.top);
  }

  private tick(x1: number, x2: number, y: number): SVGElement {
    return svg("path", { d: `M${round(x1)} ${round(y - 2.5)}v5M${round(x1)} ${round(y)}H${round(x2)}M${round(x2)} ${round(y - 2.5)}v5`, stroke: this.o.palette.ink, "stroke-width": 2, fill: "none" });
  }

  // whisker is the range of a value over all inputs, with a dot at the mean.
  private whisker(x: Spread, at: number, y: (v: number) => number): SVGElement[] {
    const { ink, paper } = this.o.palette;
    const [low, high] = [round(y(x.low)), round(y(x.high))];
    const d = `M${round(at - 3)} ${low}h6M${round(at)} ${low}V${high}M${round(at - 3)} ${high}h6`;
    return [
      svg("path", { d, stroke: paper, "stroke-width": 3.5, fill: "none" }),
      svg("path", { d, stroke: ink, "stroke-width": 1.3, fill: "none" }),
      svg("circle", { cx: round(at), cy: round(y(x.mean)), r: 2.2, fill: ink, stroke: paper, "stroke-width": 1 }),
    ];
  }

  private hereMark(how: Here, x: number, y: number): SVGElement {
    const { palette } = this.o;
    if (how === "same") return svg("circle", { cx: round(x), cy: round(y), r: 2.4, fill: palette.ink });
    return svg("path", { d: `M${round(x - 3)} ${round(y - 3)}l6 6m0-6l-6 6`, stroke: palette.ink, "stroke-width": 1.6, fill: "none" });
  }

  private say(s: number, c: number): string {
    const { p } = this;
    const { label, values, paper } = p.series[s]!;
    const ours = values[c] === null || values[c] === undefined ? "not measured" : significant(values[c], 4);
    const theirs = paper[c] === null || paper[c] === undefined ? "" : `; the paper's ${significant(paper[c], 4)}`;
    const zeros = zerosOf(p.series[s]!, c);
    const spread = spreadWords(p.series[s]!, c);
    return `${p.categories[c]}, ${label}: ${ours}${zeros ? ` (${zeroWords(zeros)})` : ""}${spread && `; ${spread}`}${theirs}`;
  }

  // value holds the marks of a value, which it names.
  private value(s: number, c: number): SVGElement {
    return svg("g", { "data-series": s, "data-category": c }, svg("title", {}, this.say(s, c)));
  }

  private bars(): void {
    const { p, o, plot } = this;
    const room = this.width - LEFT - RIGHT;
    const gaps = p.categories.includes(MEAN) ? 0.4 : 0;
    const group = room / (p.categories.length + gaps);
    const bottom = this.plotTop + PLOT;
    const zero = this.y(p.unit === "x" ? 1 : 0); // where bars begin
    p.categories.forEach((category, c) => {
      const mean = category === MEAN;
      const left = LEFT + group * (c + (mean ? gaps : 0));
      if (mean) plot.path(`M${round(left - group * 0.12)} ${this.plotTop}V${bottom + 20}`, { stroke: o.palette.rule });
      const wide = (group * 0.84) / p.series.length;
      const at = round(left + group / 2);
      const turned = this.crowded() ? { ...END, transform: `rotate(-55 ${at} ${bottom + 17})` } : {};
      const bold = mean ? { "font-weight": 600 } : {};
      plot.words(at, bottom + (this.crowded() ? 17 : 19), category, { fill: o.palette.ink, ...turned, ...bold });
      p.series.forEach((s, i) => {
        const x = left + group * 0.08 + wide * i;
        const v = s.values[c] ?? null;
        const g = this.value(i, c);
        if (v !== null) {
          g.append(svg("rect", { x: round(x), y: round(Math.min(this.y(v), zero)), width: round(wide * 0.9),
            height: Math.max(1, round(Math.abs(zero - this.y(v)))), fill: this.fill(i), stroke: this.colour(i),
            "stroke-width": 1 }));
          if (v > this.top) g.append(svg("path", { d: `M${round(x)} ${this.plotTop - 2}h${round(wide * 0.9)}l${round(-wide * 0.45)} -6z`, fill: o.palette.ink }));
        }
        const spread = s.spreads?.[c];
        if (spread) g.append(...this.whisker(spread, x + wide * 0.45, (of) => this.y(Math.min(of, this.top))));
        const theirs = s.paper[c] ?? null;
        if (theirs !== null) g.append(this.tick(x - 0.5, x + wide * 0.9 + 0.5, this.y(theirs)));
        const here = o.here?.(i, c);
        if (here) g.append(this.hereMark(here, x + wide * 0.45, bottom + 4));
        plot.parts.push(g);
      });
    });
  }

  private marker(i: number, x: number, y: number): SVGElement {
    const c = this.colour(i);
    const shapes = [
      (): SVGElement => svg("circle", { cx: round(x), cy: round(y), r: 4.5, fill: c }),
      (): SVGElement => svg("rect", { x: round(x - 4), y: round(y - 4), width: 8, height: 8, fill: c }),
      (): SVGElement => svg("path", { d: `M${round(x - 5)} ${round(y + 4)}h10l-5-9z`, fill: c }),
      (): SVGElement => svg("path", { d: `M${round(x - 5)} ${round(y)}l5-5l5 5l-5 5z`, fill: c }),
      (): SVGElement => svg("circle", { cx: round(x), cy: round(y), r: 4, fill: this.o.palette.paper, stroke: c, "stroke-width": 2 }),
      (): SVGElement => svg("path", { d: `M${round(x - 4)} ${round(y - 4)}l8 8m0-8l-8 8`, stroke: c, "stroke-width": 2.4, fill: "none" }),
    ];
    return shapes[i % shapes.length]!();
  }

  private lines(): void {
    const { p, o, plot } = this;
    const numbers = p.categories.map(Number);
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    const across = scale(low, Math.max(high, low + 1e-9), LEFT + 24, this.width - RIGHT - 24);
    const x = (c: number): number => across(numbers[c]!);
    const bottom = this.plotTop + PLOT;
    p.categories.forEach((category, c) => plot.words(x(c), bottom + 19, category, { fill: o.palette.ink }));
    p.series.forEach((s, i) => {
      const path = s.values.map((v, c) => (v === null ? "" : `${c > 0 && s.values[c - 1] !== null ? "L" : "M"}${round(x(c))} ${round(this.y(v))}`)).join("");
      const dashes = ["", "7 3", "2 3", "8 3 2 3"][i % 4] || undefined;
      if (path) plot.path(path, { stroke: this.colour(i), "stroke-width": 1.8, "stroke-dasharray": dashes });
      s.values.forEach((v, c) => {
        const g = this.value(i, c);
        if (v !== null) g.append(this.marker(i, x(c), this.y(v)));
        const spread = s.spreads?.[c];
        if (spread) g.append(...this.whisker(spread, x(c), (of) => this.y(of)));
        const theirs = s.paper[c] ?? null;
        if (theirs !== null) g.append(this.tick(x(c) - 9, x(c) + 9, this.y(theirs)));
        const here = o.here?.(i, c);
        if (here) g.append(this.hereMark(here, x(c), bottom + 4));
        plot.parts.push(g);
      });
    });
  }

  // shade is the colour of a cell: of a ratio between the ends of the axis, else by the root.
  private shade(v: number): string {
    return cividis(this.p.unit === "x" ? (v - this.low) / (this.top - this.low) : Math.sqrt(v / this.top));
  }

  // map is a row of cells for each series, lighter for more.
  private map(): void {
    const { p, o, plot } = this;
    const left = Math.max(LEFT + 12, 10 + CHAR * Math.max(...p.series.map((s) => s.label.length)));
    const room = this.width - left - RIGHT;
    const wide = room / p.categories.length;
    const every = p.categories.length > 8 ? 4 : 1;
    this.plotTop = 8;
    p.series.forEach((s, i) => {
      const y = this.plotTop + i * ROW;
      plot.words(left - 6, y + 13, s.label, { ...END, fill: o.palette.ink });
      s.values.forEach((v, c) => {
        const g = this.value(i, c);
        g.append(svg("rect", { x: round(left + wide * c), y, width: round(wide * 0.95), height: ROW - 2, fill: v === null ? "none" : this.shade(v), stroke: o.palette.rule, "stroke-width": v === null ? 1 : 0.5 }));
        const here = o.here?.(i, c);
        if (here) g.append(svg("g", { fill: "#fff" }, this.hereMark(here, left + wide * (c + 0.5), y + ROW / 2)));
        plot.parts.push(g);
      });
    });
    const bottom = this.plotTop + p.series.length * ROW;
    p.categories.forEach((category, c) => {
      if (c % every === 0) plot.words(left + wide * (c + 0.5), bottom + 14, category);
    });
    plot.words(left + room / 2, bottom + 30, p.axis);
    const steps = p.unit === "x"
      ? this.ticks()
      : [0, 0.01, 0.05, 0.2, 0.5, 1].map((f) => f * this.top);
    let at = left;
    plot.words(at - 6, bottom + 53, p.unit, END);
    for (const v of steps) {
      const box = { x: round(at), y: bottom + 42, width: 18, height: 14 };
      plot.draw("rect", { ...box, fill: this.shade(v), stroke: o.palette.rule });
      plot.words(at + 22, bottom + 53, significant(v), START);
      at += 62;
    }
    this.height = bottom + 64;
  }
}

// describe puts every value into words.
export function describe(p: ChartPanel): string {
  const rows = p.series.map((s) => {
    const cells = p.categories.map((c, i) => {
      const v = s.values[i];
      const theirs = s.paper[i];
      const spread = spreadWords(s, i);
      return `${c} ${v === null || v === undefined ? "not measured" : significant(v, 4)}${spread && ` (${spread})`}${theirs === null || theirs === undefined ? "" : ` (paper ${significant(theirs, 4)})`}`;
    });
    return `${s.label}: ${cells.join(", ")}`;
  });
  return [`${p.title} (${p.unit}). ${rows.join(". ")}.`, ...zeroLines(p)].join(" ");
}
