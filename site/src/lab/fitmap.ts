// The maps of a model's entries: how many sectors each takes, how many of them its array's target keeps in device
// memory, and which lie behind the link. This script is fetched with the first profile.

import "../../fitmap.css";
import { DEVICE, LINKED, ROOM, legendMark } from "../drawing/marks";
import { fitCanvas, h, ink, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { bytes, count, percent, visible } from "../lib/format";
import type { FitAllocation, FitMap } from "../protocol/lab";
import type { Page } from "../state/page";

window.burstscopeFitMaps = (page, box) => {
  const maps = new FitMaps(page, box);
  return (map, list) => maps.show(map, list);
};

const ROW = 64; // cells, as in the paper's figure 8
const ENTRY_BYTES = 128;
const SECTORS = 4; // of an entry
const SECTOR = 4; // CSS pixels in height
const LANE = SECTORS * SECTOR + 4;

// Sectors of an entry in device memory, by target (core/system/buddy/layout/target.go). At 16x, 8 bytes lie there.
const SECTORS_OF: Record<string, number> = { plain: 4, "1": 4, "4/3": 3, "2": 2, "4": 1, "16": 0.25 };

// split is a cell's mean sectors in device memory and behind the link.
function split(counts: Uint32Array, target: string): { device: number; link: number; linked: number; entries: number } {
  const room = SECTORS_OF[target]!;
  let device = 0;
  let link = 0;
  let linked = 0;
  let entries = 0;
  counts.forEach((n, s) => {
    entries += n;
    if (target === "plain") device += n * SECTORS;
    else {
      device += n * Math.min(s, room);
      // The 8 bytes of a target of 16 are no sector: all of the code's sectors count behind the link.
      const over = s === 0 ? 0 : room < 1 ? s : Math.max(0, s - room);
      link += n * over;
      if (over > 0) linked += n;
    }
  });
  return { device: device / entries, link: link / entries, linked, entries };
}

interface Shown {
  canvas: HTMLCanvasElement;
  array: FitAllocation;
  from: number; // its first cell
  cells: number;
}

class FitMaps {
  private words = h("p", { class: "note" });
  private readout = h("p", { class: "readout", id: "fit-map-readout" });
  private list = h("div", { class: "fitmaplist", role: "region", tabindex: 0, "aria-label": "Maps of all arrays" });
  private shown: Shown[] = [];
  private map: FitMap | undefined;
  private readonly draw = soon(() => this.paint());

  constructor(page: Page, box: HTMLElement) {
    box.replaceChildren(
      h("h2", {}, "Where the entries lie"),
      this.words,
      h("div", { class: "legend" },
        ...[DEVICE, ROOM, LINKED].map((m) => legendMark(m)),
      ),
      this.list,
      this.readout,
    );
    this.list.addEventListener("pointermove", (e) => this.point(e));
    this.list.addEventListener("pointerleave", () => this.point(undefined));
    page.on(["theme"], this.draw);
    new ResizeObserver(this.draw).observe(this.list);
  }

  // show draws the maps of some arrays, each with the number of its array in the profile.
  show(map: FitMap, list: { array: FitAllocation; at: number }[]): void {
    this.map = map;
    this.shown = list.map(({ array, at }) => {
      const end = (k: number): number => (k < 0 ? 0 : (map.ends[Math.min(k, map.ends.length - 1)] ?? 0));
      const from = end(at - 1);
      return { canvas: h("canvas", { role: "img" }), array, from, cells: end(at) - from };
    });
    text(
      this.words,
      `${map.perCell === 1 ? "Each column is an entry of 128 bytes" : `Each column is the mean of ${count(map.perCell)} entries of 128 bytes`}, and its height is in sectors of 32 bytes. ` +
        `A row has ${ROW}, in the order of the addresses. The line is the target: sectors above it lie behind the link.`,
    );
    this.list.replaceChildren(
      ...this.shown.map((s) => {
        const { name, target, overShare } = s.array;
        const words = `${visible(name)}, ${target === "plain" ? "not compressed" : `target ${target}`}, ${overShare === 0 ? "no entry needs" : `${percent(overShare)} of the entries need`} the link`;
        s.canvas.setAttribute("aria-label", `Map of ${words}`);
        s.canvas.style.height = `${Math.ceil(s.cells / ROW) * LANE}px`;
        return h("figure", {}, h("figcaption", {}, h("strong", {}, visible(name)), ` ${bytes(s.array.bytes)}, ${words.slice(visible(name).length + 2)}`), s.canvas);
      }),
    );
    this.point(undefined);
    this.paint();
  }

  private counts(s: Shown, cell: number): Uint32Array {
    return this.map!.counts.subarray((s.from + cell) * (SECTORS + 1), (s.from + cell + 1) * (SECTORS + 1));
  }

  private paint(): void {
    const [fetched, buddy, rule, line] = ["fetched", "buddy", "rule", "ink"].map(ink);
    for (const s of this.shown) {
      const { g, width } = fitCanvas(s.canvas);
      const wide = width / ROW;
      const gap = wide > 7 ? 2 : 1;
      const room = SECTORS_OF[s.array.target]!;
      for (let cell = 0; cell < s.cells; cell++) {
        const x = Math.round((cell % ROW) * wide);
        const w = Math.round(((cell % ROW) + 1) * wide) - x - gap;
        const base = (Math.floor(cell / ROW) + 1) * LANE - 2;
        const { device, link } = split(this.counts(s, cell), s.array.target);
        g.fillStyle = rule!;
        g.fillRect(x, base - room * SECTOR, w, room * SECTOR);
        g.fillStyle = fetched!;
        g.fillRect(x, base - device * SECTOR, w, device * SECTOR);
        g.fillStyle = buddy!;
        // Stripes, one pixel wide, from the target's line up.
        const top = base - room * SECTOR - Math.min(link, SECTORS - room) * SECTOR;
        if (link > 0) for (let i = 0; i < w; i += 2) g.fillRect(x + i, top, 1, base - room * SECTOR - top);
      }
      g.fillStyle = line!;
      for (let row = 0; row * ROW < s.cells; row++) {
        const cells = Math.min(ROW, s.cells - row * ROW);
        if (room < SECTORS) g.fillRect(0, (row + 1) * LANE - 2 - room * SECTOR - 1, cells * wide - gap, 1);
      }
    }
  }

  private point(e: PointerEvent | undefined): void {
    const s = this.shown.find((x) => x.canvas === e?.target);
    const cell = s && e ? Math.floor(e.offsetY / LANE) * ROW + Math.floor((e.offsetX / s.canvas.clientWidth) * ROW) : 0;
    if (!s || cell >= s.cells || !this.map) return text(this.readout, "Point at a column for its entries.");
    const c = this.counts(s, cell);
    const { linked, entries } = split(c, s.array.target);
    const first = cell * this.map.perCell;
    const last = Math.min(first + this.map.perCell, s.array.bytes / ENTRY_BYTES) - 1;
    const sizes = [...c].flatMap((n, k) => (n > 0 ? [`${count(n)} ${n === 1 ? "takes" : "take"} ${k === 0 ? "no sector" : k === 1 ? "1 sector" : `${k} sectors`}`] : []));
    text(this.readout, `${visible(s.array.name)}, ${first === last ? `entry ${count(first)}` : `entries ${count(first)} to ${count(last)}`}: ${sizes.join(", ")}; ${count(linked)} of ${count(entries)} over the link.`);
  }
}
