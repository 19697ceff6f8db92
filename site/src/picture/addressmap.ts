// The address map: 64 blocks a row, one cell a block, A left of the divider
// and B right of it. The narrow overview shows all of memory; a drag over it
// chooses the rows of the detail.

import { allocationOf, blockText, indexOf, MODE_LOSSY, MODE_RAW, MODE_UNTOUCHED } from "../protocol/blocks";
import { cividis, cividisRGB } from "../drawing/cividis";
import { byId, fitCanvas, h, ink, soon, text } from "../lib/dom";
import { hex } from "../lib/format";
import { say } from "../state/messages";
import { SIDES, type Blocks, type Side } from "../protocol/protocol";
import { memoryOf } from "../protocol/scenario";
import type { Page } from "../state/page";
import { MAP_COLOURS, type MapColour } from "../state/settings";

const COLUMNS = 64;
const LABELS = 76; // gutter for the names of allocations
const GUTTER_FROM = 420; // narrower, the names lie on the map
const LEAST_ROWS = 4;
const COLOUR_NAMES: Record<MapColour, string> = {
  bursts: "bursts fetched",
  size: "compressed size",
  touches: "times fetched or written",
  mode: "how it is stored",
};

export class AddressMap {
  private canvas = h("canvas", {
    class: "detail",
    tabindex: 0,
    role: "application",
    "aria-label": "Address map. Arrow keys move from block to block, page keys by 16 rows.",
  });
  private overview = h("canvas", { class: "overview", title: "All of memory: drag to choose the rows shown" });
  private divider = h("div", {
    class: "divider",
    role: "separator",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-label": "Divider between A and B",
    "aria-valuemin": 0,
    "aria-valuemax": 100,
  });
  private colour = h("select", { "aria-label": "Colour shows" });
  private readout = h("p", { class: "readout" });
  private key = h("span", { class: "key" });
  private empty = h("p", { class: "empty" });
  private split = 0.5;
  private over: number | undefined;
  readonly draw = soon(() => this.paint());

  constructor(private page: Page, private pick: (addr: number) => void) {
    const panel = byId("panel-address");
    for (const c of MAP_COLOURS) this.colour.append(h("option", { value: c }, COLOUR_NAMES[c]));
    this.colour.addEventListener("change", () => {
      page.settings.map = this.colour.value as MapColour;
      page.emit("tab");
    });
    panel.append(
      h("div", { class: "tools" }, h("label", {}, "colour = ", this.colour), this.key),
      h("div", { class: "map" }, this.overview, h("div", { class: "over" }, this.canvas, this.divider), this.empty),
      this.readout,
    );
    this.pointer();
    this.keyboard();
    page.on(["blocks", "tab", "select", "theme", "run", "map"], this.draw);
    new ResizeObserver(this.draw).observe(panel);
  }

  private any(): Blocks | undefined {
    return this.page.data.blocks.B ?? this.page.data.blocks.A;
  }

  private totalRows(): number {
    return Math.ceil((this.any()?.count ?? 0) / COLUMNS);
  }

  private shownRows(height: number): number {
    const cell = this.cellWidth();
    const fit = Math.max(LEAST_ROWS, Math.floor(height / cell));
    return Math.min(this.totalRows(), this.page.settings.mapRows || fit);
  }

  private gutter(): number {
    return this.canvas.clientWidth < GUTTER_FROM ? 0 : LABELS;
  }

  private cellWidth(): number {
    return Math.max(2, Math.floor((this.canvas.clientWidth - this.gutter()) / COLUMNS));
  }

  private paint(): void {
    const panel = byId("panel-address");
    if (panel.hidden) return;
    const b = this.any();
    this.colour.value = this.page.settings.map;
    this.empty.hidden = b !== undefined;
    text(this.empty, "The map fills when a side has finished.");
    const { g, height } = fitCanvas(this.canvas);
    if (!b) {
      fitCanvas(this.overview);
      this.divider.hidden = true;
      return;
    }
    const rows = this.shownRows(height);
    this.page.settings.mapRow = Math.max(0, Math.min(this.page.settings.mapRow, this.totalRows() - rows));
    const cw = this.cellWidth();
    const ch = Math.max(2, Math.min(28, height / rows));
    const gap = Math.min(cw, ch) > 5 ? 1 : 0;
    const splitColumn = Math.round(this.split * COLUMNS);
    const gutter = this.gutter();
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < COLUMNS; column++) {
        const i = (this.page.settings.mapRow + row) * COLUMNS + column;
        if (i >= b.count) break;
        this.cell(g, column < splitColumn ? "A" : "B", i, gutter + column * cw, row * ch, cw - gap, ch - gap);
      }
    }
    this.allocationLabels(g, b, rows, ch, gutter + COLUMNS * cw);
    this.outline(g, b, cw, ch, rows);
    const x = gutter + splitColumn * cw;
    this.divider.hidden = false;
    this.divider.style.left = `${x}px`;
    this.divider.style.height = `${Math.min(height, rows * ch)}px`;
    this.divider.setAttribute("aria-valuenow", String(Math.round(this.split * 100)));
    this.paintOverview(b, rows);
    this.paintKey();
    this.describe();
  }

  private cell(g: CanvasRenderingContext2D, side: Side, i: number, x: number, y: number, w: number, hgt: number): void {
    const b = this.page.data.blocks[side];
    const mode = b?.mode[i] ?? MODE_UNTOUCHED;
    if (!b || mode === MODE_UNTOUCHED) {
      g.fillStyle = ink("rule");
      g.globalAlpha = 0.45;
      g.fillRect(x, y, w, hgt);
      g.globalAlpha = 1;
      return;
    }
    g.fillStyle = this.colourOf(b, i, side);
    g.fillRect(x, y, w, hgt);
    if (mode === MODE_LOSSY && w >= 4 && hgt >= 4) {
      // A stroke across says "approximated" without colour.
      g.strokeStyle = this.page.settings.map === "mode" ? ink("paper") : ink("approx");
      g.lineWidth = 1.5;
      g.beginPath();
      g.moveTo(x, y + hgt);
      g.lineTo(x + w, y);
      g.stroke();
    }
  }

  private share(b: Blocks, i: number, side: Side): number {
    switch (this.page.settings.map) {
      case "size":
        return b.bits[i]! / 1024;
      case "touches":
        return Math.log2(1 + b.touches[i]!) / 8;
      default:
        return b.bursts[i]! / this.mostBursts(side);
    }
  }

  private mostBursts(side: Side): number {
    return 128 / memoryOf(this.page.data.scenario, side).mag;
  }

  private colourOf(b: Blocks, i: number, side: Side): string {
    if (this.page.settings.map !== "mode") return cividis(this.share(b, i, side));
    const mode = b.mode[i];
    return mode === MODE_RAW ? ink("raw") : mode === MODE_LOSSY ? ink("approx") : ink("fetched");
  }

  private allocationLabels(g: CanvasRenderingContext2D, b: Blocks, rows: number, ch: number, right: number): void {
    g.font = "12px system-ui, sans-serif";
    g.textBaseline = "top";
    let lastY = -LABELS;
    for (const a of b.allocations ?? []) {
      const from = (a.base - b.base) / b.lineBytes / COLUMNS - this.page.settings.mapRow;
      const to = (a.base + a.bytes - b.base) / b.lineBytes / COLUMNS - this.page.settings.mapRow;
      if (to <= 0 || from >= rows) continue;
      const y = Math.max(0, Math.floor(from) * ch);
      g.strokeStyle = ink("ink");
      g.lineWidth = 1;
      if (from >= 0) {
        g.beginPath();
        g.moveTo(0, y + 0.5);
        g.lineTo(right, y + 0.5);
        g.stroke();
      }
      if (y - lastY < 28) continue;
      lastY = y;
      if (this.gutter() === 0) {
        g.fillStyle = ink("paper");
        g.fillRect(0, y, LABELS - 4, 32);
      }
      g.fillStyle = ink("ink");
      g.fillText(a.name, 0, y + 3, LABELS - 6);
      g.fillStyle = ink("muted");
      g.fillText(a.safe ? "may be cut" : "exact", 0, y + 17, LABELS - 6);
    }
  }

  private outline(g: CanvasRenderingContext2D, b: Blocks, cw: number, ch: number, rows: number): void {
    const addr = this.page.settings.addr;
    const i = addr === undefined ? undefined : indexOf(b, addr);
    if (i === undefined) return;
    const row = Math.floor(i / COLUMNS) - this.page.settings.mapRow;
    if (row < 0 || row >= rows) return;
    g.strokeStyle = ink("ink");
    g.lineWidth = 2;
    g.strokeRect(this.gutter() + (i % COLUMNS) * cw - 1, row * ch - 1, cw + 1, ch + 1);
  }

  private paintOverview(b: Blocks, rows: number): void {
    const { g, width, height } = fitCanvas(this.overview);
    const total = this.totalRows();
    const image = new ImageData(COLUMNS, total);
    const splitColumn = Math.round(this.split * COLUMNS);
    for (let i = 0; i < b.count; i++) {
      const side: Side = i % COLUMNS < splitColumn ? "A" : "B";
      const of = this.page.data.blocks[side];
      if (!of || of.mode[i] === MODE_UNTOUCHED) continue;
      const [r, gr, bl] =
        this.page.settings.map === "mode" ? rgbOf(this.colourOf(of, i, side)) : cividisRGB(this.share(of, i, side));
      image.data.set([r, gr, bl, 255], i * 4);
    }
    const small = new OffscreenCanvas(COLUMNS, Math.max(1, total));
    small.getContext("2d")!.putImageData(image, 0, 0);
    const used = Math.min(height, total * 4);
    g.imageSmoothingEnabled = total > used;
    g.drawImage(small, 0, 0, width, used);
    g.strokeStyle = ink("ink");
    g.lineWidth = 2;
    g.strokeRect(1, (this.page.settings.mapRow / total) * used + 1, width - 2, Math.max(4, (rows / total) * used - 2));
  }

  private paintKey(): void {
    const map = this.page.settings.map;
    const swatch = (colour: string, words: string): HTMLElement =>
      h("span", {}, h("i", { class: "k", style: `background:${colour}` }), words);
    const items =
      map === "mode"
        ? [swatch("var(--raw)", "raw"), swatch("var(--fetched)", "lossless"), swatch("var(--approx)", "approximated")]
        : map === "bursts"
          ? Array.from({ length: this.mostBursts("B") }, (_, n) => n + 1)
              .filter((n, _, all) => all.length <= 4 || n % 2 === 0)
              .map((n) => swatch(cividis(n / this.mostBursts("B")), String(n)))
          : [0, 0.5, 1].map((x) => swatch(cividis(x), map === "size" ? `${x * 128} B` : String(Math.round(2 ** (8 * x)) - 1)));
    const cut = map === "mode" ? [] : [h("span", {}, h("i", { class: "k slash" }), "approximated")];
    this.key.replaceChildren(...items, ...cut);
  }

  private describe(): void {
    const b = this.any();
    const addr = this.page.settings.addr;
    const i = this.over ?? (b && addr !== undefined ? indexOf(b, addr) : undefined);
    if (!b || i === undefined) return text(this.readout, "Point at a block, or move with the arrow keys.");
    text(this.readout, this.blockWords(b, i));
  }

  private blockWords(b: Blocks, i: number): string {
    const where = allocationOf(b, i);
    const sides = SIDES.map(
      (side) => `${side}: ${blockText(this.page.data.blocks[side], i, memoryOf(this.page.data.scenario, side).mag)}`,
    );
    return `${hex(b.base + i * b.lineBytes)}${where ? ` in ${where.name}` : ""} · ${sides.join(" · ")}`;
  }

  private hit(e: PointerEvent): number | undefined {
    const b = this.any();
    if (!b) return undefined;
    const r = this.canvas.getBoundingClientRect();
    const rows = this.shownRows(r.height);
    const ch = Math.max(2, Math.min(28, r.height / rows));
    const column = Math.floor((e.clientX - r.left - this.gutter()) / this.cellWidth());
    const row = Math.floor((e.clientY - r.top) / ch);
    if (column < 0 || column >= COLUMNS || row < 0 || row >= rows) return undefined;
    const i = (this.page.settings.mapRow + row) * COLUMNS + column;
    return i < b.count ? i : undefined;
  }

  private pointer(): void {
    this.canvas.addEventListener("pointermove", (e) => {
      this.over = this.hit(e);
      this.describe();
    });
    this.canvas.addEventListener("pointerleave", () => {
      this.over = undefined;
      this.describe();
    });
    this.canvas.addEventListener("click", (e) => {
      const i = this.hit(e as PointerEvent);
      const b = this.any();
      if (b && i !== undefined) this.pick(b.base + i * b.lineBytes);
    });
    this.canvas.addEventListener(
      "wheel",
      (e) => {
        const rows = this.shownRows(this.canvas.clientHeight);
        const next = Math.max(0, Math.min(this.totalRows() - rows, this.page.settings.mapRow + Math.sign(e.deltaY) * 4));
        if (next === this.page.settings.mapRow) return;
        this.page.settings.mapRow = next;
        this.page.emit("map");
        e.preventDefault();
      },
      { passive: false },
    );
    this.drag(this.divider, (e) => {
      const r = this.canvas.getBoundingClientRect();
      this.setSplit((e.clientX - r.left - this.gutter()) / (this.cellWidth() * COLUMNS));
    });
    let from = 0;
    this.drag(
      this.overview,
      (e, begins) => {
        const r = this.overview.getBoundingClientRect();
        const used = Math.min(r.height, this.totalRows() * 4);
        const row = Math.max(0, Math.min(this.totalRows(), Math.round(((e.clientY - r.top) / used) * this.totalRows())));
        if (begins) {
          from = row;
          return;
        }
        const span = Math.abs(row - from);
        this.page.settings.mapRows = span < LEAST_ROWS ? 0 : span;
        this.page.settings.mapRow = Math.min(row, from);
        this.page.emit("map");
      },
      (e) => {
        // A click without a drag centres the rows there.
        const r = this.overview.getBoundingClientRect();
        const used = Math.min(r.height, this.totalRows() * 4);
        const row = Math.round(((e.clientY - r.top) / used) * this.totalRows());
        if (Math.abs(row - from) >= LEAST_ROWS) return;
        this.page.settings.mapRows = 0;
        this.page.settings.mapRow = row - Math.floor(this.shownRows(this.canvas.clientHeight) / 2);
        this.page.emit("map");
      },
    );
  }

  private drag(e: HTMLElement, move: (e: PointerEvent, begins: boolean) => void, ends?: (e: PointerEvent) => void): void {
    e.addEventListener("pointerdown", (down) => {
      e.setPointerCapture(down.pointerId);
      move(down, true);
      down.preventDefault();
      e.focus();
    });
    e.addEventListener("pointermove", (m) => {
      if (e.hasPointerCapture(m.pointerId)) move(m, false);
    });
    e.addEventListener("pointerup", (up) => ends?.(up));
  }

  private setSplit(x: number): void {
    this.split = Math.max(0, Math.min(1, x));
    this.draw();
  }

  private keyboard(): void {
    this.divider.addEventListener("keydown", (e) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -COLUMNS, End: COLUMNS }[e.key];
      if (step === undefined) return;
      this.setSplit(this.split + step / COLUMNS);
      e.preventDefault();
      e.stopPropagation();
    });
    this.canvas.addEventListener("keydown", (e) => {
      const step = {
        ArrowLeft: -1,
        ArrowRight: 1,
        ArrowUp: -COLUMNS,
        ArrowDown: COLUMNS,
        PageUp: -16 * COLUMNS,
        PageDown: 16 * COLUMNS,
      }[e.key];
      const b = this.any();
      if (step === undefined || !b) return;
      const addr = this.page.settings.addr;
      const at = addr === undefined ? undefined : indexOf(b, addr);
      const next = at === undefined ? this.page.settings.mapRow * COLUMNS : Math.max(0, Math.min(b.count - 1, at + step));
      const rows = this.shownRows(this.canvas.clientHeight);
      const row = Math.floor(next / COLUMNS);
      if (row < this.page.settings.mapRow) this.page.settings.mapRow = row;
      if (row >= this.page.settings.mapRow + rows) this.page.settings.mapRow = row - rows + 1;
      this.over = undefined;
      this.pick(b.base + next * b.lineBytes);
      say(this.blockWords(b, next));
      e.preventDefault();
      e.stopPropagation();
    });
  }
}

function rgbOf(colour: string): [number, number, number] {
  const n = parseInt(colour.replace("#", ""), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}
