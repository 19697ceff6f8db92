// The address map: 64 blocks a row, one cell a block, A left of the divider
// and B right of it. The narrow overview shows all of memory; a drag over it
// chooses the rows of the detail.

import { describedBlocks } from "../drawing/blocks";
import { paintOn } from "../drawing/canvas";
import { CELL_STEPS, chooseRows, COLUMNS, dragged, firstRow, hovered } from "../drawing/cells";
import { AddressMap as Picture, MapColourNames, Scene, selection, TargetDivider, type Target } from "../drawing/described";
import { inks } from "../drawing/inks";
import { textWidth } from "../drawing/text";
import { byId, fitCanvas, h, stepped, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { say } from "../state/messages";
import type { Side } from "../protocol/protocol";
import { memoryOf } from "../protocol/scenario";
import type { Page } from "../state/page";
import { MAP_COLOURS, type MapColour } from "../state/settings";

const COLOUR_NAMES: Record<MapColour, string> = {
  bursts: "bursts fetched",
  size: "compressed size",
  touches: "times fetched or written",
  mode: "how it is stored",
};

// mapOf is the described map of what a page has, in its colours.
function mapOf(page: Page): Picture {
  const { data, settings } = page;
  const blocks = (side: Side) => {
    const b = data.blocks[side];
    return b && b.count > 0 ? describedBlocks(b, memoryOf(data.scenario, side).mag) : undefined!;
  };
  const map = new Picture(blocks("A"), blocks("B"), MapColourNames.indexOf(settings.map));
  map.Selected = new selection(settings.addr !== undefined, settings.addr ?? 0);
  return map;
}

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
  private empty = h("p", { class: "empty" });
  private split = 0.5;
  private over: number | undefined;
  private map = new Picture();
  private divides: Target | undefined; // the divider in the picture
  readonly draw = soon(() => this.paint());

  constructor(private page: Page, private pick: (addr: number) => void) {
    const panel = byId("panel-address");
    for (const c of MAP_COLOURS) this.colour.append(h("option", { value: c }, COLOUR_NAMES[c]));
    this.colour.addEventListener("change", () => {
      page.settings.map = this.colour.value as MapColour;
      page.emit("tab");
    });
    panel.append(
      h("div", { class: "tools" }, h("label", {}, "colour = ", this.colour)),
      h("div", { class: "map" }, this.overview, h("div", { class: "over" }, this.canvas, this.divider), this.empty),
      this.readout,
    );
    this.pointer();
    this.keyboard();
    page.on(["blocks", "tab", "select", "theme", "run", "map"], this.draw);
    new ResizeObserver(this.draw).observe(panel);
  }

  // figure is the map of both sides beside each other.
  figure(): Scene {
    const scene = new Scene();
    scene.Measure = textWidth;
    const { A, B } = this.page.data.labels;
    mapOf(this.page).Figure(scene, A, B);
    return scene;
  }

  // shown has the blocks of a side on show.
  private get shown(): Picture["A"] | undefined {
    return this.map.A ?? this.map.B;
  }

  private totalRows(): number {
    return Math.ceil((this.shown?.Count ?? 0) / COLUMNS);
  }

  private shownRows(): number {
    const fit = this.map.Rows(this.canvas.clientWidth, this.canvas.clientHeight);
    return Math.min(this.totalRows(), this.page.settings.mapRows || fit);
  }

  private paint(): void {
    const { page, canvas, divider } = this;
    if (byId("panel-address").hidden) return;
    const map = mapOf(page);
    this.map = map;
    this.colour.value = page.settings.map;
    this.empty.hidden = this.shown !== undefined;
    text(this.empty, "The map appears when a side has finished.");
    const rows = this.shownRows();
    const total = this.totalRows();
    page.settings.mapRow = Math.max(0, Math.min(page.settings.mapRow, total - rows));
    map.First = page.settings.mapRow * COLUMNS;
    map.Count = rows * COLUMNS;
    map.Divider = this.split;
    const divides = show(canvas, (scene, w, h) => map.Scene(scene, w, h)).find((t) => t.Kind === TargetDivider);
    divider.hidden = !divides;
    if (divides) {
      divider.style.left = `${divides.X + divides.W / 2}px`;
      divider.style.top = `${divides.Y}px`;
      divider.style.height = `${divides.H}px`;
      divider.setAttribute("aria-valuenow", String(Math.round(this.split * 100)));
    }
    this.divides = divides;
    show(this.overview, (scene, w, h) => map.Overview(scene, w, h));
    this.describe();
  }

  private describe(): void {
    const addr = this.page.settings.addr;
    const i = this.over ?? (addr === undefined ? undefined : this.indexOf(addr));
    text(this.readout, i === undefined ? "Point at a block, or move with the arrow keys." : this.map.Words(i));
  }

  private indexOf(addr: number): number | undefined {
    const [i, ok] = this.shown?.Block(addr) ?? [0, false];
    return ok ? i : undefined;
  }

  private hit(e: MouseEvent): number | undefined {
    const r = this.canvas.getBoundingClientRect();
    const [, block, ok] = this.map.At(e.clientX - r.left, e.clientY - r.top);
    return ok ? block : undefined;
  }

  private pointer(): void {
    const over = (cell: number | undefined): void => {
      this.over = cell;
      this.describe();
    };
    hovered(this.canvas, (e) => this.hit(e), over, (block) => this.pick(this.shown!.Address(block)));
    this.canvas.addEventListener(
      "wheel",
      (e) => {
        const rows = this.shownRows();
        const next = Math.max(0, Math.min(this.totalRows() - rows, this.page.settings.mapRow + Math.sign(e.deltaY) * 4));
        if (next === this.page.settings.mapRow) return;
        this.page.settings.mapRow = next;
        this.page.emit("map");
        e.preventDefault();
      },
      { passive: false },
    );
    dragged(this.divider, (e, begins) => {
      if (begins) this.divider.focus();
      const { divides } = this;
      if (divides) this.setSplit((e.clientX - this.canvas.getBoundingClientRect().left - divides.Left) / divides.Width);
    });
    chooseRows(this.overview, () => this.totalRows(), (row, rows, around) => {
      const { settings } = this.page;
      settings.mapRows = rows;
      settings.mapRow = around ? row - Math.floor(this.shownRows() / 2) : row;
      this.page.emit("map");
    });
  }

  private setSplit(x: number): void {
    this.split = Math.max(0, Math.min(1, x));
    this.draw();
  }

  private keyboard(): void {
    stepped(this.divider, () => ({ ArrowLeft: -1, ArrowRight: 1, Home: -COLUMNS, End: COLUMNS }), (step) =>
      this.setSplit(this.split + step / COLUMNS));
    stepped(this.canvas, () => CELL_STEPS, (step) => {
      const b = this.shown;
      if (!b) return;
      const addr = this.page.settings.addr;
      const at = addr === undefined ? undefined : this.indexOf(addr);
      const next = at === undefined ? this.page.settings.mapRow * COLUMNS : Math.max(0, Math.min(b.Count - 1, at + step));
      this.page.settings.mapRow = firstRow(Math.floor(next / COLUMNS), this.page.settings.mapRow, this.shownRows());
      this.over = undefined;
      this.pick(b.Address(next));
      say(this.map.Words(next));
    });
  }
}

// show paints what draw lays out on a canvas, and returns what can be pointed at.
function show(canvas: HTMLCanvasElement, draw: (scene: Scene, w: number, h: number) => void): Target[] {
  const { g, width, height } = fitCanvas(canvas);
  const scene = new Scene();
  scene.Measure = textWidth;
  draw(scene, width, height);
  paintOn(g, scene, inks());
  return scene.Targets;
}
