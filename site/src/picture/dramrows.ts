// The data of the charts of DRAM over time: the series of the engine, added up for
// rows of channels and converted to rates.

import type { Dram, Side, Topology } from "../protocol/protocol";
import { memoryOf } from "../protocol/scenario";
import type { Page } from "../state/page";

// Row is a line of small charts: the same channels of both sides.
export interface Row {
  label: string;
  title: string; // in full
  channels: number[];
}

export function controllerOf(t: Topology, channel: number): number {
  const channels = t.channels ?? 1;
  return Math.floor((channel * (t.controllers ?? channels)) / channels);
}

// rowsOf lists all channels together and each controller, or one channel alone.
export function rowsOf(page: Page, total: boolean): Row[] {
  const t = page.data.topology.B ?? page.data.topology.A;
  const channels = t?.channels ?? 0;
  if (!t || channels === 0) return [];
  const chosen = page.settings.channel;
  if (chosen !== undefined && chosen < channels) {
    return [{ label: `ch ${chosen}`, title: `channel ${chosen}`, channels: [chosen] }];
  }
  const rows: Row[] = [];
  const all = Array.from({ length: channels }, (_, c) => c);
  const controllers = t.controllers ?? 1;
  if (total || controllers === 1) rows.push({ label: "all", title: "all channels", channels: all });
  if (controllers === 1) return rows;
  for (let m = 0; m < controllers; m++) {
    rows.push({ label: `MC${m}`, title: `controller ${m}`, channels: all.filter((c) => controllerOf(t, c) === m) });
  }
  return rows;
}

// Over is one side over time, for one row.
export class Over {
  constructor(
    private d: Dram,
    private channels: number[],
    private mag: number,
    private coreMHz: number,
    private cycles: number, // of the run
  ) {}

  get points(): number {
    return this.d.points;
  }

  // from and to are the cycles of a point; the last one may be shorter.
  from(point: number): number {
    return point * this.d.cyclesPerPoint;
  }

  to(point: number): number {
    const end = (point + 1) * this.d.cyclesPerPoint;
    return point === this.d.points - 1 ? Math.max(Math.min(end, this.cycles), this.from(point) + 1) : end;
  }

  // rate is bytes per second.
  rate(column: Uint32Array, point: number): number {
    return (this.sum(column, point) * this.mag * this.coreMHz * 1e6) / (this.to(point) - this.from(point));
  }

  meanRate(column: Uint32Array): number {
    let bursts = 0;
    for (let p = 0; p < this.d.points; p++) bursts += this.sum(column, p);
    return this.cycles === 0 ? 0 : (bursts * this.mag * this.coreMHz * 1e6) / this.cycles;
  }

  // length is the mean length of a channel's queue.
  length(column: Float64Array, point: number): number {
    const whole = this.d.cyclesPerPoint / (this.to(point) - this.from(point));
    return (this.sum(column, point) * whole) / this.channels.length;
  }

  meanLength(column: Float64Array): number {
    let total = 0;
    for (let p = 0; p < this.d.points; p++) total += this.sum(column, p);
    return this.cycles === 0 ? 0 : (total * this.d.cyclesPerPoint) / this.cycles / this.channels.length;
  }

  private sum(column: Uint32Array | Float64Array, point: number): number {
    let n = 0;
    for (const c of this.channels) n += column[point * this.d.channels + c] ?? 0;
    return n;
  }
}

export function overOf(page: Page, side: Side, row: Row): Over | undefined {
  const d = page.data.dram[side];
  const t = page.data.topology[side];
  if (!d || !t) return undefined;
  return new Over(d, row.channels, memoryOf(page.data.scenario, side).mag, t.coreMHz ?? 1000, cyclesOf(page, side));
}

// cyclesOf a side: what its result says, or as far as it has come.
export function cyclesOf(page: Page, side: Side): number {
  const done = page.results.of === "run" ? page.results[side]?.cycles : undefined;
  return done ?? page.data.progress[side]?.cycle ?? 0;
}

// peakOf is the bandwidth of so many channels, in bytes per second.
export function peakOf(t: Topology, channels: number): number {
  return ((t.peakBytesPerCycle ?? 0) * (t.coreMHz ?? 0) * 1e6 * channels) / (t.channels ?? 1);
}

// Hits is how many bursts a cell had and how many found their row open.
export interface Hits {
  bursts: number;
  hits: number;
}

// bankHits adds up a bank of some channels over some points.
export function bankHits(d: Dram, channels: number[], bank: number, from: number, to: number): Hits {
  let [bursts, activates] = [0, 0];
  for (let p = from; p < to; p++) {
    for (const c of channels) {
      const i = (p * d.channels + c) * d.banks + bank;
      bursts += d.bankBursts[i] ?? 0;
      activates += d.bankActivates[i] ?? 0;
    }
  }
  // A row may be opened in one interval for bursts of the next.
  return { bursts, hits: Math.max(0, bursts - activates) };
}
