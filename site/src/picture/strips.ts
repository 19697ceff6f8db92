// The channels' buses drawn by the page itself: what the moving picture shows
// of DRAM, for browsers without WebGL and for those who want it plain.

import { byId, fitCanvas, h, ink, soon, text } from "../lib/dom";
import { ALL_BANKS, KIND, isBurst, type BusEvent } from "../protocol/events";
import { count, hex } from "../lib/format";
import { SIDES, type Side } from "../protocol/protocol";
import { memoryOf } from "../protocol/scenario";
import type { Page } from "../state/page";
import { BOTH_SIDES_FROM, type PickedBurst } from "../state/settings";

const WINDOW_CYCLES = 96; // on a strip; "now" is its right edge
const BANK_CYCLES = 192; // where one channel has the picture
const ROWS_BACK = 20_000;
const LABEL = 28;
// CSS pixels of a strip where there are few, and from which on saved bursts have room.
const TALLEST = 84;
const ROOMY = 28;
const SAVED_STEP = 6; // from one saved burst to the next above it
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
  private now = 0; // cycle that is drawn
  private places: { x: number; y: number; w: number; h: number; e: BusEvent; side: Side }[] = [];

  constructor(private page: Page, pick: (addr: number, side: Side, at: PickedBurst) => void) {
    byId("panel-strips").prepend(this.canvas, this.readout);
    this.canvas.addEventListener("click", (e) => {
      const r = this.canvas.getBoundingClientRect();
      const [x, y] = [e.clientX - r.left, e.clientY - r.top];
      const hit = this.places.find((p) => x >= p.x - 2 && x <= p.x + p.w + 2 && y >= p.y && y <= p.y + p.h);
      if (hit) pick(hit.e.addr, hit.side, hit.e);
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
    this.drawOn(g, width, height, this.page.settings.cycle);
    this.describe();
  }

  // figure draws the picture somewhere else, at any cycle.
  figure(g: CanvasRenderingContext2D, width: number, height: number, cycle = this.page.settings.cycle): void {
    const { hatch, places } = this;
    this.hatch = makeHatch(g);
    this.drawOn(g, width, height, cycle);
    [this.hatch, this.places] = [hatch, places];
  }

  private drawOn(g: CanvasRenderingContext2D, width: number, height: number, cycle: number): void {
    this.now = cycle;
    this.places = [];
    const gap = 20;
    const half = (width - gap) / 2;
    const draw = (side: Side, left: number, w: number): void =>
      this.page.settings.tab === "dram" ? this.banks(g, side, left, w, height) : this.side(g, side, left, w, height);
    if (width < BOTH_SIDES_FROM) draw(this.page.settings.side, 0, width);
    else for (const side of SIDES) draw(side, side === "A" ? 0 : half + gap, half);
  }

  private title(g: CanvasRenderingContext2D, side: Side, left: number, width: number, more: string): void {
    g.font = "600 12px system-ui, sans-serif";
    g.fillStyle = ink("ink");
    g.textBaseline = "top";
    g.fillText(`${side}  ${this.page.data.labels[side]}${more}`, left, 2, width);
    g.font = "12px system-ui, sans-serif";
    g.textBaseline = "alphabetic";
  }

  // banks draws one channel bank by bank: a bar while a row is open, in it the
  // bursts that used it, and its bus at the foot.
  private banks(g: CanvasRenderingContext2D, side: Side, left: number, width: number, height: number): void {
    const t = this.page.data.topology[side];
    const banks = t?.banks ?? 0;
    const channel = Math.min(this.page.settings.channel ?? 0, (t?.channels ?? 1) - 1);
    this.title(g, side, left, width, `, channel ${channel}`);
    if (banks === 0) return;
    const top = 24;
    const lane = Math.min(40, (height - top) / (banks + 1));
    const { now } = this;
    const from = now - BANK_CYCLES;
    const scale = (width - LABEL) / BANK_CYCLES;
    const x = (cycle: number): number => left + LABEL + (cycle - from) * scale;
    const base = (bank: number): number => top + (bank + 1) * lane - 3;
    for (let b = 0; b <= banks; b++) {
      g.fillStyle = ink("muted");
      if (b < banks ? b % Math.ceil(12 / lane) === 0 : lane > 8) g.fillText(b < banks ? String(b) : "bus", left, base(b));
      g.fillStyle = ink("rule");
      g.fillRect(left + LABEL, base(b), width - LABEL, 1);
    }
    g.save();
    g.beginPath();
    g.rect(left + LABEL, top, width - LABEL, height - top);
    g.clip();
    // Rows opened long before the window may still be open in it.
    const events = this.page.data.events[side].between(from, now, ROWS_BACK).filter((e) => e.channel === channel);
    const open = new Map<number, number>();
    const bar = (bank: number, until: number): void => {
      const since = open.get(bank);
      if (since === undefined) return;
      open.delete(bank);
      g.fillStyle = ink("panel");
      g.strokeStyle = ink("rule");
      g.fillRect(x(since), base(bank) - lane + 5, (until - since) * scale, lane - 5);
      g.strokeRect(x(since) + 0.5, base(bank) - lane + 5.5, (until - since) * scale - 1, lane - 6);
    };
    for (const e of events) {
      if (e.kind === KIND.activate) open.set(e.bank, e.cycle);
      else if (e.kind === KIND.precharge) bar(e.bank, e.cycle);
    }
    for (const bank of [...open.keys()]) bar(bank, now);
    const most = this.burstsOfBlock(side);
    const step = lane > ROOMY ? SAVED_STEP : 0;
    for (const e of events) {
      if (e.opening || (e.until < from && e.cycle < from)) continue;
      if (e.kind === KIND.refresh) this.refresh(g, e, x(e.cycle), scale, e.bank === ALL_BANKS ? top : base(e.bank) - lane + 4, e.bank === ALL_BANKS ? banks * lane : lane - 4);
      else if (e.bank < banks) this.mark(g, e, x(e.cycle), base(e.bank), scale, lane - 6, most, step, side);
      if (isBurst(e)) this.mark(g, e, x(e.cycle), base(banks), scale, lane - 6, most, step, side);
    }
    g.restore();
  }

  // refresh is a pale box over the time in which banks cannot be used.
  private refresh(g: CanvasRenderingContext2D, e: BusEvent, x: number, scale: number, y: number, tall: number): void {
    const w = Math.max(3, (e.until - e.cycle) * scale);
    g.fillStyle = ink("raw");
    g.globalAlpha = 0.25;
    g.fillRect(x, y, w, tall);
    g.globalAlpha = 1;
    g.strokeStyle = ink("raw");
    g.strokeRect(x + 0.5, y + 0.5, w - 1, tall - 1);
    g.fillStyle = ink("ink");
    if (w > 46 && tall > 10) g.fillText("refresh", x + 4, y + tall / 2 + 4);
  }

  private side(g: CanvasRenderingContext2D, side: Side, left: number, width: number, height: number): void {
    const channels = this.page.data.topology[side]?.channels ?? 0;
    this.title(g, side, left, width, "");
    if (channels === 0) return;
    const top = 24;
    const strip = Math.min(TALLEST, (height - top) / channels);
    const { now } = this;
    const from = now - WINDOW_CYCLES;
    const scale = (width - LABEL) / WINDOW_CYCLES;
    const base = (channel: number): number => top + (channel + 1) * strip - 4;
    for (let c = 0; c < channels; c++) {
      g.fillStyle = ink("muted");
      g.fillText(`ch${c}`, left, base(c));
      g.fillStyle = ink("rule");
      g.fillRect(left + LABEL, base(c), width - LABEL, 1);
    }
    // Where strips are low, bursts take the room and the saved ones are left out.
    const tall = strip > ROOMY ? strip / 2 : strip - 6;
    const most = this.burstsOfBlock(side);
    const step = strip > ROOMY ? savedStep(strip - tall - 6, most) : 0;
    g.save();
    g.beginPath();
    g.rect(left + LABEL, top, width - LABEL, height - top);
    g.clip();
    for (const e of this.page.data.events[side].between(from, now)) {
      if (e.opening) continue;
      if (e.kind === KIND.refresh) this.refresh(g, e, left + LABEL + (e.cycle - from) * scale, scale, base(e.channel) - tall, tall);
      else this.mark(g, e, left + LABEL + (e.cycle - from) * scale, base(e.channel), scale, tall, most, step, side);
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
    step: number,
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
    if (e.kind === KIND.precharge) {
      g.strokeStyle = ink("muted");
      g.lineWidth = 1;
      g.beginPath();
      g.moveTo(x - 2, base - tall);
      g.lineTo(x, base - tall * 0.45);
      g.lineTo(x + 2, base - tall);
      g.stroke();
      return;
    }
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
    if (e.index + 1 !== e.bursts || step === 0) return;
    g.strokeStyle = ink("muted");
    g.setLineDash([2, 2]);
    for (let i = 0; i < most - e.bursts; i++) g.strokeRect(x + 0.5, base - tall + 0.5 - (i + 1) * step, 4, step - 2);
    g.setLineDash([]);
  }

  private burstsOfBlock(side: Side): number {
    return 128 / memoryOf(this.page.data.scenario, side).mag;
  }

  private describe(): void {
    const now = this.page.settings.cycle;
    const byBank = this.page.settings.tab === "dram";
    const cycles = byBank ? BANK_CYCLES : WINDOW_CYCLES;
    const channel = byBank ? (this.page.settings.channel ?? 0) : undefined;
    const words = SIDES.map((side) => {
      const on = this.page.data.events[side].between(now - cycles, now).filter((e) => isBurst(e) && (channel === undefined || e.channel === channel));
      const lossy = on.filter((e) => e.mode === MODE_LOSSY).length;
      const last = on[on.length - 1];
      const where = last ? `, the last of ${hex(last.addr)} on channel ${last.channel}` : "";
      return `${side}: ${count(on.length)} bursts${lossy > 0 ? `, ${count(lossy)} with approximated symbols` : ""}${where}`;
    });
    text(this.readout, `The ${cycles} cycles up to the cursor. ${words.join(". ")}. Small dotted squares: bursts a block did not need.`);
  }
}

// savedStep is how far apart the saved bursts of a block stand in what is left of a strip.
function savedStep(room: number, most: number): number {
  return Math.max(3, Math.min(SAVED_STEP, room / Math.max(1, most - 1)));
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
