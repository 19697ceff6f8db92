// The map of SMs over time: a lane for each SM, a cell for each phase. Both sides share the
// axis of cycles and the scale.

import { fitCanvas, ink } from "../lib/dom";
import { short } from "../lib/format";
import { cividis } from "../drawing/cividis";
import type { Side } from "../protocol/protocol";
import type { L1Show } from "../state/settings";
import type { PhaseTable } from "./phases";

const LABEL = 44;
const HEAD = 20;
const FOOT = 20;
const GAP = 24;
const LEAST_LANE = 3;
// Colours of the modes, and how much of a lane's height they fill: the height tells them apart
// without colour.
// Both codes are lossless, so neither has the colour of approximated data.
export const MODE_INKS = ["raw", "fetched", "ink"] as const;
const MODE_HEIGHTS = [0.3, 0.65, 1];

export interface Drawn {
  side: Side;
  table: PhaseTable;
  label: string;
}

// Place is where a side was drawn.
interface Place extends Drawn {
  x: number;
  w: number;
  lane: number;
}

export interface Cell {
  side: Side;
  row: number;
}

// VALUES are what the colour of a cell can show on a scale.
export const VALUES: Record<Exclude<L1Show, "modes" | "sets">, (t: PhaseTable, row: number) => number> = {
  tolerance: (t, row) => t.value(row, "tolerance"),
  capacity: (t, row) => t.value(row, "capacity"),
  queue: (t, row) => t.queue(row),
};

export class PhaseMap {
  private places: Place[] = [];
  private end = 1;

  constructor(readonly canvas: HTMLCanvasElement) {}

  // leastHeight is the height below which lanes could not be told apart.
  static leastHeight(sides: Drawn[]): number {
    return HEAD + FOOT + LEAST_LANE * Math.max(...sides.map((s) => s.table.of.sms));
  }

  draw(sides: Drawn[], show: Exclude<L1Show, "sets">, most: number, end: number, cursor: number, selected: Cell | undefined): void {
    const { g, width, height } = fitCanvas(this.canvas);
    this.end = Math.max(1, end);
    const w = (width - LABEL - GAP * (sides.length - 1) - 8) / sides.length;
    this.places = sides.map((s, i) => ({ ...s, x: LABEL + i * (w + GAP), w, lane: (height - HEAD - FOOT) / s.table.of.sms }));
    const modeInks = MODE_INKS.map((name) => ink(name));
    const [muted, rule, inked] = [ink("muted"), ink("rule"), ink("ink")];
    this.places.forEach((p, i) => {
      const { table, x, lane } = p;
      g.font = "600 12px system-ui, sans-serif";
      g.fillStyle = inked;
      g.fillText(`${p.side}  ${p.label}`, x, 13);
      g.font = "12px system-ui, sans-serif";
      const gap = lane > 6 ? 1 : 0;
      for (let sm = 0; sm < table.of.sms; sm++) {
        const y = HEAD + sm * lane;
        const [from, to] = table.span(sm);
        for (let row = from; row < to; row++) {
          const left = this.x(p, table.value(row, "began"));
          const wide = Math.max(this.x(p, table.until(row)) - left, 0.5);
          if (show === "modes") {
            const mode = table.mode(row);
            const high = (lane - gap) * MODE_HEIGHTS[mode]!;
            g.fillStyle = modeInks[mode]!;
            g.fillRect(left, y + lane - gap - high, wide, high);
          } else {
            const v = VALUES[show](table, row);
            g.fillStyle = Number.isNaN(v) ? rule : cividis(most === 0 ? 0 : Math.min(v / most, 1));
            g.fillRect(left, y, wide, lane - gap);
          }
        }
      }
      if (i === 0 || table.of.sms !== this.places[0]!.table.of.sms) this.names(g, p, muted);
      g.fillStyle = muted;
      const foot = HEAD + lane * table.of.sms + 14;
      g.fillText("0", x, foot);
      g.textAlign = "right";
      g.fillText(`${short(this.end)} cycles`, x + w, foot);
      g.textAlign = "left";
      g.fillStyle = inked;
      g.fillRect(this.x(p, cursor), HEAD - 3, 1, lane * table.of.sms + 6);
    });
    if (selected) this.outline(g, selected, inked);
  }

  private names(g: CanvasRenderingContext2D, p: Place, muted: string): void {
    g.fillStyle = muted;
    g.textAlign = "right";
    const every = Math.ceil(12 / p.lane);
    for (let sm = 0; sm < p.table.of.sms; sm += every) g.fillText(sm === 0 ? "SM 0" : String(sm), p.x - 6, HEAD + (sm + 0.5) * p.lane + 4);
    g.textAlign = "left";
  }

  private outline(g: CanvasRenderingContext2D, { side, row }: Cell, colour: string): void {
    const p = this.places.find((q) => q.side === side);
    if (!p || row >= p.table.rows) return;
    const left = this.x(p, p.table.value(row, "began"));
    const wide = Math.max(this.x(p, p.table.until(row)) - left, 3);
    const y = HEAD + p.table.value(row, "sm") * p.lane;
    g.strokeStyle = ink("paper");
    g.lineWidth = 4;
    g.strokeRect(left - 1, y - 1, wide + 2, p.lane + 1);
    g.strokeStyle = colour;
    g.lineWidth = 2;
    g.strokeRect(left - 1, y - 1, wide + 2, p.lane + 1);
  }

  private x(p: Place, cycle: number): number {
    return p.x + (p.w * Math.min(cycle, this.end)) / this.end;
  }

  // at is the phase at a point of the canvas.
  at(x: number, y: number): Cell | undefined {
    const p = this.places.find((q) => x >= q.x && x <= q.x + q.w);
    if (!p) return undefined;
    const sm = Math.floor((y - HEAD) / p.lane);
    const cycle = ((x - p.x) / p.w) * this.end;
    if (sm < 0 || sm >= p.table.of.sms) return undefined;
    const row = p.table.find(sm, cycle);
    return row === undefined || cycle > p.table.until(row) ? undefined : { side: p.side, row };
  }
}
