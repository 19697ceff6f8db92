// The event log of one side: the batches of core/probe as they came, an index of what is
// on the DRAM buses, and searches over both. Cycles beyond the kept ones come in windows
// when they are sought.

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
  link: 21,
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

// isBurst tells bursts from row commands and refreshes.
export function isBurst(e: { kind: number }): boolean {
  return e.kind === KIND.read || e.kind === KIND.write;
}

// BusEvent is a burst on a channel's bus.
export interface BusEvent {
  cycle: number;
  kind: number;
  channel: number;
  addr: number;
  index: number; // of the burst in its block
  bursts: number; // of the block
  mode: number;
  metadata: boolean;
}

function busEvent(e: Event): BusEvent {
  return {
    cycle: e.cycle,
    kind: e.kind,
    channel: e.unit,
    addr: e.addr,
    index: (e.a >>> 8) & 0xff,
    bursts: (e.a >>> 16) & 0xff,
    mode: e.a >>> 24,
    metadata: (e.b & 1) === 1,
  };
}

// BusIndex lists the records of bus events, and those of blocks that a codec took or
// gave, in order of cycles. Bursts are
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

// Segment holds all that was reported between two cycles.
class Segment {
  batches: Batch[] = [];
  until: number;
  // The state before the segment, as events of its first cycle. It is drawn if nothing
  // earlier is known.
  opening: Event[] = [];
  private bus = new BusIndex();

  constructor(
    readonly from: number,
    until: number,
  ) {
    this.until = until;
  }

  add(buffer: ArrayBuffer, count: number, burst?: (cycle: number) => void): void {
    const words = new Uint32Array(buffer, 0, count * RECORD_WORDS);
    const batch = this.batches.push({ buffer, words, count }) - 1;
    for (let i = 0; i < count; i++) {
      const w = i * RECORD_WORDS;
      const kind = (words[w + 7]! >>> 16) & 0xff;
      if ((kind < KIND.activate || kind > KIND.decompress) && kind !== KIND.refresh && kind !== KIND.link) continue;
      const cycle = words[w]! + words[w + 1]! * 2 ** 32;
      this.bus.insert(cycle, batch, i);
      if (isBurst({ kind })) burst?.(cycle);
    }
  }

  between(from: number, to: number, into: Event[]): void {
    const end = this.bus.firstAt(to);
    for (let i = this.bus.firstAt(from); i < end; i++) into.push(this.bus.event(i, this.batches));
  }

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

  // each calls f with every event of a line (words of its address), or of a request.
  each(wanted: (words: Uint32Array, w: number) => boolean, f: (e: Event) => void): void {
    for (const { words, count } of this.batches) {
      for (let i = 0; i < count; i++) if (wanted(words, i * RECORD_WORDS)) f(decode(words, i));
    }
  }
}

// Bursts are announced ahead of the cycle in which they are on the bus, by less than
// this many cycles: within it, the order of segments is not that of bursts.
const AHEAD = 1024;

// The events that a log keeps from windows: some seconds of playing, or a few dozen
// looks.
const MOST_WINDOWS = 48;
const MOST_WINDOW_EVENTS = 1 << 18;

export class EventLog {
  count = 0;
  dropped = 0;
  until = 0; // the run's present, as far as it has been told
  complete = true; // all events up to it have been kept
  // Bursts in each BIN_CYCLES cycles, metadata included, as far as they are kept.
  bins = new Uint32Array(1 << 10);
  last = 0; // cycle of the last burst
  private live = new Segment(0, 0);
  private windows: Segment[] = []; // in the order in which they came

  // batches of the run from its beginning.
  get batches(): readonly Batch[] {
    return this.live.batches;
  }

  add(buffer: ArrayBuffer, count: number, dropped: number | undefined, until: number, kept = until): void {
    this.count += count;
    this.live.add(buffer, count, (cycle) => this.tally(cycle));
    this.reached(until, kept, dropped);
  }

  // reached records the run's present, up to where all events have come, and how many
  // after that were not sent.
  reached(until: number, kept: number, dropped = 0): void {
    this.dropped = Math.max(this.dropped, dropped);
    this.until = Math.max(this.until, until);
    this.live.until = Math.max(this.live.until, kept);
    this.complete = kept >= until;
  }

  // addWindow takes what was reported between two cycles. Segments that it overlaps are
  // dropped.
  addWindow(from: number, until: number, buffer: ArrayBuffer, count: number, opening: number): void {
    const window = new Segment(from, until);
    const words = new Uint32Array(buffer, 0, count * RECORD_WORDS);
    for (let i = 0; i < opening; i++) window.opening.push(decode(words, i));
    window.add(buffer.slice(opening * RECORD_WORDS * 4), count - opening);
    this.windows = this.windows.filter((w) => w.until <= from || w.from >= until);
    this.windows.push(window);
    let events = 0;
    let kept = this.windows.length;
    while (kept > 0 && this.windows.length - kept < MOST_WINDOWS) {
      events += this.windows[kept - 1]!.batches[0]!.count;
      if (events > MOST_WINDOW_EVENTS && kept < this.windows.length) break;
      kept--;
    }
    this.windows.splice(0, kept);
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

  // chain lists the segments around a cycle that follow one another exactly, in order;
  // none if nothing is known of it. Of two that meet at it the earlier holds what led
  // to it. Behind the present there is nothing to know.
  private chain(wanted: number): Segment[] {
    const cycle = Math.min(wanted, this.until);
    const all = [this.live, ...this.windows].sort((a, b) => a.from - b.from);
    let at = all.findIndex((s) => s.from < cycle && cycle <= s.until);
    if (at < 0) at = all.findIndex((s) => s.from === cycle && cycle <= s.until);
    if (at < 0) return [];
    let first = at;
    let last = at;
    while (first > 0 && all[first - 1]!.until === all[first]!.from) first--;
    while (last + 1 < all.length && all[last]!.until === all[last + 1]!.from) last++;
    return all.slice(first, last + 1);
  }

  // keptUntil is where the record of the run from its beginning ends.
  get keptUntil(): number {
    return this.live.until;
  }

  // known returns the cycles around one between which every event is at hand.
  known(cycle: number): { from: number; until: number } | undefined {
    const chain = this.chain(cycle);
    return chain.length === 0 ? undefined : { from: chain[0]!.from, until: chain[chain.length - 1]!.until };
  }

  // records returns what was on the buses in [from, cycle + after), and what the codecs
  // made of it, in order of cycles. With opening, the rows that were open before all that
  // is known are told anew.
  records(from: number, cycle: number, after: number, opening: boolean): Event[] {
    const found: Event[] = [];
    const chain = this.chain(cycle);
    for (const [i, s] of chain.entries()) {
      if (s.until < from - AHEAD || s.from > cycle + after) continue;
      if (opening && i === 0 && s.from > from) found.push(...s.opening.filter((e) => e.kind === KIND.activate));
      s.between(from, cycle + after, found);
    }
    return chain.length > 1 ? found.sort((x, y) => x.cycle - y.cycle) : found;
  }

  // bursts returns those on the buses in [from, to), in order of cycles.
  bursts(from: number, to: number): BusEvent[] {
    return this.records(from, to, 0, false).filter(isBurst).map(busEvent);
  }

  // nextBurst returns the cycle of the first burst after `after`, and previousBurst of
  // the last one before; undefined when none is known. More may be found by seeking
  // where known() ends.
  nextBurst(after: number): number | undefined {
    for (let at = Math.max(after, 0), k = this.known(at); k && k.until >= at; k = this.known(at)) {
      const found = this.chain(at).map((s) => s.nextBurst(after)).filter((c) => c !== undefined);
      if (found.length > 0) return Math.min(...found);
      at = k.until + 1; // where it ends, another may overlap
      if (at > this.until) break;
    }
    return undefined;
  }

  previousBurst(before: number): number | undefined {
    for (let at = before, k = this.known(at); k; k = this.known(at)) {
      const found = this.chain(at).map((s) => s.previousBurst(before)).filter((c) => c !== undefined);
      if (found.length > 0) return Math.max(...found);
      if (k.from <= 0 || k.from >= at) break;
      at = k.from;
    }
    return undefined;
  }

  // of returns the events of one line around a cycle, in order, at most `most`.
  of(addr: number, most: number, cycle: number): { events: Event[]; more: number } {
    const low = addr >>> 0;
    const high = Math.floor(addr / 2 ** 32);
    const found: Event[] = [];
    let more = 0;
    for (const s of this.chain(cycle)) {
      s.each(
        (words, w) => words[w + 2] === low && words[w + 3] === high,
        (e) => {
          if (found.length < most) found.push(e);
          else more++;
        },
      );
    }
    found.sort((x, y) => x.cycle - y.cycle);
    return { events: found, more };
  }

  // issueOf returns the instruction that a request stems from, if it is known around
  // a cycle; the latest, since numbers of requests come round again.
  issueOf(req: number, cycle: number): Event | undefined {
    let latest: Event | undefined;
    for (const s of this.chain(cycle)) {
      s.each(
        (words, w) => words[w + 4] === req && ((words[w + 7]! >>> 16) & 0xff) === KIND.issue,
        (e) => {
          if (e.cycle <= cycle && (!latest || e.cycle > latest.cycle)) latest = e;
        },
      );
    }
    return latest;
  }
}
