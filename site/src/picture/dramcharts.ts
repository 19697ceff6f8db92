// The tab DRAM beyond the banks in motion: bandwidth and queues over time, and
// where rows are found open. Both sides share every scale.

import { byId, fitCanvas, h, ink, svg, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { cividis, cividisRGB } from "../drawing/cividis";
import { FETCHED, METADATA, SAVED, WRITE, legendMark } from "../drawing/marks";
import { bankHits, cyclesOf, overOf, peakOf, rowsOf, type Hits, type Over, type Row } from "./dramrows";
import { count, percent, short, significant } from "../lib/format";
import { say } from "../state/messages";
import { SIDES, type Dram, type Side } from "../protocol/protocol";
import type { Page } from "../state/page";
import { BOTH_SIDES_FROM } from "../state/settings";

const LABEL = 36;
const HEAD = 20;
const FOOT = 20;
const GAP = 24;
const LEAST_ROW = 30;
const GBS = 1e9;

// Layers of the bandwidth chart, from the foot up.
const LAYERS = [
  { column: "read", words: "read" },
  { column: "written", words: "written" },
  { column: "metadata", words: "metadata" },
  { column: "saved", words: "saved by compression" },
] as const;

interface Plot {
  side: Side;
  row: Row;
  over: Over;
  x: number;
  y: number;
  w: number;
  h: number;
}

export class DramCharts {
  private plot = svg("svg", { class: "plot dram", role: "img", tabindex: 0 }) as SVGSVGElement;
  private canvas = h("canvas", { class: "dram", role: "img" });
  private holder = h("div", { class: "dramplot" }, this.canvas);
  private words = h("p", { class: "words" });
  private key = h("div", { class: "legend" });
  private readout = h("p", { class: "readout" });
  private table = h("table", { class: "numbers" });
  private numbers = h("details", {}, h("summary", {}, "The numbers as a table"), h("div", { class: "scroller" }, this.table));
  private plots: Plot[] = [];
  private heats: { side: Side; x: number; w: number; lane: number }[] = [];
  private at = { plot: 0, point: 0 }; // of the arrow keys
  private end = 1;
  readonly draw = soon(() => this.paint());

  constructor(private page: Page) {
    this.holder.append(this.plot);
    const panel = byId("panel-dram");
    panel.append(this.words, this.holder, this.key, this.readout, this.numbers);
    this.plot.addEventListener("pointermove", (e) => this.point(e));
    this.plot.addEventListener("keydown", (e) => this.step(e));
    this.canvas.addEventListener("pointermove", (e) => this.pointHeat(e));
    for (const e of [this.plot, this.canvas]) e.addEventListener("pointerleave", () => text(this.readout, this.hint()));
    this.numbers.addEventListener("toggle", this.draw);
    page.on(["dram", "tab", "theme", "run", "results"], this.draw);
    page.on(["cursor"], soon(() => this.cursor()));
    new ResizeObserver(this.draw).observe(this.holder);
  }

  private shown(): Side[] {
    return this.holder.clientWidth < BOTH_SIDES_FROM ? [this.page.settings.side] : [...SIDES];
  }

  private paint(): void {
    if (byId("panel-dram").hidden) return;
    const { dram } = this.page.settings;
    this.plots = [];
    this.heats = [];
    this.end = Math.max(1, ...SIDES.map((s) => cyclesOf(this.page, s)));
    const any = SIDES.some((s) => this.page.data.dram[s]);
    const heat = dram === "row-hits" || dram === "bank-hits";
    this.canvas.toggleAttribute("hidden", !heat || !any);
    this.plot.toggleAttribute("hidden", heat || !any);
    this.numbers.hidden = this.key.hidden = !any;
    if (!any) {
      text(this.words, "The charts appear when a side has finished.");
      return text(this.readout, "");
    }
    if (dram === "bandwidth") this.bandwidth();
    else if (dram === "queues") this.queues();
    else this.heat(dram === "row-hits");
    text(this.readout, this.hint());
    this.cursor();
  }

  private hint(): string {
    return this.plots.length === 0 ? "Point at a cell for its numbers." : "Point at a chart for its numbers, or move with the arrow keys.";
  }

  // frame lays rows of charts out, both sides beside each other, and returns how
  // high all of it is.
  private frame(rows: Row[]): void {
    const width = this.holder.clientWidth;
    const sides = this.shown();
    this.holder.style.minHeight = `${HEAD + FOOT + LEAST_ROW * rows.length}px`;
    const rowHeight = Math.max(LEAST_ROW, (this.holder.clientHeight - HEAD - FOOT) / rows.length);
    const height = HEAD + FOOT + rowHeight * rows.length;
    this.plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.plot.style.height = `${height}px`;
    this.plot.replaceChildren(patterns());
    const w = (width - LABEL - GAP * (sides.length - 1) - 8) / sides.length;
    sides.forEach((side, i) => {
      const x = LABEL + i * (w + GAP);
      this.plot.append(svg("text", { x, y: 13, class: "side" }, `${side}  ${this.page.data.labels[side]}`));
      rows.forEach((row, r) => {
        const y = HEAD + r * rowHeight + 3;
        if (i === 0) this.plot.append(svg("text", { x: LABEL - 6, y: y + (rowHeight - 6) / 2 + 4, class: "end" }, row.label));
        const over = overOf(this.page, side, row);
        if (over) this.plots.push({ side, row, over, x, y, w, h: rowHeight - 6 });
        this.plot.append(svg("path", { class: "grid", d: `M${x} ${y + rowHeight - 5.5}h${w}` }));
      });
      for (const part of [0, 0.5, 1]) {
        const anchor = part === 0 ? "" : part === 1 ? "end" : "mid";
        const words = `${short(this.end * part)}${part === 1 ? " cycles" : ""}`;
        this.plot.append(svg("text", { x: x + w * part, y: height - 5, class: anchor }, words));
      }
    });
  }

  private x(p: Plot, cycle: number): number {
    return p.x + (p.w * Math.min(cycle, this.end)) / this.end;
  }

  private bandwidth(): void {
    const rows = rowsOf(this.page, true);
    this.frame(rows);
    // The bandwidth for uncompressed blocks may exceed the peak, so the scale leaves some
    // room.
    const top = 1.25;
    for (const p of this.plots) {
      const d = this.page.data.dram[p.side]!;
      const peak = peakOf(this.page.data.topology[p.side]!, p.row.channels.length);
      const y = (rate: number): number => p.y + p.h * (1 - Math.min(rate / (peak * top), 1));
      let base = new Float64Array(d.points);
      for (const layer of LAYERS) {
        const next = base.map((b, i) => b + p.over.rate(d[layer.column], i));
        this.plot.append(svg("path", { class: `layer ${layer.column}`, d: this.band(p, base, next, y) }));
        if (layer.column === "saved") this.plot.append(svg("path", { class: "line saved", d: this.line(p, next, y) }));
        base = next;
      }
      this.plot.append(svg("path", { class: "peak", d: `M${p.x} ${y(peak)}h${p.w}` }));
    }
    const said = SIDES.map((side) => this.bandwidthWords(side)).filter((s) => s !== "");
    this.describe(`Bytes a second on the DRAM buses over time; the dashed line is the peak. ${said.join(" ")}`);
    this.key.replaceChildren(...[FETCHED, WRITE, METADATA, SAVED].map((m) => legendMark(m)));
    this.fill(
      ["", ...SIDES.flatMap((s) => [`${s} read`, `${s} written`, `${s} metadata`, `${s} of peak`])],
      rows.map((row) => [row.title, ...SIDES.flatMap((s) => this.rates(s, row))]),
      "Mean over the run, GB/s",
    );
  }

  // band is the area between two step lines.
  private band(p: Plot, low: Float64Array, high: Float64Array, y: (v: number) => number): string {
    let d = "";
    for (let i = 0; i < high.length; i++) {
      d += `${i === 0 ? "M" : "L"}${this.x(p, p.over.from(i)).toFixed(1)} ${y(high[i]!).toFixed(1)}H${this.x(p, p.over.to(i)).toFixed(1)}`;
    }
    for (let i = low.length - 1; i >= 0; i--) {
      d += `L${this.x(p, p.over.to(i)).toFixed(1)} ${y(low[i]!).toFixed(1)}H${this.x(p, p.over.from(i)).toFixed(1)}`;
    }
    return `${d}Z`;
  }

  private line(p: Plot, values: Float64Array, y: (v: number) => number): string {
    let d = "";
    for (let i = 0; i < values.length; i++) {
      d += `${i === 0 ? "M" : "L"}${this.x(p, p.over.from(i)).toFixed(1)} ${y(values[i]!).toFixed(1)}H${this.x(p, p.over.to(i)).toFixed(1)}`;
    }
    return d;
  }

  private rates(side: Side, row: Row): string[] {
    const d = this.page.data.dram[side];
    const over = overOf(this.page, side, row);
    if (!d || !over) return ["–", "–", "–", "–"];
    const of = (["read", "written", "metadata"] as const).map((c) => over.meanRate(d[c]));
    const peak = peakOf(this.page.data.topology[side]!, row.channels.length);
    return [...of.map((v) => gbs(v)), percent(of.reduce((a, b) => a + b, 0) / peak)];
  }

  private bandwidthWords(side: Side): string {
    const row = rowsOf(this.page, true)[0];
    const t = this.page.data.topology[side];
    if (!row || !t || !this.page.data.dram[side]) return "";
    const [read, written, metadata, share] = this.rates(side, row);
    const peak = gbs(peakOf(t, row.channels.length));
    return `${side}: ${read} GB/s read, ${written} written, ${metadata} metadata, ${share} of ${peak} GB/s.`;
  }

  private queues(): void {
    const rows = rowsOf(this.page, false);
    this.frame(rows);
    const columns = this.plots.map((p) => {
      const d = this.page.data.dram[p.side]!;
      const of = (c: "readQueue" | "writeQueue"): Float64Array => Float64Array.from({ length: d.points }, (_, i) => p.over.length(d[c], i));
      return { p, reads: of("readQueue"), writes: of("writeQueue") };
    });
    const most = Math.max(1, ...columns.flatMap((c) => [...c.reads, ...c.writes]));
    for (const { p, reads, writes } of columns) {
      const y = (v: number): number => p.y + p.h * (1 - v / most);
      this.plot.append(
        svg("path", { class: "layer reads", d: this.band(p, new Float64Array(reads.length), reads, y) }),
        svg("path", { class: "line reads", d: this.line(p, reads, y) }),
        svg("path", { class: "line writes", d: this.line(p, writes, y) }),
      );
    }
    const means = (side: Side, row: Row): string[] => {
      const d = this.page.data.dram[side];
      const over = overOf(this.page, side, row);
      return d && over ? [significant(over.meanLength(d.readQueue)), significant(over.meanLength(d.writeQueue))] : ["–", "–"];
    };
    const said = SIDES.filter((s) => this.page.data.dram[s]).map((s) => {
      const all = rows.map((row) => means(s, row));
      const mean = (i: number): string => significant(all.reduce((sum, v) => sum + Number(v[i]), 0) / all.length);
      return `${s}: ${mean(0)} reads and ${mean(1)} writes on average.`;
    });
    this.describe(
      `Blocks in a channel's queues, from the controller to their last burst; the full height is ${significant(most)}. ${said.join(" ")}`,
    );
    this.key.replaceChildren(...["reads", "writes"].map((kind) => h("span", {}, h("i", { class: `k ${kind}` }), kind)));
    this.fill(
      ["", ...SIDES.flatMap((s) => [`${s} reads`, `${s} writes`])],
      rows.map((row) => [row.title, ...SIDES.flatMap((s) => means(s, row))]),
      "Mean blocks in a channel's queue",
    );
  }

  // heat draws row hits of banks over time, or of banks by channels.
  private heat(overTime: boolean): void {
    const { g, width, height } = fitCanvas(this.canvas);
    const sides = this.shown();
    this.holder.style.minHeight = "";
    const w = (width - LABEL - GAP * (sides.length - 1) - 8) / sides.length;
    const row = rowsOf(this.page, true)[0];
    if (!row) return;
    sides.forEach((side, i) => {
      const x = LABEL + i * (w + GAP);
      g.font = "600 12px system-ui, sans-serif";
      g.fillStyle = ink("ink");
      g.fillText(`${side}  ${this.page.data.labels[side]}`, x, 13);
      const d = this.page.data.dram[side];
      if (!d) return;
      g.font = "12px system-ui, sans-serif";
      this.heats.push({ side, x, w, lane: laneOf(d, height) });
      if (overTime) this.heatOverTime(g, side, d, row, x, w, height, i === 0);
      else this.heatByChannel(g, d, x, w, height, i === 0);
    });
    const of = row.channels.length === 1 ? row.title : "all channels";
    const said = SIDES.map((side) => this.hitWords(side)).filter((s) => s !== "");
    const what = overTime ? `each bank over time, ${of}` : "each bank of each channel";
    this.describe(`Row hits of ${what}: the share of bursts that found their row open; grey where nothing moved. ${said.join(" ")}`);
    this.scale();
    this.hitTable();
  }

  private heatOverTime(
    g: CanvasRenderingContext2D,
    side: Side,
    d: Dram,
    row: Row,
    x: number,
    w: number,
    height: number,
    labels: boolean,
  ): void {
    const image = new ImageData(d.points, d.banks);
    const idle = rgb(ink("rule"));
    for (let b = 0; b < d.banks; b++) {
      for (let p = 0; p < d.points; p++) {
        const { bursts, hits } = bankHits(d, row.channels, b, p, p + 1);
        const [r, gr, bl] = bursts === 0 ? idle : cividisRGB(hits / bursts);
        image.data.set([r, gr, bl, 255], (b * d.points + p) * 4);
      }
    }
    const small = new OffscreenCanvas(d.points, d.banks);
    small.getContext("2d")!.putImageData(image, 0, 0);
    const laneH = laneOf(d, height);
    g.imageSmoothingEnabled = false;
    const used = (w * Math.min(d.points * d.cyclesPerPoint, this.end)) / this.end;
    g.drawImage(small, x, HEAD, used, laneH * d.banks);
    g.fillStyle = ink("paper");
    for (let b = 1; b < d.banks && laneH > 8; b++) g.fillRect(x, HEAD + b * laneH, w, 1);
    this.banks(g, d.banks, laneH, labels);
    g.fillStyle = ink("muted");
    const y = HEAD + laneH * d.banks + 14;
    g.fillText("0", x, y);
    g.textAlign = "right";
    g.fillText(`${short(this.end)} cycles`, x + w, y);
    g.textAlign = "left";
    const now = x + (w * Math.min(this.page.settings.cycle, cyclesOf(this.page, side))) / this.end;
    g.fillStyle = ink("approx");
    g.fillRect(now, HEAD - 3, 1.5, laneH * d.banks + 6);
  }

  private banks(g: CanvasRenderingContext2D, banks: number, laneH: number, labels: boolean): void {
    if (!labels) return;
    g.fillStyle = ink("muted");
    g.textAlign = "right";
    const every = Math.ceil(11 / laneH);
    for (let b = 0; b < banks; b += every) g.fillText(String(b), LABEL - 6, HEAD + (b + 0.5) * laneH + 4);
    g.textAlign = "left";
  }

  private heatByChannel(g: CanvasRenderingContext2D, d: Dram, x: number, w: number, height: number, labels: boolean): void {
    const laneH = laneOf(d, height);
    const cw = w / d.channels;
    const gap = Math.min(cw, laneH) > 6 ? 1 : 0;
    for (let c = 0; c < d.channels; c++) {
      for (let b = 0; b < d.banks; b++) {
        const { bursts, hits } = bankHits(d, [c], b, 0, d.points);
        g.fillStyle = bursts === 0 ? ink("rule") : cividis(hits / bursts);
        g.fillRect(x + c * cw, HEAD + b * laneH, cw - gap, laneH - gap);
        if (bursts === 0 || cw < 26 || laneH < 13) continue;
        g.fillStyle = hits / bursts > 0.55 ? "#101418" : "#fff";
        g.textAlign = "center";
        g.fillText(Math.round((100 * hits) / bursts).toString(), x + (c + 0.5) * cw, HEAD + (b + 0.5) * laneH + 4);
      }
    }
    g.textAlign = "left";
    this.banks(g, d.banks, laneH, labels);
    g.fillStyle = ink("muted");
    g.textAlign = "center";
    const every = Math.ceil(18 / cw);
    for (let c = 0; c < d.channels; c += every) g.fillText(String(c), x + (c + 0.5) * cw, HEAD + laneH * d.banks + 14);
    g.textAlign = "left";
  }

  private hitsOf(side: Side, channels: number[], bank?: number): Hits | undefined {
    const d = this.page.data.dram[side];
    if (!d) return undefined;
    const banks = bank === undefined ? Array.from({ length: d.banks }, (_, b) => b) : [bank];
    const all = banks.map((b) => bankHits(d, channels, b, 0, d.points));
    return { bursts: sum(all.map((v) => v.bursts)), hits: sum(all.map((v) => v.hits)) };
  }

  private hitWords(side: Side): string {
    const row = rowsOf(this.page, true)[0];
    const h = row && this.hitsOf(side, row.channels);
    return h && h.bursts > 0 ? `${side}: ${percent(h.hits / h.bursts)} of ${count(h.bursts)} bursts.` : "";
  }

  private hitTable(): void {
    const side = this.page.settings.side;
    const d = this.page.data.dram[side] ?? this.page.data.dram.A;
    if (!d) return;
    const channels = this.page.settings.channel === undefined ? Array.from({ length: d.channels }, (_, c) => c) : [this.page.settings.channel];
    const cell = (b: number, c: number[]): string => {
      const { bursts, hits } = bankHits(d, c, b, 0, d.points);
      return bursts === 0 ? "–" : percent(hits / bursts);
    };
    this.fill(
      ["bank", ...channels.map((c) => `ch ${c}`)],
      Array.from({ length: d.banks }, (_, b) => [String(b), ...channels.map((c) => cell(b, [c]))]),
      `Row hits of side ${side}, over the run`,
    );
  }

  private describe(words: string): void {
    text(this.words, words);
    for (const e of [this.plot, this.canvas]) e.setAttribute("aria-label", words);
  }

  private scale(): void {
    const steps = Array.from({ length: 11 }, (_, i) => i / 10);
    this.key.replaceChildren(
      h("span", {}, "0 %", h("i", { class: "ramp" }, ...steps.map((s) => h("b", { style: `background:${cividis(s)}` }))), "100 % of bursts hit an open row"),
    );
  }

  private fill(head: string[], rows: string[][], caption: string): void {
    if (!this.numbers.open) return;
    this.table.replaceChildren(
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, ...head.map((x) => h("th", { scope: "col" }, x)))),
      h("tbody", {}, ...rows.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row" }, first!), ...rest.map((x) => h("td", {}, x))))),
    );
  }

  // cursor puts a line where the timeline stands.
  private cursor(): void {
    if (byId("panel-dram").hidden || this.plots.length === 0) return;
    this.plot.querySelector(".now")?.remove();
    const cycle = this.page.settings.cycle;
    const tops = [...new Set(this.plots.map((p) => p.x))];
    const d = tops.map((x) => `M${x + (this.plots[0]!.w * Math.min(cycle, this.end)) / this.end} ${HEAD}V${this.plot.clientHeight - FOOT}`).join("");
    this.plot.append(svg("path", { class: "now", d }));
  }

  private point(e: PointerEvent): void {
    const r = this.plot.getBoundingClientRect();
    const [x, y] = [e.clientX - r.left, e.clientY - r.top];
    const p = this.plots.find((q) => x >= q.x && x <= q.x + q.w && y >= q.y && y <= q.y + q.h);
    const d = p && this.page.data.dram[p.side];
    if (!p || !d) return text(this.readout, this.hint());
    this.say(p, Math.floor((((x - p.x) / p.w) * this.end) / d.cyclesPerPoint));
  }

  // say reads out a point of a chart.
  private say(p: Plot, i: number): void {
    const d = this.page.data.dram[p.side]!;
    if (i < 0 || i >= d.points) return text(this.readout, this.hint());
    const when = `${p.side}, ${p.row.title}, cycles ${count(p.over.from(i))} to ${count(p.over.to(i))}: `;
    if (this.page.settings.dram === "queues") {
      return text(this.readout, `${when}${significant(p.over.length(d.readQueue, i))} reads and ${significant(p.over.length(d.writeQueue, i))} writes waiting in a channel`);
    }
    text(this.readout, when + LAYERS.map((l) => `${l.words} ${gbs(p.over.rate(d[l.column], i))} GB/s`).join(", "));
  }

  private step(e: KeyboardEvent): void {
    const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[e.key];
    if (!move || this.plots.length === 0) return;
    const within = (v: number, most: number): number => Math.max(0, Math.min(most, v));
    this.at.plot = within(this.at.plot + move[0]!, this.plots.length - 1);
    const p = this.plots[this.at.plot]!;
    this.at.point = within(this.at.point + move[1]!, p.over.points - 1);
    this.say(p, this.at.point);
    say(this.readout.textContent ?? "");
    e.preventDefault();
    e.stopPropagation();
  }

  // pointHeat reads out a cell of the row hits.
  private pointHeat(e: PointerEvent): void {
    const r = this.canvas.getBoundingClientRect();
    const [x, y] = [e.clientX - r.left, e.clientY - r.top];
    const m = this.heats.find((q) => x >= q.x && x < q.x + q.w);
    const d = m && this.page.data.dram[m.side];
    const bank = m ? Math.floor((y - HEAD) / m.lane) : -1;
    const row = rowsOf(this.page, true)[0];
    if (!m || !d || !row || bank < 0 || bank >= d.banks) return text(this.readout, this.hint());
    const part = (x - m.x) / m.w;
    let where: string;
    let hits: Hits;
    if (this.page.settings.dram === "bank-hits") {
      const channel = Math.floor(part * d.channels);
      hits = bankHits(d, [channel], bank, 0, d.points);
      where = `channel ${channel}`;
    } else {
      const i = Math.floor((part * this.end) / d.cyclesPerPoint);
      if (i >= d.points) return text(this.readout, this.hint());
      hits = bankHits(d, row.channels, bank, i, i + 1);
      where = `${row.title}, cycles ${count(i * d.cyclesPerPoint)} to ${count((i + 1) * d.cyclesPerPoint)}`;
    }
    const share = hits.bursts === 0 ? "nothing moved" : `${count(hits.hits)} of ${count(hits.bursts)} bursts found their row open (${percent(hits.hits / hits.bursts)})`;
    text(this.readout, `${m.side}, ${where}, bank ${bank}: ${share}`);
  }
}

function laneOf(d: Dram, height: number): number {
  return Math.max(4, Math.floor((height - HEAD - FOOT) / d.banks));
}

function gbs(rate: number): string {
  const v = rate / GBS;
  return v === 0 || v >= 0.995 ? v.toFixed(v >= 99.5 ? 0 : 1) : significant(v, 2);
}

function sum(list: number[]): number {
  return list.reduce((a, b) => a + b, 0);
}

function rgb(colour: string): [number, number, number] {
  const n = parseInt(colour.replace("#", ""), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

// patterns tells writes and metadata from reads without colour, with the marks of render/model/legend.go.
function patterns(): SVGElement {
  const pattern = (id: string, ...marks: SVGElement[]): SVGElement =>
    svg("pattern", { id, width: 5, height: 5, patternUnits: "userSpaceOnUse" }, ...marks);
  return svg(
    "defs",
    {},
    pattern("stripes", svg("rect", { width: 5, height: 5, fill: "var(--fetched)" }), svg("rect", { y: 2, width: 5, height: 1, class: "mark" })),
    pattern("dots", svg("rect", { width: 5, height: 5, fill: "var(--meta)", opacity: 0.22 }), svg("circle", { cx: 2.5, cy: 2.5, r: 1.5, fill: "var(--meta)" })),
  );
}
