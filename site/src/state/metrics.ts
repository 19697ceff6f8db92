// Metrics as the page shows them: the rows of the engine's table (core/metric), with
// values that results carry. The result table, the memory chart, the headline, exports
// and answers use them.

import type { Result } from "../protocol/protocol";
import type { Memory } from "../protocol/scenario";
import { tables, type MetricInfo } from "../protocol/tables";
import { bytes, change, count, joules, measure, percent, ratio, seconds, share, short, significant } from "../lib/format";

// Given holds the data for the figures of one side.
export interface Given {
  result: Result;
  memory: Memory;
  image: boolean;
}

// Term is one term of a sum, shown as a line of an answer.
export interface Term {
  name: string;
  text: string;
  detail: string;
}

export interface Metric {
  key: string;
  title: string;
  formula: string;
  counters: string[]; // counters, inputs and metrics
  about: string;
  source: string;
  under?: string | undefined;
  value(g: Given): number | undefined;
  text(v: number, g: Given): string;
  terms?(g: Given): Term[];
  compare?(a: number, b: number, ga: Given, gb: Given): string;
}

// counter is a counter, an input or a metric of a result.
export function counter(r: Result, name: string): number | undefined {
  const v = r.stats?.[name] ?? r.metrics?.[name] ?? r[name];
  return typeof v === "number" ? v : undefined;
}

const KINDS: Record<string, (v: number) => string> = {
  count, short, bytes, ratio, share, joules, seconds,
  percent: (v) => (v === 0 ? "0" : percent(v)),
  tenths: (v) => v.toFixed(1),
};

const COMPARE: Record<NonNullable<MetricInfo["compare"]>, NonNullable<Metric["compare"]>> = {
  speedup: (a, b) => (b > 0 ? `×${ratio(a / b)}` : ""),
  change: (a, b) => change(a, b),
  mag: (_a, _b, ga, gb) => (ga.memory.mag === gb.memory.mag ? `at ${gb.memory.mag}\u202fB` : `${ga.memory.mag}|${gb.memory.mag}\u202fB`),
  measure: (_a, _b, _ga, gb) => measure(gb.result.errorMetric),
};

const CALLS = new Set(["ceil", "floor", "round", "abs", "min", "max"]);

// namesIn lists the names in a formula.
function namesIn(formula: string): string[] {
  return [...new Set(formula.match(/[A-Za-z]\w*/g) ?? [])].filter((n) => !CALLS.has(n));
}

function metricOf(row: MetricInfo): Metric {
  const m: Metric = {
    key: row.name,
    title: row.title,
    formula: row.formula.replace(/ \* /g, " × ").replace(/ \/ /g, " ÷ "),
    counters: [...new Set([...namesIn(row.formula), ...(row.also ?? [])])],
    about: row.about,
    source: row.source,
    under: row.under,
    value: (g) => g.result.metrics?.[row.name],
    text: (v) => row.format.replace(/\{(\w+)\}/, (_, kind: string) => (KINDS[kind] ?? significant)(v)),
  };
  if (row.compare) m.compare = COMPARE[row.compare];
  if (row.name === "joules") m.terms = energyTerms;
  return m;
}

function energyTerms(g: Given): Term[] {
  return (g.result.energy?.parts ?? []).map((p) => ({ name: p.title, text: joules(p.femtojoules / 1e15), detail: `${significant(p.watts)} W on average` }));
}

let made: readonly MetricInfo[] | undefined;
let all = new Map<string, Metric>();

// metrics are all rows of the table in force, by name.
export function metrics(): ReadonlyMap<string, Metric> {
  if (made !== tables.metrics) {
    made = tables.metrics;
    all = new Map(made.map((row) => [row.name, metricOf(row)]));
  }
  return all;
}

// figure is a metric's text for one side, "–" when the result lacks it.
export function figure(key: string, g: Given | undefined): string {
  const m = metrics().get(key);
  if (!m || !g) return "–";
  const v = m.value(g);
  if (v === undefined || !Number.isFinite(v)) return missing(key, g);
  return m.text(v, g);
}

// missing says why there is no figure, if the reason is known.
function missing(key: string, g: Given): string {
  return key === "metadataHitRate" && g.memory.codec === "none" ? "none" : "–";
}

export function valueOf(key: string, g: Given): number | undefined {
  return metrics().get(key)?.value(g);
}

export function counterText(n: number): string {
  return Number.isInteger(n) ? count(n) : significant(n, 6);
}
