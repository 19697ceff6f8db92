// The messages between the shell, the engine's worker and the view. Fields
// marked optional may be absent; the page then leaves out what needs them.

import type { EstimateAnswer, EstimateQuestion } from "./estimate";
import type { Compiled, Contents, Mark } from "./kernel";
import type { FromLab, ToLab } from "./lab";
import type { L1Sets, Phases } from "./l1";
import type { Elements } from "./elements";
import type { Launches } from "./launches";
import type { Explained, ExplainQuestion } from "./explain";
import type { PerSide, Side } from "./side";
import type { Tables } from "./tables";
import type { Memory, Scenario } from "./scenario";

export { SIDES, type PerSide, type Side } from "./side";

export interface CounterInfo {
  unit: string;
  doc: string;
}

export interface Ready {
  type: "ready";
  version?: string;
  lists?: Pick<Tables, "workloads" | "schemes"> & { counters: Record<string, CounterInfo> };
}

export interface Allocation {
  name: string;
  base: number;
  bytes: number;
  safe: boolean;
  target?: string; // of Buddy Compression, as its settings name it; absent without it
  deviceBytes?: number; // reserved for it in device memory
}

// Begun begins every run. A kept side is one of the run before, under its name there: the engine
// tells all about it again, but for its events.
export interface Begun {
  type: "begun";
  run: number;
  kept: { side: Side; was: Side }[];
  found: number; // things that this browser had kept, and the run needs
  // Side B is left to a second engine: its share of memory, and the key of its symbol statistics if
  // the first engine has them.
  given?: { resident: number; past: number };
  tables?: string;
}

// Sharing is what two engines of a run tell each other: what one wants, and what the other has made.
export type Sharing = { type: "wants"; run: number; key: string } | { type: "shared"; run: number; key: string; bytes: Uint8Array };

// RunMessage begins a run. keep is the number of the run before if the page has all its data; fresh
// asks for a run that uses nothing kept; split says that a second engine is there. A second engine
// gets only its side, with what the first one said about it.
export interface RunMessage {
  type: "run";
  run: number;
  sides: PerSide<Scenario>;
  image?: { png: Uint8Array; name: string };
  keep?: number;
  fresh?: boolean;
  split?: boolean;
  only?: Side;
  budget?: Begun["given"];
  tables?: string;
}

export interface Topology {
  preset?: string;
  sms?: number;
  slices?: number;
  controllers?: number;
  channels?: number;
  banks?: number;
  requestFlitBytes?: number; // of the crossbar
  replyFlitBytes?: number;
  magBytes?: number;
  coreMHz?: number;
  dramMHz?: number;
  peakBytesPerCycle?: number;
  allocations?: Allocation[];
}

export interface SideProgress {
  cycle: number;
  warpInstructions?: number;
  dramReadBytes?: number;
  dramWriteBytes?: number;
  burstsRead?: number;
  burstsSaved?: number;
  keptUntil?: number;
  dropped?: number; // events that were not sent
  done?: boolean;
}

export interface Progress {
  type: "progress";
  run: number;
  phase: string;
  fraction: number;
  sides?: Partial<PerSide<SideProgress>>;
}

export interface EventsMessage {
  type: "events";
  run: number;
  side: Side;
  buffer: ArrayBuffer;
  count: number;
  dropped?: number;
  untilCycle?: number;
  keptUntil?: number; // up to which every event has been sent
}

export interface Series {
  type: "series";
  run: number;
  side: Side;
  cyclesPerPoint: number;
  bytes: Float64Array;
}

// Energy is the account of a run (core/energy).
export interface Energy {
  totalFemtojoules: number;
  joules: number;
  watts: number;
  edpJouleSeconds: number;
  parts: {
    name: string;
    title: string;
    femtojoules: number;
    watts: number;
    terms: { counter: string; count: number; path: string; value: number; femtojoules: number; source: string }[];
  }[];
}

// PredictedLoad is an approximate load with what prediction did to it, over all launches and SMs
// (core/system/rfvp/report.go).
export interface PredictedLoad {
  kernel: string;
  line: number; // of the PTX
  file?: string;
  fileLine?: number;
  text: string;
  misses: number; // lines that L1 did not hold
  dropped: number; // of them, answered with a predicted line
  lanes: number; // values that predicted lines gave to lanes
  exact: number; // of them, equal to memory
}

// Result is the result object of `burstscope run --format json`.
export interface Result {
  version?: string;
  scenarioHash?: string;
  resultHash?: string;
  cycles?: number;
  cancelled?: boolean;
  warpInstructions?: number;
  dramReadBytes?: number;
  dramWriteBytes?: number;
  burstsRead?: number;
  burstsSaved?: number;
  error?: number;
  errorMetric?: string;
  loss?: number; // the error by the metric of RFVP; absent if nothing is approximated
  lossMetric?: string;
  idle?: { path: string; text: string }[]; // choices that did nothing (core/experiment/idle.go)
  printed?: { text: string; droppedCalls?: number }; // by the program (core/experiment/printed.go)
  finding?: { text: string }; // an output that differs although nothing is approximated (core/experiment/finding.go)
  loads?: { requests?: string }; // the scheme's settings
  predicted?: { loadLanes: number; approximateLanes: number; loads: PredictedLoad[] };
  stats?: Record<string, number>;
  metrics?: Record<string, number>; // by the names of core/metric
  energy?: Energy;
  [key: string]: unknown;
}

export interface Output {
  type: "output";
  run: number;
  side: Side;
  name: string;
  width: number;
  height: number;
  exact: Uint8Array;
  got: Uint8Array;
  diff: Uint8Array;
  diffScale?: number;
}

// Errors is the error of an output over its address: the mean and the largest difference of each elements in a row.
export interface Errors {
  type: "errors";
  run: number;
  side: Side;
  name: string;
  elementBytes: number;
  each: number;
  mean: Float64Array;
  most: Float64Array;
}

export interface Blocks {
  type: "blocks";
  run: number;
  side: Side;
  base: number;
  lineBytes: number;
  count: number;
  bits: Uint16Array;
  bursts: Uint8Array;
  mode: Uint8Array;
  touches: Uint16Array;
  losslessBits?: Uint16Array;
  allocations?: Allocation[];
}

// Stored is how a block lies in DRAM.
export interface Stored {
  bits: number;
  bursts: number;
  mode: string; // raw, lossless, lossy
  firstSymbol: number;
  truncatedSymbols: number;
  excessBits: number;
  losslessBits: number; // size before symbols were cut
}

// Inspection is what the engine knows of one block.
export interface Inspection {
  type: "inspected";
  run: number;
  id: number;
  side: Side;
  addr: number;
  bytes: string; // 128 bytes in hexadecimal, as a reader gets them at the cycle
  cycle?: number;
  channel?: number;
  bank?: number;
  row?: number;
  column?: number;
  allocation?: string;
  offset?: number;
  safe?: boolean;
  stored?: Stored; // absent until the block has been in DRAM
  lengths?: number[]; // code length of each symbol, bits
  copied?: string; // the copy that the burst was fetched for, in words
}

export interface SourceFile {
  name: string;
  language: string;
  text: string;
}

export interface Source {
  type: "source";
  run: number;
  files: SourceFile[];
  kernels?: { name: string; lines: Uint32Array; file: number }[]; // line of the file, by instruction
  launches?: string[]; // names of kernels
}

// Sought is a cycle of the past as a replay has come to it, on one side.
export interface Sought {
  type: "sought";
  run: number;
  id: number;
  ok: boolean;
  last: boolean; // the last answer to the question
  what?: string;
  mend?: string;
  side?: Side;
  asked?: number; // cycle
  cycle?: number; // reached: at most the run's present
  from?: number; // first cycle of the events
  buffer?: ArrayBuffer;
  count?: number;
  opening?: number; // of them, the first tell the state at from
  result?: Result; // so far
  digest?: string; // of the machine's state
  replayedFrom?: number;
  work?: number;
  every?: number;
  states?: number;
  stateBytes?: number;
  memoryBytes?: number; // of the engine
}

// SeekQuestion asks for a cycle of the past.
export interface SeekQuestion {
  cycle: number;
  window: number; // cycles before it whose events are wanted
  sides: string; // in the order of the answers
  fresh?: boolean; // replay from the beginning
  digest?: boolean;
}

// LineCounts holds the counts of a file's lines on one side, as columns: the number of
// each line with instructions, and its counts.
export interface LineCounts {
  name: string;
  line: Float64Array;
  executions: Float64Array;
  lanes: Float64Array; // threads that executed it, over all executions
  l1Misses: Float64Array;
  bytes: Float64Array;
  stallCycles: Float64Array;
}

export interface Lines {
  type: "lines";
  run: number;
  side: Side;
  files: LineCounts[];
}

// Dram holds the activity of channels and banks over time: in each interval of
// cyclesPerPoint base cycles, by point*channels+channel; of banks by
// (point*channels+channel)*banks+bank.
export interface Dram {
  type: "dram";
  run: number;
  side: Side;
  channels: number;
  banks: number;
  cyclesPerPoint: number;
  points: number;
  read: Uint32Array; // bursts
  written: Uint32Array;
  metadata: Uint32Array;
  saved: Uint32Array;
  refreshes: Uint32Array;
  readQueue: Float64Array; // mean length, blocks
  writeQueue: Float64Array;
  bankBursts: Uint32Array;
  bankActivates: Uint32Array;
  // With a link: base cycles of the packets of data that begin in an interval, one value a point.
  linkIn?: Uint32Array;
  linkOut?: Uint32Array;
  // With Buddy Compression: entries met by the end of an interval, and those of them in buddy memory
  // then, at point * allocations + allocation.
  allocations?: number;
  met?: Uint32Array;
  overflowed?: Uint32Array;
}

// TraceDone says what the trace that was sent in pieces holds.
export interface TraceDone {
  type: "traceDone";
  id: number;
  side: Side;
  name: string; // of the program
  bytes: number;
  events: number;
  leftOut: number; // events of the run for which there was no room
  microseconds: number; // up to which the trace is whole
}

// MachineField is one value of a machine.
export interface MachineField {
  path: string;
  value: string;
  unit: string;
  doc: string;
  source: string;
  preset?: string; // the preset's value, where value is another
  formula?: string; // of a derived value
  derived?: boolean;
  choices?: string[];
  low?: number;
  high?: number;
}

export interface ScenarioFault {
  path: string;
  message: string;
  mend: string;
}

// Excluded says which choices of a scenario exclude each other, and the fewest changes after which none do.
export interface Excluded {
  type: "excluded";
  id: number;
  faults: (ScenarioFault & { fixes: Fix[] })[] | null;
  nearest?: Fix[] | null;
}

export interface Fix {
  path: string;
  value: string;
}

export interface Described {
  type: "described";
  id: number;
  fields?: MachineField[];
  errors?: ScenarioFault[];
}

// Packed and Unpacked hold a scenario in its packed form and back. address is the hash of
// the packed bytes, hash the one that results name.
export interface Packed {
  type: "packed";
  id: number;
  ok: boolean;
  packed?: Uint8Array;
  address?: string;
  hash?: string;
  errors?: ScenarioFault[];
}

export interface Unpacked {
  type: "unpacked";
  id: number;
  ok: boolean;
  address: string;
  hash?: string;
  scenario?: Partial<Scenario>;
  image?: Uint8Array;
  errors?: ScenarioFault[];
}

// Fault is a message to the reader: what is wrong, where, and how to mend it.
export interface Fault {
  what: string;
  where?: string;
  mend?: string;
  fixes?: Fix[] | null; // of which each mends it
}

export interface ErrorMessage extends Fault {
  type: "error";
  run?: number;
  side?: Side | "";
  id?: number; // of the question it answers
  fatal?: boolean;
  marks?: Mark[]; // in the text of the program
}

export type FromWorker =
  | Ready
  | Begun
  | Sharing
  | { type: "module"; module: WebAssembly.Module }
  | { type: "remembered"; run: number; side: Side; result: Result }
  | { type: "started"; run: number; sides: Partial<PerSide<Topology>> }
  | Progress
  | EventsMessage
  | Series
  | { type: "result"; run: number; side: Side; result: Result }
  | Output
  | Errors
  | Blocks
  | Inspection
  | Source
  | Lines
  | Dram
  | Phases
  | L1Sets
  | Launches
  | { type: "trace"; id: number; buffer: ArrayBuffer }
  | { type: "traceProgress"; id: number; fraction: number }
  | TraceDone
  | Excluded
  | Described
  | Compiled
  | Contents
  | Elements
  | Sought
  | Explained
  | EstimateAnswer
  | Packed
  | Unpacked
  | { type: "done"; run: number; resultHashes: PerSide<string> }
  | { type: "cancelled"; run: number }
  | FromLab
  | ErrorMessage;

export type ToWorker =
  | ToLab
  | RunMessage
  | Sharing
  | { type: "cancel"; run: number }
  | { type: "compile"; id: number; file: string; source: string }
  | { type: "contents"; id: number; blob: Blob; array: string }
  | { type: "inspect"; run: number; side: Side; addr: string; id: number; cycle?: number; req?: number }
  | { type: "l1Sets"; run: number; side: Side; sm: number; id: number; cycle?: number }
  | { type: "launches"; run: number; side: Side; id: number }
  | { type: "elements"; side: Side; name: string; id: number }
  | { type: "trace"; run: number; side: Side; id: number; maxBytes?: number }
  | { type: "cancelTrace"; id: number }
  | ({ type: "seek"; run: number; id: number } & SeekQuestion)
  | { type: "describe"; id: number; scenario: Scenario }
  | { type: "exclusions"; id: number; scenario: Scenario; keep: string }
  | EstimateQuestion
  | { type: "pack"; id: number; scenario: Scenario; image?: Uint8Array }
  | { type: "unpack"; id: number; packed: Uint8Array }
  | ExplainQuestion;

// PointResult is the part of a result that a point keeps.
export interface PointResult {
  cycles?: number;
  seconds?: number;
  dramReadBytes?: number;
  dramWriteBytes?: number;
  error?: number;
  metrics?: Record<string, number>;
  energy?: Pick<Energy, "joules" | "watts" | "edpJouleSeconds">;
  [key: string]: unknown;
}

// Traffic gives, for every codec, the size of the blocks that cross the controllers in a
// run without compression (core/experiment/traffic.go).
export interface Traffic {
  blocks: number;
  entropyRatio16: number;
  codecs: { codec: string; ways?: number; maxValues?: number; bits: number; bytes: number[] }[];
}

// What a sweep and its engines tell each other: one point at a time, a run or, with
// traffic, a measurement of it, without events.
export type ToPoint =
  | { type: "point"; id: number; scenario: Scenario; traffic: boolean }
  | { type: "pointCancel"; id: number }
  | { type: "pointPause"; id: number; paused: boolean }
  | { type: "check"; id: number; scenario: Scenario };

export type FromPoint =
  | Ready
  | { type: "checked"; id: number; ok: boolean; hash?: string; errors?: ScenarioFault[] }
  | { type: "pointProgress"; id: number; fraction: number }
  | { type: "pointDone"; id: number; key: string; hash: string; milliseconds: number; result?: Result; traffic?: Traffic }
  | { type: "pointCancelled"; id: number }
  | { type: "pointPaused"; id: number; paused: boolean }
  | ErrorMessage;

export type ToView =
  | { type: "scene"; run: number; sides: { A: Topology; B: Topology | null }; labels: PerSide<string> }
  | { type: "events"; side: Side; buffer: ArrayBuffer; count: number }
  | { type: "window"; side: Side; from: number; until: number; kept: number; buffer: ArrayBuffer; data: number; metadata: number; saved: number }
  | Blocks
  | { type: "cursor"; cycle: number; playing: boolean; cyclesPerSecond: number }
  | { type: "finished"; side: Side; cycle: number }
  | { type: "show"; tab: string; side: "both" | Side; colour: string; channel: number }
  | { type: "theme"; dark: boolean; reducedMotion: boolean }
  | { type: "threshold"; bytes: number }
  | { type: "select"; addr: number }
  | { type: "pointer"; interactive: boolean }
  | { type: "yield"; on: boolean }; // the processors are for the engine

export type FromView =
  | { type: "viewReady" }
  | { type: "viewFailed"; message: string }
  | { type: "pick"; side: Side; addr: number; req?: number; cycle?: number }
  | ({ type: "viewState" } & ViewNumbers)
  | { type: "threshold"; bytes: number }
  | { type: "mapColour"; colour: string }
  | { type: "leave" }
  | { type: "seek"; cycle: number }
  | { type: "key"; key: string };

export interface ViewNumbers {
  tick: number;
  run: number; // on the picture; 0 before the first
  cycle: number;
  window: number; // cycles on a strip, 0 before the first picture
  burstsDrawn: number;
  savedDrawn: number;
  approximatedDrawn: number;
  fps: number;
}

export type { Memory };
