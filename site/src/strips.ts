// The channels' buses drawn by the page itself: what the moving picture shows
// of DRAM, for browsers without WebGL and for those who want it plain.

import { byId, fitCanvas, h, ink, soon, text } from "./dom";
import { KIND, type BusEvent } from "./events";
import { count, hex } from "./format";
import { SIDES, type Side } from "./protocol";
import { memoryOf } from "./scenario";
import { BOTH_SIDES_FROM, type Page } from "./state";

const WINDOW_CYCLES = 96; // on a strip; "now" is its right edge
const LABEL = 28;
const ROOMY = 38; // CSS pixels of a strip with room for saved bursts
const MODE_LOSSY = 2;

export class Strips {
  private canvas = h("canvas", {
    class: "strips",
    role: "img",
    "aria-label": "Bursts on each channel's bus up to the cursor, A left, B right",
  });
  private readout = h("p", { class: "readout" });
  readonly draw = soon(() => this.paint());
  private hatch: CanvasPattern | null = null;
  private places: { x: number; y: number; w: number; h: number; e: BusEvent; side: Side }[] = [];

  constructor(private page: Page, pick: (addr: number, side: Side) => void) {
    byId("panel-strips").prepend(this.canvas, this.readout);
    this.canvas.addEventListener("click", (e) => {
      const r = this.canvas.getBoundingClientRect();
      const [x, y] = [e.clientX - r.left, e.clientY - r.top];
      const hit = this.places.find((p) => x >= p.x - 2 && x <= p.x + p.w + 2 && y >= p.y && y <= p.y + p.h);
      if (hit) pick(hit.e.addr, hit.side);
    });
    page.on(["cursor", "events", "tab", "run"], this.draw);
    page.on(["theme"], () => {
      this.hatch = null;
      this.draw();
    });
    new ResizeObserver(this.draw).observe(byId("panel-strips"));
  }

  private paint(): void {
    if (byId("panel-strips").hidden) return;
    const { g, width, height } = fitCanvas(this.canvas);
    this.hatch ??= makeHatch(g);
    this.places = [];
    const gap = 20;
    const half = (width - gap) / 2;
    if (width < BOTH_SIDES_FROM) this.side(g, this.page.settings.side, 0, width, height);
    else for (const side of SIDES) this.side(g, side, side === "A" ? 0 : half + gap, half, height);
    this.describe();
  }

  private side(g: CanvasRenderingContext2D, side: Side, left: number, width: number, height: number): void {
    const channels = this.page.data.topology[side]?.channels ?? 0;
    g.font = "600 12px system-ui, sans-serif";
    g.fillStyle = ink("ink");
    g.textBaseline = "top";
    g.fillText(`${side}  ${this.page.data.labels[side]}`, left, 2, width);
    if (channels === 0) return;
    const top = 24;
    const strip = Math.min(44, (height - top) / channels);
    const now = this.page.settings.cycle;
    const from = now - WINDOW_CYCLES;
    const scale = (width - LABEL) / WINDOW_CYCLES;
    const base = (channel: number): number => top + (channel + 1) * strip - 4;
    g.font = "11px system-ui, sans-serif";
    g.textBaseline = "alphabetic";
    for (let c = 0; c < channels; c++) {
      g.fillStyle = ink("muted");
      g.fillText(`ch${c}`, left, base(c));
      g.fillStyle = ink("rule");
      g.fillRect(left + LABEL, base(c), width - LABEL, 1);
    }
    // Where strips are low, bursts take the room and the saved ones are left out.
    const tall = strip > ROOMY ? 22 : strip - 6;
    const most = 128 / memoryOf(this.page.data.scenario, side).mag;
    g.save();
    g.beginPath();
    g.rect(left + LABEL, top, width - LABEL, height - top);
    g.clip();
    for (const e of this.page.data.events[side].between(from, now)) {
      this.mark(g, e, left + LABEL + (e.cycle - from) * scale, base(e.channel), scale, tall, most, side);
    }
    g.restore();
  }

  private mark(
    g: CanvasRenderingContext2D,
    e: BusEvent,
    x: number,
    base: number,
    scale: number,
    tall: number,
    most: number,
    side: Side,
  ): void {
    const w = Math.max(2, (e.until - e.cycle) * scale - 1);
    if (e.kind === KIND.activate) {
      g.strokeStyle = ink("muted");
      g.lineWidth = 1;
      g.beginPath();
      g.moveTo(x - 3, base);
      g.lineTo(x, base - tall);
      g.lineTo(x + 3, base);
      g.stroke();
      return;
    }
    if (e.kind === KIND.precharge) return;
    if (e.metadata) {
      g.fillStyle = ink("meta");
      g.beginPath();
      g.arc(x + w / 2, base - 6, 3.2, 0, 7);
      g.fill();
      return;
    }
    g.fillStyle = e.mode === MODE_LOSSY && this.hatch ? this.hatch : ink("fetched");
    g.fillRect(x, base - tall, w, tall);
    if (e.kind === KIND.write) {
      // A notch at the foot tells writes from reads.
      g.fillStyle = ink("paper");
      g.fillRect(x + w / 4, base - 5, w / 2, 3);
    }
    this.places.push({ x, y: base - tall, w, h: tall, e, side });
    if (e.index + 1 !== e.bursts || tall < 22) return;
    g.strokeStyle = ink("muted");
    g.setLineDash([2, 2]);
    for (let i = 0; i < most - e.bursts; i++) g.strokeRect(x + 0.5, base - tall - 5.5 - i * 6, 4, 4);
    g.setLineDash([]);
  }

  private describe(): void {
    const now = this.page.settings.cycle;
    const words = SIDES.map((side) => {
      const on = this.page.data.events[side].between(now - WINDOW_CYCLES, now).filter((e) => e.kind >= KIND.read);
      const lossy = on.filter((e) => e.mode === MODE_LOSSY).length;
      const last = on[on.length - 1];
      const where = last ? `, the last of ${hex(last.addr)} on channel ${last.channel}` : "";
      return `${side}: ${count(on.length)} bursts${lossy > 0 ? `, ${count(lossy)} with approximated symbols` : ""}${where}`;
    });
    text(this.readout, `The ${WINDOW_CYCLES} cycles up to the cursor. ${words.join(". ")}. Small dotted squares: bursts a block did not need.`);
  }
}

function makeHatch(g: CanvasRenderingContext2D): CanvasPattern | null {
  const tile = new OffscreenCanvas(6, 6);
  const t = tile.getContext("2d")!;
  t.fillStyle = ink("approx");
  t.fillRect(0, 0, 6, 6);
  t.strokeStyle = ink("paper");
  t.lineWidth = 1.5;
  t.beginPath();
  for (const d of [-6, 0, 6]) {
    t.moveTo(d, 6);
    t.lineTo(d + 6, 0);
  }
  t.stroke();
  return g.createPattern(tile, "repeat");
}
