// Every figure the page derives from a result: its formula, the counters in
// it, what it means and where the definition comes from. One table, used by
// the result table, the memory chart, the headline and the answers.

import type { Result, Topology } from "./protocol";
import type { Memory } from "./scenario";
import { bytes, change, count, measure, percent, ratio, share, short, significant } from "./format";

// Given is what a figure of one side is made from.
export interface Given {
  result: Result;
  memory: Memory;
  topology: Topology | undefined;
  image: boolean;
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
    key: "error",
    title: "Output error",
    formula: "the program's own measure over exact and approximated output; see the name at the right",
    counters: ["error"],
    about: "What approximation did to the program's result. Lossless schemes have exactly 0.",
    source: "the measure each paper uses for the program; definitions in the project's workload notes",
    value: (g) => g.result.error,
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

function times(a: number | undefined, b: number): number | undefined {
  return a === undefined ? undefined : a * b;
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
