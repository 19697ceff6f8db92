// Formulas of lessons over the results of sides A and B, as core/lesson/formula
// reads them: the same grammar, the same order of operations, the same bits. Both run the table
// core/lesson/formula/testdata/cases.json.

import type { PerSide, Result, Side } from "../protocol/protocol";
import { tables } from "../protocol/tables";

const MAX_BYTES = 400;
const MAX_DEPTH = 24;

// OPERATORS by how strongly they bind, weakest first.
const OPERATORS: readonly (readonly string[])[] = [["or"], ["and"], ["<=", ">=", "==", "!=", "<", ">"], ["+", "-"], ["*", "/"]];
const CALLS: Record<string, (v: number) => number> = {
  ceil: Math.ceil,
  floor: Math.floor,
  round: (v) => Math.floor(v + 0.5),
  abs: Math.abs,
};

// figureOf is the value of a figure of a side: a counter, a metric, or an input of
// metrics. A metric without a value counts as 0, as for grading.
export function figureOf(results: PerSide<Result>, side: Side, name: string): number | undefined {
  const r = results[side];
  const own = (from: Record<string, number> | undefined): number | undefined => (from && Object.hasOwn(from, name) ? from[name] : undefined);
  return own(r.stats) ?? own(r.metrics) ?? (tables.metrics.some((m) => m.name === name) ? 0 : undefined);
}

// evaluate computes a formula; it throws an Error that says what is wrong.
export function evaluate(formula: string, results: PerSide<Result>): number {
  if (new TextEncoder().encode(formula).length > MAX_BYTES) throw new Error("the formula is too long");
  const tokens = formula.match(/[<>=!]=|[A-Za-z0-9.]+|[^ \n]/g) ?? [];
  let at = 0;
  const next = (words: readonly string[]): string | undefined => {
    const t = tokens[at];
    if (t === undefined || !words.includes(t)) return undefined;
    at++;
    return t;
  };
  const binary = (level: number, depth: number): number => {
    const words = OPERATORS[level];
    if (!words) return operand(depth);
    let left = binary(level + 1, depth);
    for (let op = next(words); op !== undefined; op = next(words)) left = apply(op, left, binary(level + 1, depth));
    return left;
  };
  const closed = (depth: number): number => {
    const v = binary(0, depth + 1);
    if (!next([")"])) throw new Error(`${tokens[at] ?? "the end"} stands where ) should be`);
    return v;
  };
  const operand = (depth: number): number => {
    if (depth > MAX_DEPTH) throw new Error(`nested more than ${MAX_DEPTH} deep`);
    if (next(["-"])) return -operand(depth + 1);
    if (next(["("])) return closed(depth);
    const token = tokens[at++];
    if (token === undefined) throw new Error("the formula ends where a number or a metric should be");
    if (/^\d/.test(token)) {
      if (!/^\d+\.?\d*$/.test(token)) throw new Error(`${token} is not a number`);
      return Number(token);
    }
    const pair = token === "min" || token === "max" ? Math[token] : undefined;
    if (pair) {
      if (!next(["("])) throw new Error(`${token} without (`);
      const first = binary(0, depth + 1);
      if (!next([","])) throw new Error(`${tokens[at] ?? "the end"} stands where , should be`);
      return pair(first, closed(depth));
    }
    const call = Object.hasOwn(CALLS, token) ? CALLS[token] : undefined;
    if (call) {
      if (!next(["("])) throw new Error(`${token} without (`);
      return call(closed(depth));
    }
    const [, side, name] = /^([AB])\.(.+)$/.exec(token) ?? [];
    const v = side === undefined ? undefined : figureOf(results, side as Side, name!);
    if (v === undefined) throw new Error(`${token} is not a counter or metric`);
    return v;
  };
  const v = binary(0, 0);
  if (at < tokens.length) throw new Error(`${tokens[at]} stands where an operator should be`);
  return v;
}

function apply(op: string, a: number, b: number): number {
  switch (op) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "<":
      return Number(a < b);
    case ">":
      return Number(a > b);
    case "<=":
      return Number(a <= b);
    case ">=":
      return Number(a >= b);
    case "==":
      return Number(a === b);
    case "!=":
      return Number(a !== b);
    case "and":
      return Number(a !== 0 && b !== 0);
  }
  return Number(a !== 0 || b !== 0);
}

// fill puts figures into a text: {B.cycles}, {B.error|%2} (core/lesson/formula/fill.go).
export function fill(text: string, results: PerSide<Result>): string {
  return text.replace(/\{([^{}|]*)(?:\|([^{}]*))?\}/g, (_, formula: string, format?: string) => figureText(evaluate(formula, results), format ?? ""));
}

function figureText(v: number, format: string): string {
  const digits = Number(format[1] ?? 3);
  if (format === "") return Number.isInteger(v) ? inDigits(v + 0, 0) : inDigits(v, 3); // + 0: a zero without its sign
  return format[0] === "%" ? `${inDigits(v * 100, digits)} %` : inDigits(v, digits);
}

// inDigits rounds ties to even, as Go does; toFixed would round them up.
function inDigits(v: number, digits: number): string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, roundingMode: "halfEven" } as const;
  return new Intl.NumberFormat("en-US", options).format(v);
}

// slack is how far from want a number may be.
export function slack(tolerance: string | undefined, want: number): number {
  if (!tolerance) return 0;
  return tolerance.endsWith("%") ? (Number(tolerance.slice(0, -1)) / 100) * Math.abs(want) : Number(tolerance);
}
