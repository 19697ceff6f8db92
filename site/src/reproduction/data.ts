// The committed results of the reproduction: the ledger of claims, the figures, and
// the runs they come from. They are files beside the page, read when the part is
// opened; the command line's `reproduce` makes them.

import { asset } from "../lib/assets";
import { FORMAT_MACHINES, type DataSet } from "../state/reproduction";
import type { Interval, Scenario } from "../protocol/scenario";

export interface Claim {
  id: string;
  paper: string;
  tier: string;
  kind: string;
  figure: string; // or section
  statement: string;
  metric: string;
  baseline: string;
  config: string;
  workloads: string;
  paperValue: string; // "" where the paper states no number
  unit: string;
  check: string;
  notes: string;
  verdict: string;
  measured?: number; // in the paper's unit
  ratioDeviation?: number;
  effectDeviation?: number;
  grade?: string;
  missing?: string[];
  lackingRuns?: number;
  remarks?: string[];
  runs?: number[]; // places in Index.runs
  analysis?: string;
  timed?: boolean; // the number is about time or energy
  noise?: Noise; // how far it moves; without it, it was not measured
  readings?: OtherReading[]; // what the row comes to under other readings of what its paper leaves open
  under?: string; // the reading of number and verdict, where the text states another one than the row's own
  asRun?: AsRun; // what the row comes to under its own then
}

export type AsRun = Pick<Claim, "verdict" | "measured" | "grade" | "noise" | "remarks" | "runs"> & { word: string };

// OtherReading is a reading of what a paper leaves open. The row has one of its own.
export interface OtherReading {
  part: string; // what is open
  own: string; // the row's own
  why: string;
  word: string; // this one
  settings: string;
  stated?: boolean; // by the text: the row's verdict is the one under it
  verdict: string;
  measured?: number;
  grade?: string;
  remarks?: string[];
  runs?: number[]; // places in Index.runs
}

// Noise is how far a row's number moves although nothing changed that it is about, in the paper's unit.
export interface Noise {
  own: Interval; // over seeds of the inputs and placements of the buffers
  null: Interval; // over the same, if nothing were saved
  seeds: number;
  placements: number;
  distinguishable: boolean;
  runs: number[]; // places in Index.runs
}

// Source says what the rows of some papers are from.
export interface Source {
  papers: string[];
  machine: string;
  data: string; // the inputs
  digest: string;
}

export interface Ledger {
  version: string;
  set: DataSet;
  sources: Source[];
  claims: Claim[];
}

// sourceOf is that of a paper's rows; a ledger has no rows of a paper without one.
export function sourceOf(ledger: Ledger, paper: string): Source | undefined {
  return ledger.sources.find((s) => s.papers.includes(paper));
}

// Formula says how a value follows from runs: the metric of a run, a value of a
// measurement of traffic, a ratio of two formulas, or a mean of several.
export type Formula =
  | { op: "run"; run: number; metric: string }
  | { op: "traffic"; run: number; metric: string; codec?: string; ways?: number; values?: number; mag?: number; lo?: number; hi?: number }
  | { op: "ratio" | "geomean" | "mean"; of: Formula[] };

export interface Metric {
  name: string; // of the table of metrics
  title: string;
  unit: string;
  formula: string;
}

export interface Series {
  label: string;
  values: (number | null)[];
  paper: (number | null)[];
  formulas: (Formula | null)[];
  zeros?: (Zeros | null)[];
  spreads?: (Spread | null)[];
}

// Spread is a value over all inputs of its figure.
export interface Spread {
  low: number;
  high: number;
  mean: number; // arithmetic
}

// Zeros says how many values of a geometric mean of errors are exactly 0, and what the
// mean of the others is.
export interface Zeros {
  zeros: number;
  of: number;
  without: number | null;
}

export interface Panel {
  title: string;
  unit: string;
  kind: "bars" | "map";
  axis: string;
  categories: string[];
  series: Series[];
  absent?: string[];
}

export interface Figure {
  figure: string;
  paper: string;
  title: string;
  notes?: string;
  inputs?: number; // of the spreads
  machine: string;
  data: string; // the inputs
  version: string;
  digest: string;
  metrics: Record<string, Metric>;
  runs: number[]; // places in Index.runs; formulas name them by their place here
  panels: Panel[];
  missing?: string[];
}

// CommittedRun is a run, or the measurement of the traffic of one.
export interface CommittedRun {
  key: string; // hash of the scenario; of traffic with a suffix
  kind: "run" | "traffic";
  title: string;
  scenario: Scenario;
  result?: string; // hash of the result, if it is measured
}

export interface Index {
  version: string;
  digest: string;
  parts: Part[];
  figures: { name: string; paper: string; title: string; machine: string; sets: DataSet[] }[];
  sets: DataSet[];
  runs: CommittedRun[];
}

// Part is a reproduction of some papers on one machine.
export interface Part {
  machine: string;
  sets: Partial<Record<DataSet, { data: string; papers: string[] }>>; // those that it has results in
  runs: number;
  lacking?: number; // runs without a result
}

// papersOf are the papers with results in a set.
export function papersOf(index: Index, set: DataSet): string[] {
  return index.parts.flatMap((p) => p.sets[set]?.papers ?? []);
}

// Silicon holds recorded cases of a GPU against a preset, as the command line's correlate
// compare writes them. Times of programs are nanoseconds.
export interface Silicon {
  device: string;
  driver: string;
  preset: string;
  launch: { aloneMeasuredNs: number; nextMeasuredNs: number };
  programs: SiliconSummary;
  longPrograms: SiliconSummary; // those that launches do not bind
  cases: SiliconCase[];
}

export interface SiliconSummary {
  cases: number;
  meanError: number;
  correlation: number; // of cycles
  logCorrelation: number; // of their logarithms
}

export interface SiliconCase {
  kind: string;
  name: string;
  size: number;
  data: string;
  measured: number;
  simulated: number;
  launchBound: boolean; // takes less than twice as long as empty kernels
}

// DataError names a file with unexpected contents.
export class DataError extends Error {}

async function read(file: string): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(asset(file));
  } catch {
    throw new DataError(`${file}: it could not be loaded`);
  }
  if (!answer.ok) throw new DataError(`${file}: the server answered ${answer.status}`);
  try {
    return await answer.json();
  } catch {
    throw new DataError(`${file}: it is not JSON, or is cut off`);
  }
}

// need checks a property that the page relies on, so that a wrong file gives one clear
// message and no later fault.
function need(ok: boolean, file: string, what: string): asserts ok {
  if (!ok) throw new DataError(`${file}: ${what}`);
}

function isObject(x: unknown): x is Record<string, unknown> {
  return typeof x === "object" && x !== null && !Array.isArray(x);
}

function isList(x: unknown): x is unknown[] {
  return Array.isArray(x);
}

const TEXTS = ["id", "paper", "tier", "figure", "statement", "verdict", "paperValue", "unit", "check"] as const;

export async function readIndex(): Promise<Index> {
  const file = "repro/index.json";
  const index = await read(file);
  need(isObject(index) && typeof index["version"] === "string" && typeof index["digest"] === "string", file, "it names no version");
  need(isList(index["figures"]) && isList(index["parts"]) && isList(index["runs"]), file, "it lists no figures, parts or runs");
  for (const f of index["figures"]) need(isObject(f) && typeof f["name"] === "string" && isList(f["sets"]), file, "a figure has no name or sets");
  for (const p of index["parts"]) need(isObject(p) && typeof p["machine"] === "string" && isObject(p["sets"]), file, "a part has no machine or sets");
  for (const r of index["runs"]) need(isObject(r) && isObject(r["scenario"]) && typeof r["title"] === "string" && typeof r["key"] === "string", file, "a run has no scenario, title or key");
  return index as unknown as Index;
}

// places tells whether a list holds places among so many.
function places(list: unknown, among: number): boolean {
  return isList(list) && list.every((x) => typeof x === "number" && Number.isInteger(x) && x >= 0 && x < among);
}

export async function readLedger(set: DataSet, index: Index): Promise<Ledger> {
  const file = `repro/claims-${set}.json`;
  const ledger = await read(file);
  need(isObject(ledger) && isList(ledger["claims"]), file, "it is not a ledger of claims");
  need(ledger["version"] === index.version, file, "it belongs to another version than the runs");
  need(isList(ledger["sources"]), file, "it does not say what its rows are from");
  for (const s of ledger["sources"]) need(isObject(s) && isList(s["papers"]) && typeof s["machine"] === "string" && typeof s["data"] === "string", file, "a source names no papers, machine or inputs");
  for (const c of ledger["claims"]) {
    need(isObject(c) && TEXTS.every((key) => typeof c[key] === "string"), file, "a claim lacks a part");
    need(c["runs"] === undefined || places(c["runs"], index.runs.length), file, `claim ${String(c["id"])} names a run that does not exist`);
    const asRun = c["asRun"] ?? {};
    const none = `claim ${String(c["id"])} has a row of its own that is none`;
    need(isObject(asRun) && places(asRun["runs"] ?? [], index.runs.length), file, none);
    const right = [c["noise"], asRun["noise"]].every((x) => x === undefined || isNoise(x, index.runs.length));
    const others = c["readings"] ?? [];
    const whole = isList(others) && others.every((x) => isReading(x, index.runs.length));
    need(whole, file, `a reading of claim ${String(c["id"])} is not one`);
    need(right, file, `the interval of claim ${String(c["id"])} is not one`);
  }
  return ledger as unknown as Ledger;
}

export async function readFigures(set: DataSet, index: Index): Promise<Map<string, Figure>> {
  const file = `repro/figures-${set}.json`;
  const all = await read(file);
  need(isObject(all) && isList(all["figures"]), file, "it holds no figures");
  need(all["version"] === index.version, file, "they belong to another version than the runs");
  return new Map(all["figures"].map((f) => [checkFigure(f, file, index), f as Figure]));
}

// checkFigure answers the name of a figure that is whole.
function checkFigure(f: unknown, file: string, index: Index): string {
  need(isObject(f) && typeof f["figure"] === "string" && isObject(f["metrics"]) && isList(f["panels"]), file, "an entry is not a figure");
  need(places(f["runs"], index.runs.length), file, `figure ${f["figure"]} names a run that does not exist`);
  const runs = (f["runs"] as unknown[]).length;
  for (const p of f["panels"]) {
    need(isObject(p) && isList(p["categories"]) && isList(p["series"]), file, `a panel of ${f["figure"]} has no categories or series`);
    const n = p["categories"].length;
    for (const s of p["series"]) {
      const whole = isObject(s) && (["values", "paper", "formulas"] as const).every((key) => isList(s[key]) && (s[key] as unknown[]).length === n);
      need(whole, file, `a series of ${f["figure"]} lacks a value, a value of the paper or a formula for a category`);
      for (const x of (s as unknown as Series).formulas) need(x === null || isFormula(x, runs, 0), file, `a formula of ${f["figure"]} names a run outside the figure`);
    }
  }
  return f["figure"];
}

export async function readSilicon(): Promise<Silicon> {
  const file = "repro/silicon.json";
  const s = await read(file);
  need(isObject(s) && isList(s["cases"]), file, "it lists no runs");
  need((["device", "driver", "preset"] as const).every((key) => typeof s[key] === "string"), file, "it names no device, driver or preset");
  need(numbers(s["launch"], "aloneMeasuredNs", "nextMeasuredNs"), file, "it does not say how long an empty kernel takes");
  for (const key of ["programs", "longPrograms"]) need(numbers(s[key], "cases", "meanError", "correlation", "logCorrelation"), file, "a figure is missing");
  for (const c of s["cases"]) need(isObject(c) && typeof c["kind"] === "string" && typeof c["name"] === "string" && numbers(c, "size", "measured", "simulated"), file, "a run lacks its name, its size or a time");
  const silicon = s as unknown as Silicon;
  const programs = silicon.cases.filter((c) => c.kind === "program");
  need(programs.length > 0 && programs.every((c) => c.measured > 0 && c.simulated > 0), file, "a program lacks a time");
  return { ...silicon, cases: programs };
}

// FormatRun is a run of the study of formats.
export interface FormatRun {
  program: string;
  data: string;
  size: number;
  codec: string; // or the approximation over E2MC-16
  mag: number;
  compressionRatioRaw: number;
  compressionRatioEffective: number;
  dramBytes: number;
  cycles: number;
  joules: number;
  error: number;
  burstsMetadata: number;
  lossyShare: number;
  preset: string;
}

const FORMAT_WORDS: readonly string[] = ["program", "data", "codec", "preset"];

export async function readFormats(): Promise<FormatRun[]> {
  const file = "repro/formats.json";
  const s = await read(file);
  need(isObject(s) && isList(s["columns"]) && isList(s["rows"]) && s["rows"].length > 0, file, "it lists no runs");
  const columns = s["columns"].map(String);
  const runs = s["rows"].map((row) => {
    need(isList(row) && row.length === columns.length && row.every((x, i) => typeof x === (FORMAT_WORDS.includes(columns[i]!) ? "string" : "number")), file, "a run lacks a name or a figure");
    return Object.fromEntries(columns.map((name, i) => [name, row[i]])) as unknown as FormatRun;
  });
  const key = (r: Pick<FormatRun, "preset" | "program" | "data" | "codec" | "mag">): string => [r.preset, r.program, r.data, r.codec, r.mag].join(" ");
  const known = new Set(runs.map(key));
  for (const r of runs) for (const preset of FORMAT_MACHINES) need(known.has(key({ ...r, preset })) && known.has(key({ ...r, preset, codec: "none" })), file, `a run has no counterpart on ${preset}: ${key(r)}`);
  return runs;
}

function numbers(x: unknown, ...keys: string[]): boolean {
  return isObject(x) && keys.every((key) => Number.isFinite(x[key]));
}

const DEEPEST = 4;

function isReading(x: unknown, runs: number): boolean {
  const texts = ["part", "own", "why", "word", "settings", "verdict"];
  if (!isObject(x) || !texts.every((key) => typeof x[key] === "string")) return false;
  return x["runs"] === undefined || places(x["runs"], runs);
}

function isNoise(n: unknown, runs: number): boolean {
  const number = (x: unknown): boolean => typeof x === "number";
  const interval = (x: unknown): boolean => isObject(x) && number(x["low"]) && number(x["high"]);
  if (!isObject(n) || !interval(n["own"]) || !interval(n["null"])) return false;
  return typeof n["distinguishable"] === "boolean" && places(n["runs"], runs);
}

function isFormula(f: unknown, runs: number, depth: number): boolean {
  if (!isObject(f) || depth > DEEPEST) return false;
  if (f["op"] === "run" || f["op"] === "traffic") {
    const run = f["run"];
    return typeof run === "number" && Number.isInteger(run) && run >= 0 && run < runs && typeof f["metric"] === "string";
  }
  const of = f["of"];
  return ["ratio", "geomean", "mean"].includes(String(f["op"])) && isList(of) && of.length > 0 && of.every((x) => isFormula(x, runs, depth + 1));
}
