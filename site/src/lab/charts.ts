// The two histograms of the lab: how far blocks end above a multiple of the MAG,
// with the threshold as a line to drag, and how many fall into Buddy's eight sizes.

import { dragThreshold, nothingAbove, sceneOf } from "../drawing/above";
import { h, svg, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { bytes, count, percent, ratio } from "../lib/format";
import { Above, AboveChart } from "../drawing/described";
import { inks } from "../drawing/inks";
import { END, Plot, scale } from "../drawing/plot";
import { svgOf } from "../drawing/svg";
import type { LabCodec, LabDone } from "../protocol/lab";
import { CLASSES, aboveMAG, classRatio, effectiveRatio, inClasses } from "./math";
import type { Page } from "../state/page";
import { paletteOf } from "../state/theme";
import { codecTitle } from "../protocol/tables";

const PLOT = { left: 56, right: 12, top: 28, bottom: 36 };
const PLOT_HEIGHT = 220;
const RAW = 6; // the grey of a palette

export interface Chosen {
  data: LabDone;
  codec: LabCodec;
}

// AbovePlot is the described chart above MAG, of data instead of a run: any block may be
// cut.
export class AbovePlot {
  readonly plot = svg("svg", { class: "drawn", role: "img" }) as SVGSVGElement;
  readonly words = h("p", { class: "words", "aria-live": "polite" });
  private chart = new AboveChart();

  constructor(private page: Page, private chosen: () => Chosen | undefined, set: (threshold: number) => void) {
    dragThreshold(this.plot, this.chart, set);
    new ResizeObserver(soon(() => this.draw())).observe(this.plot);
  }

  draw(): void {
    const c = this.chosen();
    const width = this.plot.clientWidth;
    if (!c || width === 0) return;
    const { mag, threshold } = this.page.settings.lab;
    const a = aboveMAG(c.codec, mag, threshold);
    this.chart.Counts = new Above(mag, a.bins, a.bins, a.oneBurst, 0, a.raw, c.data.blocks);
    this.chart.Threshold = threshold;
    this.plot.setAttribute("viewBox", `0 0 ${width} ${PLOT_HEIGHT}`);
    this.plot.replaceChildren(svgOf(sceneOf(this.chart, width, PLOT_HEIGHT), "lab", inks()));
    const cut = effectiveRatio(c.codec, c.data.blocks, mag, threshold);
    const kept = effectiveRatio(c.codec, c.data.blocks, mag);
    text(
      this.words,
      nothingAbove(this.chart.Counts) || `${count(a.within)} of ${count(c.data.blocks)} blocks (${percent(a.within / c.data.blocks)}) end 1 to ${threshold} B above a multiple of ${mag} B under ${codecTitle(c.codec.name)}: ` +
        `truncating each saves a burst, ${bytes(a.within * mag)} in all, and the effective ratio changes from ${ratio(kept)} to ${ratio(cut)}. ` +
        `At the sides: ${count(a.oneBurst)} blocks in one burst, ${count(a.raw)} raw blocks.`,
    );
    this.plot.setAttribute("aria-label", `Histogram of bytes above a multiple of ${mag} bytes. ${this.words.textContent ?? ""}`);
  }
}

export class ClassPlot {
  readonly plot = svg("svg", { class: "plot still", role: "img" }) as SVGSVGElement;
  readonly words = h("p", { class: "words" });

  constructor(private page: Page, private chosen: () => Chosen | undefined) {
    new ResizeObserver(soon(() => this.draw())).observe(this.plot);
  }

  draw(): void {
    const c = this.chosen();
    const width = this.plot.clientWidth;
    if (!c || width === 0) return;
    const counts = inClasses(c.codec);
    const largest = Math.max(1, ...counts);
    const most = largest + (largest % 2); // so that half of it is a whole number
    const floor = PLOT_HEIGHT - PLOT.bottom;
    const y = scale(0, most, floor, PLOT.top);
    const plot = new Plot(paletteOf(this.page));
    for (const tick of [0, most / 2, most]) plot.across(PLOT.left, width - PLOT.right, y(tick), count(tick));
    plot.words(PLOT.left - 6, floor + 16, "blocks", END);
    plot.words((PLOT.left + width) / 2, PLOT_HEIGHT - 3, "size of a block, B");
    const step = (width - PLOT.left - PLOT.right) / counts.length;
    counts.forEach((n, i) => {
      const x = PLOT.left + (i + 0.5) * step;
      plot.words(x, floor + 16, String(CLASSES[i]));
      if (n === 0) return;
      const bar = { x: x - step / 2 + 3, width: step - 6, y: y(n), height: floor - y(n) };
      const raw = i === counts.length - 1;
      plot.draw("rect", { fill: plot.colours.series[raw ? RAW : 0], opacity: raw ? 0.5 : 1, ...bar });
      plot.words(x, y(n) - 4, percent(n / c.data.blocks));
    });
    this.plot.setAttribute("viewBox", `0 0 ${width} ${PLOT_HEIGHT}`);
    this.plot.replaceChildren(...plot.parts);
    const list = counts.map((n, i) => `${CLASSES[i]} B ${percent(n / c.data.blocks)}`).join(", ");
    text(this.words, `If every block is rounded up to one of these eight sizes, the ratio is ${ratio(classRatio(c.codec, c.data.blocks))} under ${codecTitle(c.codec.name)}.`);
    this.plot.setAttribute("aria-label", `Histogram of sizes: ${list}.`);
  }
}
