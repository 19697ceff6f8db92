// A grid for the reader's kernel: as many CTAs as its bounds test, or its buffers, have use for.

import type { Row } from "./draft";
import { count } from "../lib/format";
import type { Parameter } from "../protocol/kernel";

export interface Suggested {
  grid: string;
  why: string;
}

// TEST is a comparison that a bounds test makes, with its two operands.
const TEST = /\bsetp\.(?:lt|le|gt|ge|lo|ls|hi|hs)\.[\w.]+\s+%\w+(?:\|%\w+)?\s*,\s*(%\w+)\s*,\s*(%\w+)/;

// boundsOf are the places of the parameters that a kernel compares numbers with, in the order of the comparisons: the
// value of a ld.param in a register, perhaps moved, that a setp has as its second operand, or as its first.
export function boundsOf(source: string, entry: string, params: readonly Parameter[]): number[] {
  const from = source.search(new RegExp(`\\.entry\\s+${entry.replace(/[^\w]/g, "\\$&")}\\b`));
  const text = source.slice(Math.max(0, from)).replace(/\/\/.*$/gm, "");
  const end = text.indexOf("\n}");
  const held = new Map<string, number>(); // registers that hold a parameter
  const found: number[] = [];
  for (const statement of text.slice(0, end < 0 ? undefined : end).split(";")) {
    const load = /ld\.param\.\w+\s+(%\w+)\s*,\s*\[\s*([\w$%]+)\s*\]/.exec(statement);
    if (load) held.set(load[1]!, params.findIndex((p) => p.Name === load[2]));
    const move = /\b(?:mov|cvt)\.[\w.]+\s+(%\w+)\s*,\s*(%\w+)\s*$/.exec(statement);
    if (move && held.has(move[2]!)) held.set(move[1]!, held.get(move[2]!)!);
    const test = TEST.exec(statement);
    for (const register of test ? [test[2]!, test[1]!] : []) {
      const at = held.get(register) ?? -1;
      if (at >= 0 && !found.includes(at)) found.push(at);
    }
  }
  return found;
}

// suggestedGrid is undefined where nothing says how many threads have work, or where a block is no numbers. Each thread
// is taken to have one element.
export function suggestedGrid(
  source: string, entry: string, params: readonly Parameter[], rows: readonly Row[], block: string,
): Suggested | undefined {
  const sides = block.split(/[\s,x×]+/).filter((s) => s !== "").map(Number);
  if (sides.length === 0 || sides.some((n) => !Number.isInteger(n) || n < 1)) return undefined;
  const isCount = (i: number): boolean => rows[i]?.kind === "number" && Number(rows[i].value) >= 1;
  const bounds = boundsOf(source, entry, params).filter(isCount);
  const nameOf = (i: number): string => params[i]!.Name.replace(/^.*_param_/, "argument ");
  const numbers = bounds.map((i) => Math.ceil(Number(rows[i]!.value)));
  // One test is of one dimension; a block of two needs two.
  if (numbers.length >= sides.filter((n) => n > 1).length && numbers.length > 0) {
    const used = numbers.slice(0, Math.max(1, sides.filter((n) => n > 1).length));
    const grid = used.map((n, i) => Math.ceil(n / sides[i]!));
    const tested = used.map((n, i) => `${nameOf(bounds[i]!)} = ${count(n)}`).join(", ");
    return { grid: grid.join(", "), why: `its bounds test has ${tested}` };
  }
  const outputs = rows.filter((r) => r.kind === "buffer" && r.output && r.count >= 1);
  const most = Math.max(0, ...outputs.map((r) => r.count));
  if (most === 0) return undefined;
  const threads = sides.reduce((product, n) => product * n, 1);
  const largest = outputs.find((r) => r.count === most)!;
  return { grid: String(Math.ceil(most / threads)), why: `${largest.name} has ${count(most)} elements` };
}
