// Above MAG: how many bytes each block's lossless code ends above a multiple
// of MAG. Blocks left of the threshold are cut, and each saves a burst.

import { dragThreshold, nothingAbove, sceneOf } from "../drawing/above";
import { byId, h, svg, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { describedBlocks } from "../drawing/blocks";
import { Above, AboveChart, type Scene } from "../drawing/described";
import { inks } from "../drawing/inks";
import { svgOf } from "../drawing/svg";
import type { Estimated } from "../protocol/estimate";
import { memoryOf, type Memory } from "../protocol/scenario";
import { SIDES, type Blocks, type Side } from "../protocol/protocol";
import type { Page } from "../state/page";

export class AboveMAG {
  private plot = svg("svg", { class: "drawn", role: "img" }) as SVGSVGElement;
  private slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Threshold in bytes" });
  private words = h("p", { class: "words", "aria-live": "polite" });
  private use = h("button", { type: "button" });
  private tools = h("div", { class: "tools" }, h("label", { class: "wide" }, "threshold", this.slider), this.use);
  private chart = new AboveChart();
  private counted: Blocks | Estimated | undefined; // whose counts the chart holds
  readonly draw = soon(() => this.paint());

  constructor(private page: Page, private run: () => void) {
    this.slider.addEventListener("input", () => this.set(Number(this.slider.value)));
    this.use.addEventListener("click", () => {
      const m = memoryOf(page.settings.scenario, page.settings.side);
      m.threshold = this.current(this.memory(page.settings.side, page.estimate?.[page.settings.side]));
      page.emit("scenario");
      this.run();
    });
    dragThreshold(this.plot, this.chart, (bytes) => this.set(bytes));
    byId("panel-mag").append(this.words, this.plot, this.tools);
    page.on(["blocks", "tab", "theme", "run", "scenario", "threshold", "estimate"], this.draw);
    new ResizeObserver(this.draw).observe(this.plot); // the height of the words above changes
  }

  private current(memory: Memory): number {
    return this.page.triedThreshold ?? memory.threshold;
  }

  // memory is what the histogram is of: the run, or the settings if it is of an estimate.
  private memory(side: Side, estimate: Estimated | undefined): Memory {
    return memoryOf(estimate ? this.page.settings.scenario : this.page.data.scenario, side);
  }

  private set(threshold: number): void {
    this.page.triedThreshold = threshold;
    this.page.emit("threshold");
  }

  // chartOf brings the chart up to the side and the threshold on show, if that side
  // has one.
  private chartOf(side: Side, estimate: Estimated | undefined): AboveChart | undefined {
    const b = this.page.data.blocks[side];
    const memory = this.memory(side, estimate);
    if (!(estimate ?? b) || memory.codec === "none") return undefined;
    const { chart } = this;
    const of = estimate ?? b;
    if (this.counted !== of) chart.Counts = estimate ? estimatedAbove(estimate, memory.mag) : describedBlocks(b!, memory.mag).Histogram();
    this.counted = of;
    chart.Side = SIDES.indexOf(side);
    chart.Threshold = Math.min(this.current(memory), memory.mag);
    return chart;
  }

  private paint(): void {
    const { plot, page } = this;
    // In another part of the page the plot has no room, and nothing can be drawn.
    if (byId("panel-mag").hidden || plot.clientHeight === 0) return;
    const side = page.settings.side;
    const estimate = page.estimate?.[side];
    const memory = this.memory(side, estimate);
    const chart = this.chartOf(side, estimate);
    plot.classList.toggle("estimated", estimate !== undefined);
    this.slider.disabled = this.use.disabled = this.tools.hidden = !chart;
    if (!chart) {
      plot.replaceChildren();
      text(
        this.words,
        memory.codec === "none"
          ? `Side ${side} does not compress, so every block is 128 B and none lies above a multiple of MAG. ${this.elsewhere(side)}`
          : `The histogram appears when side ${side} has finished.`,
      );
      return;
    }
    this.slider.max = String(memory.mag);
    this.slider.value = String(chart.Threshold);
    this.say(chart.Counts, chart.Threshold, memory.approximation !== "none");
    if (estimate) this.words.prepend(h("b", {}, "Estimate, not a result: "));
    plot.replaceChildren(svgOf(this.drawn(plot.clientWidth, plot.clientHeight, estimate)!, "above", inks()));
    plot.setAttribute("aria-label", `Histogram of bytes above a multiple of ${memory.mag} bytes. ${this.words.textContent ?? ""}`);
    const same = !estimate && chart.Threshold === memory.threshold;
    text(this.use, memory.approximation === "none" ? "This side cuts no symbols" : same ? `threshold ${chart.Threshold} B, as run` : `Run ${side} with ${chart.Threshold} B`);
    this.use.disabled = same || memory.approximation === "none";
  }

  // elsewhere says where there is a histogram, if the side on show has none.
  private elsewhere(side: Side): string {
    const other = SIDES.find((s) => s !== side)!;
    return memoryOf(this.page.data.scenario, other).codec === "none" ? "Nor does the other side: choose a codec for it and run." : "Choose the other side above the memory chart.";
  }

  private say(counts: Above, threshold: number, approximates: boolean): void {
    text(this.words, nothingAbove(counts) || `${counts.Sentence(threshold)}, ${counts.Details(threshold, approximates)}`);
  }

  // figure is the chart of the side shown, in a size of its own, for files: of the run, never of an estimate.
  figure(width: number, height: number): Scene | undefined {
    return this.drawn(width, height, undefined);
  }

  private drawn(width: number, height: number, estimate: Estimated | undefined): Scene | undefined {
    const chart = this.chartOf(this.page.settings.side, estimate);
    return chart && sceneOf(chart, width, height);
  }
}

// estimatedAbove is an estimate as the histogram of blocks.
function estimatedAbove(e: Estimated, mag: number): Above {
  const n = e.aboveMAG.map(Math.round);
  const bytes = n.slice(0, mag);
  bytes[0] = bytes[0]! - Math.round(e.oneBurst);
  const all = n.reduce((a, b) => a + b, 0);
  return new Above(mag, bytes, e.aboveSafe.map(Math.round), Math.round(e.oneBurst), Math.round(e.cut), n[mag]!, all);
}
