// The spatial map of the lab: 64 cells a row, one cell a block, or several blocks
// where there are too many. The moving picture draws it where there is WebGL; the
// page draws it itself otherwise, or when asked, and lists regions as a table.

import { loadInto } from "../lib/assets";
import { MODE_LOSSLESS, MODE_RAW } from "../protocol/blocks";
import { CELL_STEPS, chooseRows, COLUMNS, firstRow, hovered, LEAST_ROWS } from "../drawing/cells";
import { cividis, cividisRGB } from "../drawing/cividis";
import { CUT, legendMark } from "../drawing/marks";
import { button, fitCanvas, h, ink, stepped, text } from "../lib/dom";
import { fill, row } from "../lib/table";
import { soon } from "../lib/turns";
import { bytes, count, ratio, visible } from "../lib/format";
import type { LabDone } from "../protocol/lab";
import type { Chosen } from "./charts";
import { BLOCK_BYTES, above, arrayOf, bursts, cellBlocks, cellBytes } from "./math";
import { codecTitle } from "../protocol/tables";
import { say } from "../state/messages";
import type { FromView, ToView } from "../protocol/protocol";
import type { Page } from "../state/page";
import { BOTH_SIDES_FROM } from "../state/settings";
import { isDark } from "../state/theme";

const REGIONS = 16;
const OVERVIEW_ROW = 4; // most CSS pixels of a row of the overview

type ViewWindow = Window & { burstscopeView?: { receive(m: ToView): void } };

export class LabMap {
  readonly box: HTMLElement;
  readonly regions = h("table", { class: "numbers", id: "lab-regions" });
  private canvas = h("canvas", {
    class: "detail",
    id: "lab-detail",
    tabindex: 0,
    role: "application",
    "aria-label": "Map of block sizes. Arrow keys move from cell to cell, page keys by 16 rows, Enter shows the bits of the block.",
  });
  private overview = h("canvas", { class: "overview", title: "All of the data: drag to choose the rows shown" });
  private holder = h("div", { class: "labview", hidden: true });
  private plain = h("div", { class: "map" }, this.overview, h("div", { class: "over" }, this.canvas));
  private readout = h("p", { class: "readout" });
  private key = h("span", { class: "key" });
  readonly turn = h("button", { type: "button", id: "lab-plain", class: "plain" });
  private wanted: "auto" | "moving" | "plain" = "auto";
  private frame: HTMLIFrameElement | undefined;
  private ready = false;
  private failed = false;
  private seen = false; // scrolled into view once
  private first = 0; // row
  private rows = 0; // 0 = as many as fit
  private over: number | undefined;
  private told: LabDone | undefined; // the last message to the view
  selected: number | undefined; // cell
  readonly draw = soon(() => this.paint());

  constructor(
    private page: Page,
    private chosen: () => Chosen | undefined,
    private hooks: { pick(cell: number): void; open(): void },
  ) {
    this.box = h("div", { class: "labmap" },
      h("div", { class: "tools" }, h("span", {}, "colour = size of a block"), this.key, h("span", { class: "grow" }), this.turn),
      h("div", { class: "labmapbody" }, this.holder, this.plain),
      this.readout,
    );
    this.turn.addEventListener("click", () => {
      this.failed = false;
      this.wanted = this.moving() ? "plain" : "moving";
      this.draw();
    });
    addEventListener("message", (e: MessageEvent<FromView>) => {
      if (this.frame && e.source === this.frame.contentWindow && e.data) this.heard(e.data);
    });
    this.pointer();
    this.keyboard();
    new ResizeObserver(this.draw).observe(this.box);
    new IntersectionObserver((entries) => {
      if (!entries.some((e) => e.isIntersecting) || this.seen) return;
      this.seen = true;
      this.draw();
    }).observe(this.box);
    page.on(["theme"], () => {
      this.tell({ type: "theme", dark: isDark(page), reducedMotion: matchMedia("(prefers-reduced-motion: reduce)").matches });
      this.draw();
    });
  }

  // fresh shows new data from their beginning.
  fresh(): void {
    this.first = this.rows = 0;
    this.over = this.selected = this.told = undefined;
  }

  private moving(): boolean {
    if (this.failed || this.wanted === "plain") return false;
    return this.wanted === "moving" || this.box.clientWidth >= BOTH_SIDES_FROM;
  }

  private cells(): number {
    return this.chosen()?.codec.cells.length ?? 0;
  }

  private paint(): void {
    const c = this.chosen();
    if (!c || this.box.clientWidth === 0) return;
    const moving = this.moving();
    if (moving && this.seen && !this.frame) {
      this.frame = h("iframe", { title: "Map of block sizes, drawn as a moving picture" });
      loadInto(this.frame, "view.html");
      this.holder.replaceChildren(this.frame);
    }
    const live = moving && this.ready;
    this.holder.hidden = !moving;
    this.holder.classList.toggle("waiting", !live);
    this.plain.hidden = live;
    this.key.hidden = live;
    text(this.turn, moving ? "Plain map" : "Moving map");
    this.page.status.lab.map = live ? "moving" : "plain";
    if (live) this.tellBlocks(c);
    else this.paintPlain(c);
    this.describe();
    this.list(c);
  }

  // --- the moving picture ---

  private tell(m: ToView): void {
    if (this.ready) (this.frame?.contentWindow as ViewWindow | null | undefined)?.burstscopeView?.receive(m);
  }

  private heard(m: FromView): void {
    switch (m.type) {
      case "viewReady":
        this.ready = true;
        this.tell({ type: "theme", dark: isDark(this.page), reducedMotion: matchMedia("(prefers-reduced-motion: reduce)").matches });
        this.tell({ type: "pointer", interactive: true });
        this.told = undefined;
        return this.draw();
      case "viewFailed":
        this.ready = false;
        this.failed = true;
        this.frame?.remove();
        this.frame = undefined;
        return this.draw();
      case "pick":
        return this.pick(Math.floor(Number(m.addr) / BLOCK_BYTES));
      case "leave":
        return this.turn.focus();
    }
  }

  // The part of the data that the view shows.
  private shownCodec = "";
  private shownMAG = 0;

  private tellBlocks(c: Chosen): void {
    const { mag } = this.page.settings.lab;
    const show = `${c.codec.name} ${mag}`;
    if (this.told === c.data && this.shownCodec === show) return;
    const anew = this.told !== c.data || this.shownMAG !== mag;
    this.told = c.data;
    this.shownMAG = mag;
    this.shownCodec = show;
    const n = c.codec.cells.length;
    const [bits, touches] = [new Uint16Array(n), new Uint16Array(n)];
    const [taken, mode] = [new Uint8Array(n), new Uint8Array(n)];
    for (let i = 0; i < n; i++) {
      const size = Math.ceil(cellBytes(c.data, c.codec, i));
      bits[i] = size * 8;
      taken[i] = bursts(size, mag);
      mode[i] = size >= BLOCK_BYTES ? MODE_RAW : MODE_LOSSLESS;
    }
    const allocations = c.data.arrays.map((a) => ({ name: visible(a.name) || "all", base: a.firstBlock * BLOCK_BYTES, bytes: a.bytes, safe: false }));
    const named = c.data.blocksPerCell === 1 && c.data.arrays.length === c.data.arrayCount;
    // A scene puts the view back to the whole map.
    const machine = { sms: 1, warpsPerSM: 1, slices: 1, controllers: 1, channels: 1, banks: 1, magBytes: mag, peakBytesPerCycle: 1, allocations: [] };
    if (anew) this.tell({ type: "scene", run: 1, sides: { A: machine, B: null }, labels: { A: codecTitle(c.codec.name), B: "" } } as unknown as ToView);
    this.tell({
      type: "blocks", run: 1, side: "A", base: 0, lineBytes: BLOCK_BYTES, count: n, bits, bursts: taken, mode, touches, losslessBits: bits,
      allocations: named ? allocations : [],
    } as unknown as ToView);
    this.tell({ type: "show", tab: "address", side: "A", colour: "size", channel: 0 });
  }

  // near tells whether the only block of a cell lies within the threshold.
  private near(data: LabDone, size: number): boolean {
    const { mag, threshold } = this.page.settings.lab;
    const over = above(size, mag);
    return data.blocksPerCell === 1 && size < BLOCK_BYTES && over >= 1 && over <= threshold;
  }

  // --- the plain map ---

  private totalRows(): number {
    return Math.ceil(this.cells() / COLUMNS);
  }

  private cellWidth(): number {
    return Math.max(2, Math.floor(this.canvas.clientWidth / COLUMNS));
  }

  private shownRows(): number {
    const fit = Math.max(LEAST_ROWS, Math.floor(this.canvas.clientHeight / Math.min(14, this.cellWidth())));
    return Math.min(this.totalRows(), this.rows || fit);
  }

  private cellHeight(rows: number): number {
    return Math.max(2, Math.min(14, this.canvas.clientHeight / rows));
  }

  private paintPlain(c: Chosen): void {
    const { g } = fitCanvas(this.canvas);
    const rows = this.shownRows();
    this.first = Math.max(0, Math.min(this.first, this.totalRows() - rows));
    const [cw, ch] = [this.cellWidth(), this.cellHeight(rows)];
    const gap = Math.min(cw, ch) > 5 ? 1 : 0;
    const cut = ink("approx");
    for (let i = this.first * COLUMNS; i < Math.min(this.cells(), (this.first + rows) * COLUMNS); i++) {
      const [x, y] = [(i % COLUMNS) * cw, (Math.floor(i / COLUMNS) - this.first) * ch];
      const size = cellBytes(c.data, c.codec, i);
      g.fillStyle = cividis(size / BLOCK_BYTES);
      g.fillRect(x, y, cw - gap, ch - gap);
      if (cw < 5 || ch < 5 || !this.near(c.data, size)) continue;
      g.strokeStyle = cut;
      g.lineWidth = 1.5;
      g.beginPath();
      g.moveTo(x, y + ch - gap);
      g.lineTo(x + cw - gap, y);
      g.stroke();
    }
    if (this.selected !== undefined) {
      const row = Math.floor(this.selected / COLUMNS) - this.first;
      if (row >= 0 && row < rows) {
        g.strokeStyle = ink("ink");
        g.lineWidth = 2;
        g.strokeRect((this.selected % COLUMNS) * cw - 1, row * ch - 1, cw + 1, ch + 1);
      }
    }
    this.paintOverview(c, rows);
    const swatch = (x: number): HTMLElement => h("span", {}, h("i", { class: "k", style: `background:${cividis(x)}` }), `${x * BLOCK_BYTES} B`);
    const stroke = c.data.blocksPerCell === 1 ? [legendMark(CUT, "within the threshold")] : [];
    this.key.replaceChildren(swatch(0), swatch(0.5), swatch(1), ...stroke);
  }

  private paintOverview(c: Chosen, rows: number): void {
    const { g, width, height } = fitCanvas(this.overview);
    const total = this.totalRows();
    const image = new ImageData(COLUMNS, total);
    for (let i = 0; i < this.cells(); i++) image.data.set([...cividisRGB(cellBytes(c.data, c.codec, i) / BLOCK_BYTES), 255], i * 4);
    const small = new OffscreenCanvas(COLUMNS, total);
    small.getContext("2d")!.putImageData(image, 0, 0);
    const used = Math.min(height, total * OVERVIEW_ROW);
    g.imageSmoothingEnabled = total > used;
    g.drawImage(small, 0, 0, width, used);
    g.strokeStyle = ink("ink");
    g.lineWidth = 2;
    g.strokeRect(1, (this.first / total) * used + 1, width - 2, Math.max(4, (rows / total) * used - 2));
  }

  private hit(e: MouseEvent): number | undefined {
    const r = this.canvas.getBoundingClientRect();
    const rows = this.shownRows();
    const column = Math.floor((e.clientX - r.left) / this.cellWidth());
    const row = Math.floor((e.clientY - r.top) / this.cellHeight(rows));
    const i = (this.first + row) * COLUMNS + column;
    return column >= 0 && column < COLUMNS && row >= 0 && row < rows && i < this.cells() ? i : undefined;
  }

  private pick(cell: number): void {
    if (!(cell >= 0 && cell < this.cells())) return;
    this.selected = cell;
    this.over = undefined;
    this.hooks.pick(cell);
    this.draw();
  }

  // choose selects a cell from elsewhere on the page.
  choose(cell: number): void {
    this.selected = cell;
    const rows = this.shownRows();
    const row = Math.floor(cell / COLUMNS);
    if (row < this.first || row >= this.first + rows) this.first = row - Math.floor(rows / 2);
    this.tell({ type: "select", addr: cell * BLOCK_BYTES });
    this.draw();
  }

  private pointer(): void {
    const over = (cell: number | undefined): void => {
      this.over = cell;
      this.describe();
    };
    hovered(this.canvas, (e) => this.hit(e), over, (cell) => this.pick(cell));
    this.canvas.addEventListener("dblclick", () => this.hooks.open());
    this.canvas.addEventListener(
      "wheel",
      (e) => {
        if (e.ctrlKey) {
          const next = Math.round(this.shownRows() * (e.deltaY > 0 ? 1.25 : 0.8));
          this.rows = Math.max(LEAST_ROWS, Math.min(this.totalRows(), next));
        } else {
          const next = Math.max(0, Math.min(this.totalRows() - this.shownRows(), this.first + Math.sign(e.deltaY) * 4));
          if (next === this.first) return;
          this.first = next;
        }
        this.draw();
        e.preventDefault();
      },
      { passive: false },
    );
    chooseRows(this.overview, () => this.totalRows(), (row, rows, around) => {
      this.rows = rows;
      this.first = around ? row - Math.floor(this.shownRows() / 2) : row;
      this.draw();
    });
  }

  private keyboard(): void {
    this.canvas.addEventListener("keydown", (e) => {
      if (e.key !== "Enter") return;
      this.hooks.open();
      e.preventDefault();
    });
    stepped(this.canvas, () => CELL_STEPS, (step) => {
      if (this.cells() === 0) return;
      const next = this.selected === undefined ? this.first * COLUMNS : Math.max(0, Math.min(this.cells() - 1, this.selected + step));
      this.pick(next);
      this.first = firstRow(Math.floor(next / COLUMNS), this.first, this.shownRows());
      say(this.words(next));
    });
  }

  private words(cell: number): string {
    const c = this.chosen();
    if (!c) return "";
    const blocks = cellBlocks(c.data, cell);
    const first = cell * c.data.blocksPerCell;
    const size = cellBytes(c.data, c.codec, cell);
    const name = arrayOf(c.data, first);
    const what = blocks === 1 ? `Block ${count(first)}` : `Blocks ${count(first)} to ${count(first + blocks - 1)}`;
    const taken = blocks === 1 ? `${size} B` : `${size.toFixed(1)} B on average`;
    return `${what}${name ? ` of ${name}` : ""}: ${taken} under ${codecTitle(c.codec.name)}`;
  }

  private describe(): void {
    const cell = this.over ?? this.selected;
    const per = this.chosen()?.data.blocksPerCell ?? 1;
    const each = per > 1 ? ` A cell is ${count(per)} blocks.` : "";
    text(this.readout, cell === undefined ? `Point at a cell, or move with the arrow keys.${each}` : `${this.words(cell)}.${each}`);
  }

  // list says in a table what the map says in colours.
  private list(c: Chosen): void {
    const n = this.cells();
    const per = Math.ceil(n / REGIONS);
    const rows: HTMLElement[] = [];
    for (let from = 0; from < n; from += per) {
      const to = Math.min(n, from + per);
      let [sum, blocks, least, most] = [0, 0, BLOCK_BYTES, 0];
      for (let i = from; i < to; i++) {
        const mean = cellBytes(c.data, c.codec, i);
        sum += c.codec.cells[i]!;
        blocks += cellBlocks(c.data, i);
        least = Math.min(least, mean);
        most = Math.max(most, mean);
      }
      const first = from * c.data.blocksPerCell;
      const go = button(`${count(first)}–${count(first + blocks - 1)}`, () => {
        this.pick(from);
        this.choose(from);
      }, { class: "plain", "aria-label": `Select block ${count(first)}` });
      rows.push(row({}, go, arrayOf(c.data, first) || "–", `${(sum / blocks).toFixed(1)} B`,
        ratio((blocks * BLOCK_BYTES) / Math.max(1, sum)), `${least.toFixed(0)}–${bytes(Math.round(most))}`));
    }
    const titles = ["blocks", "array", "mean size", "ratio of bytes", "smallest–largest cell"];
    fill(this.regions, titles, rows, h("caption", {}, `The map as a table, under ${codecTitle(c.codec.name)}`));
  }
}

