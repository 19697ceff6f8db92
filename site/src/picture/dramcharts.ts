// The tab DRAM beyond the banks in motion: bandwidth and queues over time, and
// where rows are found open. Both sides share every scale.

import "../../dram.css";
import { byId, fitCanvas, h, ink, svg, text } from "../lib/dom";
import { fill, row } from "../lib/table";
import { soon } from "../lib/turns";
import { cividis, cividisRGB } from "../drawing/cividis";
import { timePlot, type Layer, type TimeChart } from "../drawing/timeplot";
import { FETCHED, METADATA, SAVED, WRITE, legendMark } from "../drawing/marks";
import { bankHits, cyclesOf, overOf, peakOf, rowsOf, type Hits, type Over, type Row } from "./dramrows";
import { count, percent, short, significant } from "../lib/format";
import { SIDES, type Dram, type Side } from "../protocol/protocol";
import type { Page } from "../state/page";
import { BOTH_SIDES_FROM } from "../state/settings";

window.burstscopeDram = (page) => void new DramCharts(page);

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

// The bandwidth for uncompressed blocks may exceed the peak, so the scale leaves some room.
const OVER_PEAK = 1.25;

class DramCharts {
  private time = timePlot("dram", "Point at a chart for its numbers, or move with the arrow keys.");
  private canvas = h("canvas", { class: "dram", role: "img" });
  private holder = h("div", { class: "dramplot" }, this.canvas, this.time.plot);
  private words = h("p", { class: "words" });
  private key = h("div", { class: "legend" });
  private table = h("table", { class: "numbers" });
  private numbers = h("details", {}, h("summary", {}, "The numbers as a table"), h("div", { class: "scroller" }, this.table));
  private heats: { side: Side; x: number; w: number; lane: number }[] = [];
  private end = 1;
  readonly draw = soon(() => this.paint());

  constructor(private page: Page) {
    byId("panel-dram").append(this.words, this.holder, this.key, this.time.readout, this.numbers);
    this.canvas.addEventListener("pointermove", (e) => this.pointHeat(e));
    this.canvas.addEventListener("pointerleave", () => this.hint());
    this.numbers.addEventListener("toggle", this.draw);
    page.on(["dram", "tab", "theme", "run", "results"], this.draw);
    page.on(["cursor"], soon(() => this.time.cursor(page.settings.cycle)));
    new ResizeObserver(this.draw).observe(this.holder);
  }

  private shown(): Side[] {
    return this.holder.clientWidth < BOTH_SIDES_FROM ? [this.page.settings.side] : [...SIDES];
  }

  private paint(): void {
    if (byId("panel-dram").hidden) return;
    const { dram } = this.page.settings;
    this.heats = [];
    this.end = Math.max(1, ...SIDES.map((s) => cyclesOf(this.page, s)));
    const any = SIDES.some((s) => this.page.data.dram[s]);
    const heat = dram === "row-hits" || dram === "bank-hits";
    this.canvas.toggleAttribute("hidden", !heat || !any);
    this.time.plot.toggleAttribute("hidden", heat || !any);
    this.numbers.hidden = this.key.hidden = !any;
    if (!any) {
      text(this.words, "The charts appear when a side has finished.");
      return text(this.time.readout, "");
    }
    if (heat) this.heat(dram === "row-hits");
    else if (dram === "queues") this.queues();
    else this.bandwidth();
  }

  private hint(): void {
    text(this.time.readout, "Point at a cell for its numbers.");
  }

  // overTime draws a row of charts for each side, both sides beside each other.
  private overTime(
    rows: Row[], words: string,
    layersOf: (side: Side, row: Row, over: Over, d: Dram) => Layer[],
    says: (d: Dram, over: Over, point: number) => string,
  ): void {
    this.holder.style.minHeight = `${HEAD + FOOT + LEAST_ROW * rows.length}px`;
    const high = Math.max(LEAST_ROW, (this.holder.clientHeight - HEAD - FOOT) / rows.length) - 6;
    const charts = this.shown().flatMap((side, column) => rows.map((row, i): TimeChart => {
      const title = i === 0 ? `${side}  ${this.page.data.labels[side]}` : undefined;
      const name = column === 0 ? row.label : undefined;
      const [over, d] = [overOf(this.page, side, row), this.page.data.dram[side]];
      const chart: TimeChart = {
        column, title, name, high, ticks: [[0, ""]], points: 0, from: () => 0, to: () => 0, layers: [], says: () => "",
      };
      return over && d ? {
        ...chart, points: over.points, from: (p) => over.from(p), to: (p) => over.to(p), layers: layersOf(side, row, over, d),
        says: (p) => `${side}, ${row.title}, cycles ${count(over.from(p))} to ${count(over.to(p))}: ${says(d, over, p)}`,
      } : chart;
    }));
    this.describe(words);
    this.time.draw(this.holder.clientWidth, this.end, charts, words, patterns());
    this.time.cursor(this.page.settings.cycle);
  }

  private bandwidth(): void {
    const rows = rowsOf(this.page, true);
    const said = SIDES.map((side) => this.bandwidthWords(side)).filter((s) => s !== "");
    this.overTime(
      rows, `Bytes a second on the DRAM buses over time; the dashed line is the peak. ${said.join(" ")}`,
      (side, row, over, d) => {
        const top = OVER_PEAK * peakOf(this.page.data.topology[side]!, row.channels.length);
        let base = new Float64Array(d.points);
        const layers = LAYERS.flatMap(({ column }): Layer[] => {
          const [low, high] = [base, base.map((b, i) => b + over.rate(d[column], i) / top)];
          base = high;
          const area = { look: `layer ${column}`, over: (p: number) => high[p]!, under: (p: number) => low[p]! };
          return column === "saved" ? [area, { look: "line saved", over: area.over }] : [area];
        });
        return [...layers, { look: "peak", over: () => 1 / OVER_PEAK }];
      },
      (d, over, p) => LAYERS.map((l) => `${l.words} ${gbs(over.rate(d[l.column], p))} GB/s`).join(", "),
    );
    this.key.replaceChildren(...[FETCHED, WRITE, METADATA, SAVED].map((m) => legendMark(m)));
    this.fill(
      ["", ...SIDES.flatMap((s) => [`${s} read`, `${s} written`, `${s} metadata`, `${s} of peak`])],
      rows.map((row) => [row.title, ...SIDES.flatMap((s) => this.rates(s, row))]),
      "Mean over the run, GB/s",
    );
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
    const lengths = (over: Over, d: Dram, c: "readQueue" | "writeQueue"): number[] =>
      Array.from({ length: d.points }, (_, i) => over.length(d[c], i));
    const most = this.shown().flatMap((side) => rows.map((row) => {
      const [over, d] = [overOf(this.page, side, row), this.page.data.dram[side]];
      return over && d ? Math.max(...lengths(over, d, "readQueue"), ...lengths(over, d, "writeQueue")) : 0;
    })).reduce((a, b) => Math.max(a, b), 1);
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
    this.overTime(
      rows, `Blocks in a channel's queues, from the controller to their last burst; the full height is ${significant(most)}. ${said.join(" ")}`,
      (_, __, over, d) => {
        const [reads, writes] = [lengths(over, d, "readQueue"), lengths(over, d, "writeQueue")];
        const read = (p: number): number => reads[p]! / most;
        return [
          { look: "layer reads", over: read, under: () => 0 }, { look: "line reads", over: read },
          { look: "line writes", over: (p) => writes[p]! / most },
        ];
      },
      (d, over, p) => `${significant(over.length(d.readQueue, p))} reads and ${significant(over.length(d.writeQueue, p))} writes waiting in a channel`,
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
    this.hint();
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
    this.canvas.setAttribute("aria-label", words);
  }

  private scale(): void {
    const steps = Array.from({ length: 11 }, (_, i) => i / 10);
    this.key.replaceChildren(
      h("span", {}, "0 %", h("i", { class: "ramp" }, ...steps.map((s) => h("b", { style: `background:${cividis(s)}` }))), "100 % of bursts hit an open row"),
    );
  }

  private fill(head: string[], rows: string[][], caption: string): void {
    if (!this.numbers.open) return;
    fill(this.table, head, rows.map(([first, ...rest]) => row({}, first, ...rest)), h("caption", {}, caption));
  }

  // pointHeat reads out a cell of the row hits.
  private pointHeat(e: PointerEvent): void {
    const r = this.canvas.getBoundingClientRect();
    const [x, y] = [e.clientX - r.left, e.clientY - r.top];
    const m = this.heats.find((q) => x >= q.x && x < q.x + q.w);
    const d = m && this.page.data.dram[m.side];
    const bank = m ? Math.floor((y - HEAD) / m.lane) : -1;
    const row = rowsOf(this.page, true)[0];
    if (!m || !d || !row || bank < 0 || bank >= d.banks) return this.hint();
    const part = (x - m.x) / m.w;
    let where: string;
    let hits: Hits;
    if (this.page.settings.dram === "bank-hits") {
      const channel = Math.floor(part * d.channels);
      hits = bankHits(d, [channel], bank, 0, d.points);
      where = `channel ${channel}`;
    } else {
      const i = Math.floor((part * this.end) / d.cyclesPerPoint);
      if (i >= d.points) return this.hint();
      hits = bankHits(d, row.channels, bank, i, i + 1);
      where = `${row.title}, cycles ${count(i * d.cyclesPerPoint)} to ${count((i + 1) * d.cyclesPerPoint)}`;
    }
    const share = hits.bursts === 0 ? "nothing moved" : `${count(hits.hits)} of ${count(hits.bursts)} bursts found their row open (${percent(hits.hits / hits.bursts)})`;
    text(this.time.readout, `${m.side}, ${where}, bank ${bank}: ${share}`);
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
  return svg("defs", {},
    pattern("stripes", svg("rect", { width: 5, height: 5, fill: "var(--fetched)" }), svg("rect", { y: 2, width: 5, height: 1, class: "mark" })),
    pattern("dots", svg("rect", { width: 5, height: 5, fill: "var(--meta)", opacity: 0.22 }), svg("circle", { cx: 2.5, cy: 2.5, r: 1.5, fill: "var(--meta)" })),
  );
}
