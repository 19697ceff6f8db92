// Above MAG: how many bytes each block's lossless code ends above a multiple
// of MAG. Blocks left of the threshold are cut, and each saves a burst.

import { byId, h, soon, svg, text } from "../lib/dom";
import { describedBlocks } from "../drawing/blocks";
import { Above, AboveChart, Scene } from "../drawing/described";
import { inks } from "../drawing/inks";
import { svgOf } from "../drawing/svg";
import { textWidth } from "../drawing/text";
import { memoryOf } from "../protocol/scenario";
import { SIDES, type Blocks, type Side } from "../protocol/protocol";
import type { Page } from "../state/page";

export class AboveMAG {
  private plot = svg("svg", { class: "drawn", role: "img" }) as SVGSVGElement;
  private slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Threshold in bytes" });
  private words = h("p", { class: "words", "aria-live": "polite" });
  private use = h("button", { type: "button" });
  private chart = new AboveChart();
  private counted: Blocks | undefined; // whose counts the chart holds
  readonly draw = soon(() => this.paint());

  constructor(private page: Page, private run: () => void) {
    this.slider.addEventListener("input", () => this.set(Number(this.slider.value)));
    this.use.addEventListener("click", () => {
      const m = memoryOf(page.settings.scenario, page.settings.side);
      m.threshold = this.current();
      page.emit("scenario");
      this.run();
    });
    const drag = (e: PointerEvent): void => {
      const [bytes, ok] = this.chart.ThresholdAt(e.clientX - this.plot.getBoundingClientRect().left);
      if (ok) this.set(bytes);
    };
    this.plot.addEventListener("pointerdown", (e) => {
      this.plot.setPointerCapture(e.pointerId);
      drag(e);
    });
    this.plot.addEventListener("pointermove", (e) => {
      if (this.plot.hasPointerCapture(e.pointerId)) drag(e);
    });
    byId("panel-mag").append(
      this.words,
      this.plot,
      h("div", { class: "tools" }, h("label", { class: "wide" }, "threshold", this.slider), this.use),
    );
    page.on(["blocks", "tab", "theme", "run", "scenario", "threshold"], this.draw);
    new ResizeObserver(this.draw).observe(this.plot); // the height of the words above changes
  }

  private current(): number {
    return this.page.triedThreshold ?? memoryOf(this.page.data.scenario, this.page.settings.side).threshold;
  }

  private set(threshold: number): void {
    this.page.triedThreshold = threshold;
    this.page.emit("threshold");
  }

  // chartOf brings the chart up to the side and the threshold on show, if that side
  // has one.
  private chartOf(side: Side): AboveChart | undefined {
    const b = this.page.data.blocks[side];
    const memory = memoryOf(this.page.data.scenario, side);
    if (!b || memory.codec === "none") return undefined;
    const { chart } = this;
    if (this.counted !== b) chart.Counts = describedBlocks(b, memory.mag).Histogram();
    this.counted = b;
    chart.Side = SIDES.indexOf(side);
    chart.Threshold = Math.min(this.current(), memory.mag);
    return chart;
  }

  private paint(): void {
    const { plot, page } = this;
    // In another part of the page the plot has no room, and nothing can be drawn.
    if (byId("panel-mag").hidden || plot.clientHeight === 0) return;
    const side = page.settings.side;
    const memory = memoryOf(page.data.scenario, side);
    const chart = this.chartOf(side);
    this.slider.disabled = this.use.disabled = this.use.hidden = !chart;
    if (!chart) {
      plot.replaceChildren();
      text(
        this.words,
        memory.codec === "none"
          ? `Side ${side} does not compress, so every block is 128 B and none lies above a multiple of MAG. Choose the other side above the memory chart.`
          : `The histogram appears when side ${side} has finished.`,
      );
      return;
    }
    this.slider.max = String(memory.mag);
    this.slider.value = String(chart.Threshold);
    this.say(chart.Counts, chart.Threshold, memory.approximation !== "none");
    plot.replaceChildren(svgOf(this.figure(plot.clientWidth, plot.clientHeight)!, "above", inks()));
    plot.setAttribute("aria-label", `Histogram of bytes above a multiple of ${memory.mag} bytes. ${this.words.textContent ?? ""}`);
    const same = chart.Threshold === memory.threshold;
    text(this.use, same ? `threshold ${chart.Threshold} B, as run` : `Run ${side} with ${chart.Threshold} B`);
    this.use.disabled = same || memory.approximation === "none";
  }

  private say(counts: Above, threshold: number, approximates: boolean): void {
    text(this.words, `${counts.Sentence(threshold)}, ${counts.Details(threshold, approximates)}`);
  }

  // figure is the chart of the side shown, in a size of its own.
  figure(width: number, height: number): Scene | undefined {
    const chart = this.chartOf(this.page.settings.side);
    if (!chart) return undefined;
    const scene = new Scene();
    scene.Measure = textWidth;
    chart.AboveScene(scene, width, height);
    return scene;
  }
}
