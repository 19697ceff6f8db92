// Above MAG: how many bytes each block's lossless code ends above a multiple
// of MAG. What lies left of the threshold is cut and saves a burst.

import { allocationOf, MODE_LOSSY, MODE_UNTOUCHED, sizeBytes } from "../protocol/blocks";
import { byId, h, soon, svg, text } from "../lib/dom";
import { bytes, count, percent } from "../lib/format";
import type { Blocks } from "../protocol/protocol";
import { memoryOf } from "../protocol/scenario";
import type { Page } from "../state/page";

const PLOT = { left: 56, right: 12, top: 16, bottom: 34 };

// Histogram counts blocks by bytes above a multiple of MAG. Blocks that are
// raw, or fit one burst, are not in the bars: the threshold does not touch them.
interface Histogram {
  mag: number;
  safe: number[];
  unsafe: number[];
  oneBurst: number;
  raw: number;
  lossy: number; // as the run had it
}

function histogram(b: Blocks, mag: number): Histogram {
  const t: Histogram = { mag, safe: Array<number>(mag).fill(0), unsafe: Array<number>(mag).fill(0), oneBurst: 0, raw: 0, lossy: 0 };
  const sizes = b.losslessBits ?? b.bits;
  for (let i = 0; i < b.count; i++) {
    if (b.mode[i] === MODE_UNTOUCHED) continue;
    if (b.mode[i] === MODE_LOSSY) t.lossy++;
    const size = sizeBytes(sizes[i]!);
    if (size >= 128) t.raw++;
    else if (size <= mag) t.oneBurst++;
    else (allocationOf(b, i)?.safe === false ? t.unsafe : t.safe)[size % mag]!++;
  }
  return t;
}

export class AboveMAG {
  private plot = svg("svg", { class: "plot", role: "img" }) as SVGSVGElement;
  private slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Threshold in bytes" });
  private words = h("p", { class: "words", "aria-live": "polite" });
  private use = h("button", { type: "button" });
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
      const r = this.plot.getBoundingClientRect();
      const mag = this.mag();
      const x = (e.clientX - r.left - PLOT.left) / (r.width - PLOT.left - PLOT.right);
      this.set(Math.max(0, Math.min(mag, Math.round(x * mag - 0.5))));
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
    new ResizeObserver(this.draw).observe(byId("panel-mag"));
  }

  private mag(): number {
    return memoryOf(this.page.data.scenario, this.page.settings.side).mag;
  }

  private current(): number {
    return this.page.triedThreshold ?? memoryOf(this.page.data.scenario, this.page.settings.side).threshold;
  }

  private set(threshold: number): void {
    this.page.triedThreshold = threshold;
    this.page.emit("threshold");
  }

  private paint(): void {
    const panel = byId("panel-mag");
    // In another part of the page the plot has no room, and nothing can be drawn.
    if (panel.hidden || this.plot.clientHeight <= PLOT.top + PLOT.bottom) return;
    const side = this.page.settings.side;
    const b = this.page.data.blocks[side];
    const memory = memoryOf(this.page.data.scenario, side);
    const none = memory.codec === "none";
    this.slider.disabled = this.use.disabled = !b || none;
    this.use.hidden = !b || none;
    if (!b || none) {
      this.plot.replaceChildren();
      text(
        this.words,
        none
          ? `Side ${side} does not compress, so every block is 128 B and nothing lies above a multiple of MAG. Choose the other side beside the memory chart.`
          : `The histogram fills when side ${side} has finished.`,
      );
      return;
    }
    const t = histogram(b, memory.mag);
    const threshold = Math.min(this.current(), memory.mag);
    this.slider.max = String(memory.mag);
    this.slider.value = String(threshold);
    this.bars(this.plot, t, threshold, this.plot.clientWidth, this.plot.clientHeight);
    this.say(t, threshold);
    this.plot.setAttribute("aria-label", `Histogram of bytes above a multiple of ${t.mag} bytes. ${this.words.textContent ?? ""}`);
    const same = threshold === memory.threshold;
    text(this.use, same ? `threshold ${threshold} B, as run` : `Run ${side} with ${threshold} B`);
    this.use.disabled = same || memory.approximation === "none";
  }

  private say(t: Histogram, threshold: number): void {
    const memory = memoryOf(this.page.data.scenario, this.page.settings.side);
    const all = t.safe.reduce((n, v) => n + v, 0);
    const cut = t.safe.slice(1, threshold + 1).reduce((n, v) => n + v, 0);
    const unsafe = t.unsafe.reduce((n, v) => n + v, 0);
    const first =
      `${count(cut)} of ${count(all)} blocks (${percent(all === 0 ? 0 : cut / all)}) end 1 to ${threshold} B above a multiple of ${t.mag} B: ` +
      `cut, each saves a burst, ${bytes(cut * t.mag)} a pass over them. `;
    const run =
      memory.approximation === "none"
        ? "This side keeps them all lossless. "
        : `At the end of the run ${count(t.lossy)} lie cut in DRAM; where more than 16 symbols would have to go, a block stays lossless. `;
    const rest = `Not in the bars: ${count(t.oneBurst)} in one burst, ${count(t.raw)} raw${unsafe > 0 ? `; grey: ${count(unsafe)} that must stay exact` : ""}.`;
    text(this.words, first + run + rest);
  }

  // figure is the histogram of the side shown, in a size of its own.
  figure(width: number, height: number): SVGSVGElement | undefined {
    const side = this.page.settings.side;
    const b = this.page.data.blocks[side];
    const memory = memoryOf(this.page.data.scenario, side);
    if (!b || memory.codec === "none") return undefined;
    const plot = svg("svg", { class: "plot" }) as SVGSVGElement;
    this.bars(plot, histogram(b, memory.mag), Math.min(this.current(), memory.mag), width, height);
    return plot;
  }

  private bars(plot: SVGSVGElement, t: Histogram, threshold: number, width: number, height: number): void {
    plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const most = Math.max(1, ...t.safe.map((v, i) => v + t.unsafe[i]!));
    const step = (width - PLOT.left - PLOT.right) / (t.mag + 1);
    const y = (v: number): number => height - PLOT.bottom - (v / most) * (height - PLOT.bottom - PLOT.top);
    const parts: SVGElement[] = [];
    for (const tick of [0, most / 2, most]) {
      parts.push(
        svg("path", { class: "grid", d: `M${PLOT.left} ${y(tick)}H${width - PLOT.right}` }),
        svg("text", { class: "end", x: PLOT.left - 6, y: y(tick) + 4 }, count(tick)),
      );
    }
    for (let i = 0; i < t.mag; i++) {
      const x = PLOT.left + i * step + 1;
      const safe = t.safe[i]!;
      const unsafe = t.unsafe[i]!;
      const bar = (from: number, to: number, kind: string): void => {
        if (to > from) parts.push(svg("rect", { class: kind, x, width: Math.max(1, step - 2), y: y(to), height: y(from) - y(to) }));
      };
      bar(0, safe, i >= 1 && i <= threshold ? "bar approx" : "bar fetched");
      bar(safe, safe + unsafe, "bar raw");
      if (i % (t.mag / 8) === 0) {
        parts.push(svg("text", { class: "mid", x: x + step / 2 - 1, y: height - PLOT.bottom + 16 }, String(i)));
      }
    }
    const line = PLOT.left + (threshold + 1) * step;
    const flip = line > width * 0.7;
    parts.push(
      svg("path", { class: "threshold", d: `M${line} ${PLOT.top - 8}V${height - PLOT.bottom}` }),
      svg("path", { class: "grip", d: `M${line - 6} ${PLOT.top - 10}h12l-6 9z` }),
      svg("text", { class: flip ? "end" : "", x: line + (flip ? -10 : 10), y: PLOT.top + 2 }, `threshold ${threshold} B`),
      svg("text", { class: "mid", x: (PLOT.left + width) / 2, y: height - 4 }, `bytes above a multiple of ${t.mag} B`),
      svg("text", { class: "end", x: PLOT.left - 6, y: height - PLOT.bottom + 16 }, "blocks"),
    );
    plot.replaceChildren(patterns(), ...parts);
  }
}

// patterns holds the hatching that says "approximated" without colour.
function patterns(): SVGElement {
  const pattern = svg(
    "pattern",
    { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { width: 5, height: 5, class: "hatch-back" }),
    svg("rect", { width: 1.6, height: 5, class: "hatch-line" }),
  );
  return svg("defs", {}, pattern);
}
