// Every figure the page derives from a result: its formula, the counters in
// it, what it means and where the definition comes from. One table, used by
// the result table, the memory chart, the headline and the answers.

import type { Result, Topology } from "../protocol/protocol";
import type { Memory } from "../protocol/scenario";
import { bytes, change, count, joules, measure, percent, ratio, share, short, significant } from "../lib/format";

// Given is what a figure of one side is made from.
export interface Given {
  result: Result;
  memory: Memory;
  topology: Topology | undefined;
  image: boolean;
}

// Term is a line of an answer beyond the counters: what a sum is made of.
export interface Term {
  name: string;
  text: string;
  detail: string;
}

export interface Metric {
  key: string;
  title: string;
  formula: string;
  counters: string[]; // keys of result.stats, or of the result itself
  about: string;
  source: string;
  value(g: Given): number | undefined;
  text(v: number, g: Given): string;
  terms?(g: Given): Term[];
  compare?(a: number, b: number, ga: Given, gb: Given): string;
}

const BLOCK = 128;

export function counter(r: Result, name: string): number | undefined {
  const v = r.stats?.[name] ?? r[name];
  return typeof v === "number" ? v : undefined;
}

// sum adds counters; undefined when one is missing.
function sum(r: Result, ...names: string[]): number | undefined {
  let total = 0;
  for (const n of names) {
    const v = counter(r, n);
    if (v === undefined) return undefined;
    total += v;
  }
  return total;
}

function over(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined || b === 0 ? undefined : a / b;
}

const SLC = "SLC, DATE 2019, and E2MC, IPDPS 2017";
const OURS = "counted by this program";

function define(m: Metric): [string, Metric] {
  return [m.key, m];
}

export const METRICS = new Map<string, Metric>([
  define({
    key: "cycles",
    title: "Cycles",
    formula: "cycles until the last store has left the chip; ratio = cycles A ÷ cycles B, above 1 when B is faster",
    counters: ["cycles", "warpInstructions"],
    about: "How long the kernels took, in SM clock cycles.",
    source: OURS,
    value: (g) => g.result.cycles,
    text: count,
    compare: (a, b) => (b > 0 ? `×${ratio(a / b)}` : ""),
  }),
  define({
    key: "bytes",
    title: "Bytes moved",
    formula: "dramReadBytes + dramWriteBytes = (data bursts + metadata bursts) × MAG",
    counters: ["dramReadBytes", "dramWriteBytes", "burstsRead", "burstsWritten", "burstsMetadata"],
    about: "All bytes that crossed the DRAM buses, metadata included.",
    source: OURS,
    value: (g) => sum(g.result, "dramReadBytes", "dramWriteBytes"),
    text: bytes,
    compare: (a, b) => change(a, b),
  }),
  define({
    key: "rawRatio",
    title: "Raw compression ratio",
    formula: "1024 bits × blocks read and written ÷ their stored bits, before rounding to bursts",
    counters: [
      "blocksReadRaw",
      "blocksReadLossless",
      "blocksReadLossy",
      "blocksWrittenRaw",
      "blocksWrittenLossless",
      "blocksWrittenLossy",
      "blockReadBits",
      "blockWriteBits",
    ],
    about: "How much smaller the code is than the data. Nobody can fetch 71 bytes, so this is not what the bus sees.",
    source: SLC,
    value: (g) => g.result.compressionRatioRaw,
    text: ratio,
  }),
  define({
    key: "effectiveRatio",
    title: "Effective compression ratio",
    formula: "128 B × blocks read and written ÷ (data bursts × MAG)",
    counters: ["burstsRead", "burstsWritten", "burstsSaved"],
    about: "The same ratio after rounding every block up to whole bursts: 71 B cost 96 B at a MAG of 32 B.",
    source: SLC,
    value: (g) => g.result.compressionRatioEffective,
    text: ratio,
    compare: (_a, _b, ga, gb) =>
      ga.memory.mag === gb.memory.mag ? `at ${gb.memory.mag}\u202fB` : `${ga.memory.mag}|${gb.memory.mag}\u202fB`,
  }),
  define({
    key: "burstsSaved",
    title: "Bursts saved",
    formula: "burstsSaved ÷ (burstsRead + burstsWritten + burstsSaved)",
    counters: ["burstsSaved", "burstsRead", "burstsWritten"],
    about: "Share of the bursts an uncompressed memory would have moved for the same blocks.",
    source: OURS,
    value: (g) =>
      over(counter(g.result, "burstsSaved"), sum(g.result, "burstsSaved", "burstsRead", "burstsWritten")),
    text: share,
  }),
  define({
    key: "lossy",
    title: "Blocks approximated",
    formula: "(blocksReadLossy + blocksWrittenLossy) ÷ all blocks read and written",
    counters: ["blocksReadLossy", "blocksWrittenLossy", "truncatedSymbols", "excessBits"],
    about: "Blocks whose code was a few bytes above a burst and had symbols cut to fit.",
    source: "SLC, DATE 2019",
    value: (g) =>
      over(
        sum(g.result, "blocksReadLossy", "blocksWrittenLossy"),
        sum(
          g.result,
          "blocksReadRaw",
          "blocksReadLossless",
          "blocksReadLossy",
          "blocksWrittenRaw",
          "blocksWrittenLossless",
          "blocksWrittenLossy",
        ),
      ),
    text: share,
  }),
  define({
    key: "metadataHits",
    title: "Metadata hits",
    formula: "metadataHits ÷ metadataAccesses",
    counters: ["metadataHits", "metadataMisses", "metadataAccesses", "metadataReads", "metadataWritebacks"],
    about: "How often the controller knew a block's burst count without asking DRAM for it.",
    source: "E2MC, IPDPS 2017",
    value: (g) => over(counter(g.result, "metadataHits"), counter(g.result, "metadataAccesses")),
    text: share,
  }),
  define({
    key: "rowHits",
    title: "Row hits",
    formula: "rowHits ÷ (burstsRead + burstsWritten + burstsMetadata)",
    counters: ["rowHits", "activates", "precharges"],
    about: "Share of the bursts that found their DRAM row open.",
    source: OURS,
    value: (g) => over(counter(g.result, "rowHits"), sum(g.result, "burstsRead", "burstsWritten", "burstsMetadata")),
    text: share,
  }),
  define({
    key: "energyTotal",
    title: "Energy",
    formula: "the sum over all parts of the machine: count of each event × its energy, and power × time",
    counters: ["cycles", "activates", "dramReadBytes", "dramWriteBytes"],
    about: "What the run took, static power included. The breakdown under the chart has its parts.",
    source: "a value of the machine for each event, each with its source under “All values…”",
    value: (g) => g.result.energy?.joules,
    text: joules,
    terms: (g) => (g.result.energy?.parts ?? []).map((p) => ({ name: p.title, text: joules(p.femtojoules / 1e15), detail: `${significant(p.watts)} W on average` })),
    compare: (a, b) => change(a, b),
  }),
  define({
    key: "edp",
    title: "Energy × delay",
    formula: "energy × time of the run",
    counters: ["cycles"],
    about: "Energy-delay product: what gains time with energy, or energy with time, shows here.",
    source: OURS,
    value: (g) => g.result.energy?.edpJouleSeconds,
    text: (v) => `${joules(v)}·s`,
    compare: (a, b) => change(a, b),
  }),
  define({
    key: "error",
    title: "Output error",
    formula: "the program's own measure over exact and approximated output; see the name at the right",
    counters: ["error"],
    about: "What approximation did to the program's result. Lossless schemes have exactly 0.",
    source: "the measure each paper uses for the program; definitions in the project's workload notes",
    value: (g) => (g.result.cancelled ? undefined : g.result.error), // there is no output yet
    text: (v) => (v === 0 ? "0" : percent(v)),
    compare: (_a, _b, _ga, gb) => measure(gb.result.errorMetric),
  }),
  define({
    key: "ipc",
    title: "Instructions per cycle",
    formula: "warpInstructions ÷ cycles ÷ SMs",
    counters: ["warpInstructions", "cycles", "smActiveCycles", "stallMemoryCycles", "stallPipelineCycles"],
    about: "Warp instructions each SM issued per cycle, of at most 2.",
    source: OURS,
    value: (g) => over(over(g.result.warpInstructions, g.result.cycles), g.topology?.sms),
    text: (v) => `ipc ${ratio(v)}`,
  }),
  define({
    key: "l1Hits",
    title: "L1 hits",
    formula: "l1Hits ÷ l1Accesses; accesses = hits + misses + merged",
    counters: ["l1Accesses", "l1Hits", "l1Misses", "l1Merged", "l1Writes", "l1Bypasses"],
    about: "Load lines found in the SM's own cache.",
    source: OURS,
    value: (g) => over(counter(g.result, "l1Hits"), counter(g.result, "l1Accesses")),
    text: percent,
  }),
  define({
    key: "l2Hits",
    title: "L2 hits",
    formula: "l2Hits ÷ l2Accesses; accesses = hits + misses + merged",
    counters: ["l2Accesses", "l2Hits", "l2Misses", "l2Merged", "l2Writebacks"],
    about: "Requests the shared cache served without reading DRAM; a store that only fills its line counts as one.",
    source: OURS,
    value: (g) => over(counter(g.result, "l2Hits"), counter(g.result, "l2Accesses")),
    text: percent,
  }),
  define({
    key: "busBusy",
    title: "DRAM bus in use",
    formula: "dataBusBusyCycles ÷ dramCycles, both summed over channels",
    counters: ["dataBusBusyCycles", "dramCycles", "activates", "refreshes"],
    about: "Share of the peak bandwidth that was used.",
    source: OURS,
    value: (g) => over(counter(g.result, "dataBusBusyCycles"), counter(g.result, "dramCycles")),
    text: (v) => `${percent(v)} of peak`,
  }),
  define({
    key: "savedBytes",
    title: "Saved by compression",
    formula: "burstsSaved × MAG",
    counters: ["burstsSaved"],
    about: "Bytes of the blocks read and written that did not have to cross the bus.",
    source: OURS,
    value: (g) => times(counter(g.result, "burstsSaved"), g.memory.mag),
    text: bytes,
  }),
  define({
    key: "lines",
    title: "Lines asked of L1",
    formula: "l1Accesses + l1Writes + l1Bypasses + atomicLines",
    counters: ["l1Accesses", "l1Writes", "l1Bypasses", "atomicLines"],
    about: "128-byte lines the SMs touched after coalescing.",
    source: OURS,
    value: (g) => sum(g.result, "l1Accesses", "l1Writes", "l1Bypasses", "atomicLines"),
    text: short,
  }),
  define({
    key: "requests",
    title: "Requests to L2",
    formula: "l2Accesses",
    counters: ["l2Accesses", "xbarRequestPackets", "xbarReplyPackets", "xbarRequestFlits", "xbarReplyFlits"],
    about: "What crossed the crossbar to the shared cache.",
    source: OURS,
    value: (g) => counter(g.result, "l2Accesses"),
    text: short,
  }),
  define({
    key: "requestBytes",
    title: "Bytes from the SMs to L2",
    formula: "xbarRequestFlits × flit size",
    counters: ["xbarRequestFlits"],
    about: "What requests and the data of stores took on the crossbar.",
    source: OURS,
    value: (g) => times(counter(g.result, "xbarRequestFlits"), g.topology?.requestFlitBytes),
    text: bytes,
  }),
  define({
    key: "xbarBytes",
    title: "Bytes over the crossbar",
    formula: "(xbarRequestFlits + xbarReplyFlits) × flit size",
    counters: ["xbarRequestFlits", "xbarReplyFlits", "xbarRequestPackets", "xbarReplyPackets"],
    about: "Both ways between SMs and L2, headers included.",
    source: OURS,
    value: (g) => {
      const there = times(counter(g.result, "xbarRequestFlits"), g.topology?.requestFlitBytes);
      const back = times(counter(g.result, "xbarReplyFlits"), g.topology?.replyFlitBytes);
      return there === undefined || back === undefined ? undefined : there + back;
    },
    text: bytes,
  }),
  define({
    key: "xbarBusy",
    title: "Crossbar in use",
    formula: "flits of the busier direction ÷ cycles ÷ ports of the side with fewer (SMs or L2 slices)",
    counters: ["xbarRequestFlits", "xbarReplyFlits", "cycles"],
    about: "Share of the flits the crossbar could have carried, one a cycle and port.",
    source: OURS,
    value: (g) => {
      const flits = Math.max(counter(g.result, "xbarRequestFlits") ?? NaN, counter(g.result, "xbarReplyFlits") ?? NaN);
      const ports = Math.min(g.topology?.sms ?? NaN, g.topology?.slices ?? NaN);
      return known(over(over(flits, g.result.cycles), ports));
    },
    text: (v) => `${percent(v)} of peak`,
  }),
  define({
    key: "readQueue",
    title: "Read queue of a channel",
    formula: "readQueueOccupancy ÷ cycles ÷ channels",
    counters: ["readQueueOccupancy", "cycles"],
    about: "Block reads that waited in a controller for DRAM, on average over the run, of each channel.",
    source: OURS,
    value: (g) => over(over(counter(g.result, "readQueueOccupancy"), g.result.cycles), g.topology?.channels),
    text: (v) => `queue ${v.toFixed(1)}`,
  }),
  define({
    key: "blocks",
    title: "Blocks asked of the controllers",
    formula: "(controllerReads + controllerWrites) × 128 B",
    counters: ["controllerReads", "controllerWrites", "controllerForwards"],
    about: "What would cross the DRAM bus without compression, in whole blocks.",
    source: OURS,
    value: (g) => times(sum(g.result, "controllerReads", "controllerWrites"), BLOCK),
    text: bytes,
  }),
]);

function times(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a * b;
}

function known(v: number | undefined): number | undefined {
  return v !== undefined && Number.isFinite(v) ? v : undefined;
}

// figure is a metric's text for one side, "–" when the result lacks it.
export function figure(key: string, g: Given | undefined): string {
  const m = METRICS.get(key);
  if (!m || !g) return "–";
  const v = m.value(g);
  if (v === undefined || !Number.isFinite(v)) return missing(key, g);
  return m.text(v, g);
}

// missing says why there is no figure, where that is known.
function missing(key: string, g: Given): string {
  return key === "metadataHits" && g.memory.codec === "none" ? "none" : "–";
}

export function valueOf(key: string, g: Given): number | undefined {
  return METRICS.get(key)?.value(g);
}

export function counterText(n: number): string {
  return Number.isInteger(n) ? count(n) : significant(n, 6);
}
