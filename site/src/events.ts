// The event log of one side: the batches of core/probe as they came, an index
// of what is on the DRAM buses, and searches over both.

export const KIND = {
  launch: 1,
  issue: 2,
  l1: 3,
  xbarRequest: 4,
  xbarReply: 5,
  l2: 6,
  queue: 7,
  metadata: 8,
  activate: 9,
  precharge: 10,
  read: 11,
  write: 12,
  compress: 13,
  decompress: 14,
  reply: 15,
  refresh: 19,
} as const;

export const RECORD_WORDS = 8; // 32-byte records
export const BIN_CYCLES = 64;

export interface Event {
  cycle: number;
  addr: number;
  req: number;
  a: number;
  b: number;
  unit: number;
  kind: number;
}

interface Batch {
  buffer: ArrayBuffer;
  words: Uint32Array;
  count: number;
}

export function decode(words: Uint32Array, index: number): Event {
  const w = index * RECORD_WORDS;
  return {
    cycle: words[w]! + words[w + 1]! * 2 ** 32,
    addr: words[w + 2]! + words[w + 3]! * 2 ** 32,
    req: words[w + 4]!,
    a: words[w + 5]!,
    b: words[w + 6]!,
    unit: words[w + 7]! & 0xffff,
    kind: (words[w + 7]! >>> 16) & 0xff,
  };
}

export const ALL_BANKS = 0xffff;

// isBurst tells bursts from row commands and refreshes.
export function isBurst(e: { kind: number }): boolean {
  return e.kind === KIND.read || e.kind === KIND.write;
}

// BusEvent is something on a channel's bus, unpacked for drawing.
export interface BusEvent {
  cycle: number;
  until: number;
  kind: number;
  channel: number;
  bank: number; // ALL_BANKS of a refresh of all
  row: number; // of row commands
  addr: number;
  index: number; // of the burst in its block
  bursts: number; // of the block
  mode: number;
  metadata: boolean;
}

function busEvent(e: Event): BusEvent {
  const burst = isBurst(e);
  const length = burst ? e.b >>> 16 : e.kind === KIND.refresh ? e.b : 0;
  return {
    cycle: e.cycle,
    until: e.cycle + length,
    kind: e.kind,
    channel: e.unit,
    bank: burst ? e.a & 0xff : e.a & 0xffff,
    row: burst ? 0 : e.b,
    addr: e.addr,
    index: (e.a >>> 8) & 0xff,
    bursts: (e.a >>> 16) & 0xff,
    mode: e.a >>> 24,
    metadata: burst && (e.b & 1) === 1,
  };
}

// BusIndex lists the records of bus events in order of cycles. Bursts are
// announced a little ahead, so an insertion moves few entries.
class BusIndex {
  length = 0;
  cycles = new Float64Array(1 << 12);
  private batch = new Uint16Array(1 << 12);
  private record = new Uint32Array(1 << 12);

  insert(cycle: number, batch: number, record: number): void {
    if (this.length === this.cycles.length) this.grow();
    let i = this.length++;
    for (; i > 0 && this.cycles[i - 1]! > cycle; i--) {
      this.cycles[i] = this.cycles[i - 1]!;
      this.batch[i] = this.batch[i - 1]!;
      this.record[i] = this.record[i - 1]!;
    }
    this.cycles[i] = cycle;
    this.batch[i] = batch;
    this.record[i] = record;
  }

  event(i: number, batches: Batch[]): Event {
    return decode(batches[this.batch[i]!]!.words, this.record[i]!);
  }

  // firstAt returns the first entry at or after a cycle.
  firstAt(cycle: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (this.cycles[mid]! < cycle) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  private grow(): void {
    const size = this.cycles.length * 2;
    const [cycles, batch, record] = [new Float64Array(size), new Uint16Array(size), new Uint32Array(size)];
    cycles.set(this.cycles);
    batch.set(this.batch);
    record.set(this.record);
    [this.cycles, this.batch, this.record] = [cycles, batch, record];
  }
}

export class EventLog {
  batches: Batch[] = [];
  count = 0;
  dropped = 0;
  until = 0;
  // Bursts in each BIN_CYCLES cycles, metadata included.
  bins = new Uint32Array(1 << 10);
  last = 0; // cycle of the last burst
  private bus = new BusIndex();

  add(buffer: ArrayBuffer, count: number, dropped: number, until: number): void {
    const words = new Uint32Array(buffer, 0, count * RECORD_WORDS);
    const batch = this.batches.push({ buffer, words, count }) - 1;
    this.count += count;
    this.dropped = Math.max(this.dropped, dropped);
    for (let i = 0; i < count; i++) {
      const w = i * RECORD_WORDS;
      const kind = (words[w + 7]! >>> 16) & 0xff;
      if ((kind < KIND.activate || kind > KIND.write) && kind !== KIND.refresh) continue;
      const cycle = words[w]! + words[w + 1]! * 2 ** 32;
      this.bus.insert(cycle, batch, i);
      if (isBurst({ kind })) this.tally(cycle);
    }
    this.until = Math.max(this.until, until);
  }

  private tally(cycle: number): void {
    const bin = Math.floor(cycle / BIN_CYCLES);
    if (bin >= this.bins.length) {
      const more = new Uint32Array(Math.max(bin + 1, this.bins.length * 2));
      more.set(this.bins);
      this.bins = more;
    }
    this.bins[bin]!++;
    this.last = Math.max(this.last, cycle);
  }

  // between returns what was on the buses in [from, to), in order of cycles.
  // What began up to `longest` cycles before counts.
  between(from: number, to: number, longest = 64): BusEvent[] {
    const found: BusEvent[] = [];
    const end = this.bus.firstAt(to);
    for (let i = this.bus.firstAt(from - longest); i < end; i++) found.push(busEvent(this.bus.event(i, this.batches)));
    return found;
  }

  // nextBurst returns the cycle of the first burst after `after`, and
  // previousBurst of the last one before; undefined when there is none.
  nextBurst(after: number): number | undefined {
    for (let i = this.bus.firstAt(after); i < this.bus.length; i++) {
      const e = this.bus.event(i, this.batches);
      if (e.cycle > after && isBurst(e)) return e.cycle;
    }
    return undefined;
  }

  previousBurst(before: number): number | undefined {
    for (let i = this.bus.firstAt(before) - 1; i >= 0; i--) {
      const e = this.bus.event(i, this.batches);
      if (isBurst(e)) return e.cycle;
    }
    return undefined;
  }

  // of returns the events of one line, in order of cycles, at most `most`.
  of(addr: number, most: number): { events: Event[]; more: number } {
    const low = addr >>> 0;
    const high = Math.floor(addr / 2 ** 32);
    const found: Event[] = [];
    let more = 0;
    for (const { words, count } of this.batches) {
      for (let i = 0; i < count; i++) {
        const w = i * RECORD_WORDS;
        if (words[w + 2] !== low || words[w + 3] !== high) continue;
        if (found.length < most) found.push(decode(words, i));
        else more++;
      }
    }
    found.sort((x, y) => x.cycle - y.cycle);
    return { events: found, more };
  }
}
