// Settings of the reproduction as a link holds them, and its state as tests read it.

export const REPRO_SHOWS = ["papers", "ledger", "figures", "silicon", "formats", "sweep"] as const;
export type ReproShow = (typeof REPRO_SHOWS)[number];
// FORMAT_MACHINES, MAGS and FORMAT_METRICS are what the study of formats shows: ratios, changes against no
// compression, the program's error, and the share of metadata in the bytes.
export const FORMAT_MACHINES = ["h100", "a100"] as const;
export const MAGS = ["32", "64"] as const;
export const FORMAT_METRICS = ["effective", "raw", "bytes", "cycles", "energy", "error", "metadata"] as const;
export const PAPERS = ["SLC", "E2MC", "LATTE", "BUDDY", "RFVP"] as const;
export const TIERS = ["T1", "T2", "T3"] as const;

// Verdicts as links write them, and as the ledger does.
export const VERDICTS = {
  holds: "holds",
  inorder: "holds in order, not in size",
  fails: "does not hold",
  arithmetic: "arithmetic only",
  calibrated: "input-calibrated",
  shown: "shown only",
  unmeasured: "not yet measured",
} as const;

export type VerdictKey = keyof typeof VERDICTS;
// BY_RUNS are the verdicts that runs decide; the others are no evidence.
export const BY_RUNS: readonly VerdictKey[] = ["holds", "inorder", "fails"];
// DATA_SETS are the sets of committed results: each paper on the inputs of its own reading, and those
// papers that have them on calibrated inputs.
export const DATA_SETS = ["own", "calibrated"] as const;
export type DataSet = (typeof DATA_SETS)[number];

export interface ReproSettings {
  open: boolean;
  show: ReproShow;
  data: DataSet;
  // Filters of the ledger, "" = all.
  paper: string;
  tier: string;
  verdict: string;
  q: string;
  sort: string; // "apart": rows furthest from the paper first; "": core results that runs decide first
  row: string; // of the ledger, that a link points at
  figure: string;
  machine: string; // of the study of formats
  mag: string;
  metric: string;
  // The sweep of the reader's own: a path of the scenario and its values.
  vary: string;
  values: string;
  both: string; // "1": in scheme A too
  vary2: string; // a second path, "" = none
  values2: string;
  begin: boolean; // whether the sweep is to run as soon as it is on show; no link says so
}

export const FIRST_REPRO: ReproSettings = {
  open: false,
  show: "papers",
  data: "own",
  paper: "",
  tier: "",
  verdict: "",
  q: "",
  sort: "",
  row: "",
  figure: "SLC-7",
  machine: "h100",
  mag: "32",
  metric: "effective",
  vary: "memory.threshold",
  values: "4, 8, 12, 16",
  both: "",
  vary2: "",
  values2: "",
  begin: false,
};

// ReproTest is what tests read of the part.
export interface ReproTest {
  open: boolean;
  ready: boolean; // its data are read
  rows: number; // of the ledger, on show
  // The sweep in progress, or the last one.
  sweep: "idle" | "running" | "paused" | "done" | "cancelled";
  points: number; // of it
  done: number; // of these, computed or known from before
  known: number; // of these, known from before
  cancelMilliseconds: number; // from asking until no worker works, of the latest cancel or pause
  same: number; // points of the figure on show computed here with the committed hash
  different: number;
}

export const FIRST_REPRO_TEST: ReproTest = {
  open: false, ready: false, rows: 0, sweep: "idle", points: 0, done: 0, known: 0, cancelMilliseconds: 0, same: 0, different: 0,
};
