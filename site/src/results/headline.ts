// The result in one sentence, made from the numbers of the run.

import { SAME, measure, percent } from "../lib/format";
import { valueOf, type Given } from "../state/metrics";
import type { PerSide } from "../protocol/protocol";

// headline answers "TSLC-OPT moves 28 % fewer bytes than E2MC-16 on this image
// and finishes 9 % sooner; the picture changes by 0.4 %."
export function headline(names: PerSide<string>, a: Given, b: Given): string | undefined {
  const [bytesA, bytesB] = [valueOf("dramBytes", a), valueOf("dramBytes", b)];
  const [cyclesA, cyclesB] = [valueOf("cycles", a), valueOf("cycles", b)];
  if (!bytesA || bytesB === undefined || !cyclesA || cyclesB === undefined) return undefined;
  if (names.A === names.B && bytesA === bytesB && cyclesA === cyclesB) return `Both sides are the same: ${names.A}.`;
  const on = b.image ? " on this image" : "";
  const fewer = 1 - bytesB / bytesA;
  const moves =
    Math.abs(fewer) < SAME
      ? `moves as many bytes as ${names.A}${on}`
      : `moves ${percent(Math.abs(fewer))} ${fewer > 0 ? "fewer" : "more"} bytes than ${names.A}${on}`;
  const sooner = 1 - cyclesB / cyclesA;
  const time =
    Math.abs(sooner) < SAME
      ? "takes as long"
      : `finishes ${percent(Math.abs(sooner))} ${sooner > 0 ? "sooner" : "later"}`;
  return `${names.B} ${moves} and ${time}; ${changes(a, b)}.`;
}

function changes(a: Given, b: Given): string {
  const thing = b.image ? "picture" : "result";
  const [errorA, errorB] = [a.result.error, b.result.error];
  if (errorB === undefined) return `the ${thing} was not compared`;
  if (errorB === 0 && !errorA) return `the ${thing} is exact`;
  const name = b.image ? "" : measure(b.result.errorMetric);
  const metric = name ? ` (${name})` : "";
  if (!errorA) return `the ${thing} changes by ${percent(errorB)}${metric}`;
  return `the ${thing} changes by ${percent(errorB)} against ${percent(errorA)}${metric}`;
}
