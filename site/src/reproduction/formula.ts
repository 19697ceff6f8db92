// Values of figures from fresh results, as core/claim computes them: both run core/claim/testdata/formulas.json.

import { BLOCK_BYTES, above, effectiveRatio, rawRatio } from "../lab/math";
import type { Traffic } from "../protocol/protocol";
import type { Figure, Formula } from "./data";
import type { Outcome } from "../sweep/pool";

// Exact zeros count as this in geometric means (core/claim/vocabulary.go).
const NO_ZERO = 1e-9;

// valueOf is undefined where an outcome is not there, or does not hold what is asked.
export function valueOf(f: Formula, figure: Figure, outcome: (place: number) => Outcome | undefined): number | undefined {
  switch (f.op) {
    case "run": {
      const result = outcome(figure.runs[f.run]!)?.result;
      const metric = figure.metrics[f.metric];
      return result && metric ? result.metrics?.[metric.name] : undefined;
    }
    case "traffic": {
      const traffic = outcome(figure.runs[f.run]!)?.traffic;
      return traffic && trafficOf(f, traffic);
    }
  }
  const of = f.of.map((x) => valueOf(x, figure, outcome));
  if (of.some((x) => x === undefined)) return undefined;
  const list = of as number[];
  if (f.op === "ratio") return list[0]! / list[1]!;
  if (f.op === "mean") return list.reduce((a, b) => a + b, 0) / list.length;
  return Math.exp(list.reduce((sum, x) => sum + Math.log(x === 0 ? NO_ZERO : x), 0) / list.length);
}

// Of E2MC's own: four ways, 1024 values with a codeword (core/codec/e2mc).
const OWN_WAYS = 4;
const OWN_VALUES = 1024;

export function codecOf(t: Traffic, codec: string, ways?: number, values?: number): Traffic["codecs"][number] | undefined {
  return t.codecs.find((c) => c.codec === codec && (!c.ways || (c.ways === (ways || OWN_WAYS) && c.maxValues === (values || OWN_VALUES))));
}

function trafficOf(f: Extract<Formula, { op: "traffic" }>, t: Traffic): number | undefined {
  if (f.metric === "cr_entropy16") return t.entropyRatio16;
  const c = codecOf(t, f.codec ?? "", f.ways, f.values);
  if (!c) return undefined;
  const mag = f.mag ?? 32;
  const count = (of: (bytes: number) => boolean): number =>
    c.bytes.reduce((sum, n, bytes) => sum + (of(bytes) ? n : 0), 0);
  const share = (of: (bytes: number) => boolean): number => count(of) / Math.max(1, count(() => true));
  const lo = f.lo ?? 0;
  switch (f.metric) {
    case "cr_raw":
      return rawRatio(c, t.blocks);
    case "cr_mag":
      return effectiveRatio(c, t.blocks, mag);
    case "frac_blocks_in":
      return share((b) => b > lo && b <= (f.hi ?? BLOCK_BYTES));
    case "frac_blocks_at_above_mag":
      return share((b) => above(b, mag) === lo);
    case "frac_blocks_1_16_above_mag":
      return share((b) => above(b, mag) >= 1 && above(b, mag) <= 16 && above(b, mag) < mag);
  }
  return undefined;
}
