// The names of the two schemes without the systems that did nothing in the run: a sentence about what a scheme gained
// does not credit them.

import { SIDES, type PerSide, type Result } from "../protocol/protocol";
import { labels, memoryOf, schemeOf, type Full } from "../protocol/scenario";

// credited are the names, of which the results say what did nothing.
export function credited(scenario: Full, results: Partial<PerSide<Result>>): PerSide<string> {
  const s = structuredClone(scenario);
  for (const side of SIDES) {
    for (const { path } of results[side]?.idle ?? []) {
      const group = path.split(".")[0]!;
      const memory = memoryOf(s, side);
      if (group !== "memory") delete schemeOf(s, side)[group];
      else memory.approximation = "none";
      if (path === "memory.codec") memory.codec = "none";
    }
  }
  const names = labels(s);
  // A scheme that did nothing may still have cost time, and is then told from the other side by its own name.
  return names.A === names.B ? labels(scenario) : names;
}

// idleWords say what did nothing, and why.
export function idleWords(results: Partial<PerSide<Result>>): string {
  return [...new Set(SIDES.flatMap((side) => (results[side]?.idle ?? []).map((x) => x.text)))].join(" ");
}

// findingWords say which output differs from the exact one although nothing is approximated. Two sides with the same
// finding have one sentence.
export function findingWords(results: Partial<PerSide<Result>>): string {
  return [...new Set(SIDES.flatMap((side) => results[side]?.finding?.text ?? []))].join(" ");
}
