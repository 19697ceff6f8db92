// The two histograms of the lab: how far blocks end above a multiple of the MAG,
// with the threshold as a line to drag, and how many fall into Buddy's eight sizes.

import { nothingAbove } from "../drawing/above";
import { h, svg, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { bytes, count, percent, ratio } from "../lib/format";
import { Above, AboveChart, Scene } from "../drawing/described";
import { inks } from "../drawing/inks";
import { svgOf } from "../drawing/svg";
import { textWidth } from "../drawing/text";
import type { LabCodec, LabDone } from "../protocol/lab";
import { CLASSES, aboveMAG, classRatio, effectiveRatio, inClasses } from "./math";
import type { Page } from "../state/page";
import { codecTitle } from "../protocol/tables";

const PLOT = { left: 56, right: 12, top: 28, bottom: 36 };
const PLOT_HEIGHT = 220;

export interface Chosen {
  data: LabDone;
  codec: LabCodec;
}

function frame(width: number, largest: number, label: string): { parts: SVGElement[]; y(n: number): number } {
  const most = largest + (largest % 2); // so that half of it is a whole number
  const y = (n: number): number => PLOT_HEIGHT - PLOT.bottom - (n / most) * (PLOT_HEIGHT - PLOT.bottom - PLOT.top);
  const parts: SVGElement[] = [];
  for (const tick of [0, most / 2, most]) {
    parts.push(
      svg("path", { class: "grid", d: `M${PLOT.left} ${y(tick)}H${width - PLOT.right}` }),
      svg("text", { class: "end", x: PLOT.left - 6, y: y(tick) + 4 }, count(tick)),
    );
  }
  parts.push(
    svg("text", { class: "end", x: PLOT.left - 6, y: PLOT_HEIGHT - PLOT.bottom + 16 }, "blocks"),
    svg("text", { class: "mid", x: (PLOT.left + width) / 2, y: PLOT_HEIGHT - 3 }, label),
  );
  return { parts, y };
}

// AbovePlot is the described chart above MAG, of data instead of a run: any block may be
// cut.
export class AbovePlot {
  readonly plot = svg("svg", { class: "drawn", role: "img" }) as SVGSVGElement;
  readonly words = h("p", { class: "words", "aria-live": "polite" });
  private chart = new AboveChart();

  constructor(private page: Page, private chosen: () => Chosen | undefined, set: (threshold: number) => void) {
    const drag = (e: PointerEvent): void => {
      const [threshold, ok] = this.chart.ThresholdAt(e.clientX - this.plot.getBoundingClientRect().left);
      if (ok) set(threshold);
    };
    this.plot.addEventListener("pointerdown", (e) => {
      this.plot.setPointerCapture(e.pointerId);
      drag(e);
    });
    this.plot.addEventListener("pointermove", (e) => {
      if (this.plot.hasPointerCapture(e.pointerId)) drag(e);
    });
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
    const scene = new Scene();
    scene.Measure = textWidth;
    this.chart.AboveScene(scene, width, PLOT_HEIGHT);
    this.plot.setAttribute("viewBox", `0 0 ${width} ${PLOT_HEIGHT}`);
    this.plot.replaceChildren(svgOf(scene, "lab", inks()));
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

  constructor(private chosen: () => Chosen | undefined) {
    new ResizeObserver(soon(() => this.draw())).observe(this.plot);
  }

  draw(): void {
    const c = this.chosen();
    const width = this.plot.clientWidth;
    if (!c || width === 0) return;
    const counts = inClasses(c.codec);
    const { parts, y } = frame(width, Math.max(1, ...counts), "size of a block, B");
    const step = (width - PLOT.left - PLOT.right) / counts.length;
    counts.forEach((n, i) => {
      const x = PLOT.left + i * step + 3;
      const last = i === counts.length - 1;
      if (n > 0) parts.push(svg("rect", { class: last ? "bar raw" : "bar fetched", x, width: step - 6, y: y(n), height: y(0) - y(n) }));
      parts.push(svg("text", { class: "mid", x: x + step / 2 - 3, y: PLOT_HEIGHT - PLOT.bottom + 16 }, String(CLASSES[i])));
      if (n > 0) parts.push(svg("text", { class: "mid", x: x + step / 2 - 3, y: y(n) - 4 }, percent(n / c.data.blocks)));
    });
    this.plot.setAttribute("viewBox", `0 0 ${width} ${PLOT_HEIGHT}`);
    this.plot.replaceChildren(...parts);
    const list = counts.map((n, i) => `${CLASSES[i]} B ${percent(n / c.data.blocks)}`).join(", ");
    text(this.words, `If every block is rounded up to one of these eight sizes, the ratio is ${ratio(classRatio(c.codec, c.data.blocks))} under ${codecTitle(c.codec.name)}.`);
    this.plot.setAttribute("aria-label", `Histogram of sizes: ${list}.`);
  }
}
