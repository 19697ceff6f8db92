// Why an L1 had a mode in a phase, in sentences with the numbers of the policy.

import { count, significant } from "../lib/format";
import { MODES, type PhaseTable } from "./phases";

export interface Why {
  title: string;
  reason: string;
  modes: { words: string; chosen: boolean }[]; // one for each mode that was rated
  more: string[];
}

const BY_AMAT = 1;
const BY_HITS = 2;
const BY_COUNTER = 3;

const n = (v: number): string => significant(v, 4);

function capital(words: string): string {
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
}

function some(v: number, one: string, more = `${one}s`): string {
  return `${count(v)} ${v === 1 ? one : more}`;
}

// whyOf explains the mode of a phase.
export function whyOf(t: PhaseTable, row: number): Why {
  const v = (column: string): number => t.value(row, column);
  const mode = t.mode(row);
  const learns = t.of.sampled && v("phase") % t.of.period === 0;
  const title = `SM ${v("sm")}, phase ${count(v("phase"))}, cycles ${count(v("began"))} to ${count(v("ended"))}: ${t.name(mode)}.`;
  const why: Why = { title, reason: "", modes: [], more: [] };
  const before = count(v("phase") - 1);
  switch (v("basis")) {
    case BY_AMAT:
      why.reason = reasonOf(t, row, `when phase ${before} ended`);
      why.modes = t.used.map((m) => ({ words: amatOf(t, row, m), chosen: m === mode }));
      why.more.push(toleranceOf(t, row));
      break;
    case BY_HITS:
      why.reason = `When phase ${before} ended, the sets of ${t.name(mode)} had the highest share of hits.`;
      why.modes = t.used.map((m) => ({ words: hitsOf(t, row, m), chosen: m === mode }));
      break;
    case BY_COUNTER:
      why.reason =
        v("whySaved") >= 0
          ? `The counter of what compression saved stood at ${count(v("whySaved"))} cycles when phase ${before} ended. While it is not negative, lines are compressed.`
          : `The counter stood at ${n(v("whySaved"))} cycles when phase ${before} ended: compression had cost more than it saved.`;
      break;
    default:
      why.reason = unmeasured(t, row);
  }
  if (learns) {
    why.more.push(
      `This phase learns: each mode has ${t.of.dedicated} of the ${t.of.sets} sets to itself, and the other ${t.of.sets - 3 * t.of.dedicated} have the mode shown. Counting begins again.`,
    );
  }
  why.more.push(measuredIn(t, row));
  return why;
}

function unmeasured(t: PhaseTable, row: number): string {
  if (t.of.planned) return `The plan gives launch ${t.value(row, "launch")} this mode: the search ran the launch in every mode from the same state, and this one was the fastest.`;
  const phase = t.value(row, "phase");
  if (phase === 0) return "This is the first phase: nothing has been measured yet.";
  if (t.of.sampled) {
    return `No dedicated set had been used when phase ${count(phase - 1)} ended. No mode was rated, and lines stay as they are.`;
  }
  return `${t.of.policy} has one mode for all lines.`;
}

// sampled tells whether a mode has hits or misses to rate it by.
function sampled(t: PhaseTable, row: number, m: number): boolean {
  return t.value(row, `whyHits${MODES[m]}`) + t.value(row, `whyMisses${MODES[m]}`) > 0;
}

function reasonOf(t: PhaseTable, row: number, when: string): string {
  const mode = t.mode(row);
  const amat = (m: number): number => t.value(row, `whyAMAT${MODES[m]}`);
  const rated = t.used.filter((m) => sampled(t, row, m));
  const others = rated.filter((m) => m !== mode).map((m) => `${n(amat(m))} with ${t.name(m)}`);
  const tie = rated.some((m) => m !== mode && amat(m) === amat(mode)) ? " Among equal ones the cheapest mode wins." : "";
  const against = others.length === 0 ? "the only one with samples" : `against ${others.join(" and ")}`;
  return `The least mean latency of an access (AMAT) that warps do not hide was that of ${t.name(mode)} ${when}: ${n(amat(mode))} cycles, ${against}.${tie}`;
}

// amatOf is the AMAT of a mode with the numbers in it.
function amatOf(t: PhaseTable, row: number, m: number): string {
  const of = (column: string): number => t.value(row, `${column}${MODES[m]}`);
  if (!sampled(t, row, m)) return `${capital(t.name(m))}: no hit and no miss counted, so no AMAT.`;
  const [hits, misses, hit, miss, hidden] = [of("whyHits"), of("whyMisses"), of("whyHitCycles"), t.value(row, "whyMissCycles"), t.value(row, "whyTolerance")];
  const queue = t.value(row, `whyQueue${MODES[m]}`);
  const cost = m === 0 ? `${n(hit)} cycles` : `${t.of.hitCycles} + ${t.of.decompress[m]} × (${n(queue)} in front + 1) = ${n(hit)} cycles`;
  const exposed = Math.max(hit - hidden, 0);
  const left = exposed === 0 ? "all of it hidden" : hidden === 0 ? "none of it hidden" : `${n(exposed)} of them not hidden`;
  return (
    `${capital(t.name(m))}: ${some(hits, "hit")}, ${some(misses, "miss", "misses")}. A hit takes ${cost}, ${left}; a miss ${n(miss)}. ` +
    `AMAT = (${count(hits)} × ${n(exposed)} + ${count(misses)} × ${n(miss)}) ÷ ${count(hits + misses)} = ${n(of("whyAMAT"))} cycles.`
  );
}

function hitsOf(t: PhaseTable, row: number, m: number): string {
  const [hits, misses] = [t.value(row, `whyHits${MODES[m]}`), t.value(row, `whyMisses${MODES[m]}`)];
  if (hits + misses === 0) return `${capital(t.name(m))}: no hit and no miss counted.`;
  return `${capital(t.name(m))}: ${count(hits)} hits of ${count(hits + misses)} accesses, ${n((100 * hits) / (hits + misses))} %.`;
}

function toleranceOf(t: PhaseTable, row: number): string {
  const [hidden, ready, run] = [t.value(row, "whyTolerance"), t.value(row, "whyReadyWarps"), t.value(row, "whyRunCycles")];
  if (hidden === 0 && ready * run > 0) return `${t.of.policy} takes no latency as hidden.`;
  if (hidden === ready) return `Warps hide ${n(hidden)} cycles of a hit: as many as warps were ready.`;
  return `Warps hide up to ${n(hidden)} cycles of a hit, the latency tolerance: ${n(ready)} ready warps × ${n(run)} instructions that one warp issues in turn.`;
}

function measuredIn(t: PhaseTable, row: number): string {
  const v = (column: string): number => t.value(row, column);
  const queues = t.used
    .filter((m) => v(`lines${MODES[m]}`) > 0)
    .map((m) => `${some(v(`lines${MODES[m]}`), "hit")} passed the decompressor of ${t.name(m)}, with ${n(v(`queue${MODES[m]}`))} lines in front of each on average`);
  const held = `At its end L1 held ${n(v("capacity"))} times its size in lines`;
  return `In this phase the tolerance was ${n(v("tolerance"))} cycles. ${[held, ...queues].join("; ")}.`;
}
