package e2e

import (
	"testing"
)

// l1Script holds the sentences about phases whose numbers are those of TestPhaseLogOfATrace
// (core/system/latte), and a log of which only every second phase was kept.
const l1Script = `
import { PhaseTable, plainTable } from "./l1/phases";
import { rowsOfSets, wordsOfSets } from "./l1/sets";
import { whyOf } from "./l1/why";

const each = (name: string, [a, b, c]: number[]) => ({ [name + "None"]: a, [name + "Low"]: b, [name + "High"]: c });
const none = NaN;
const row = (r: Record<string, number>) => ({
  sm: 1, phase: 0, launch: 0, began: 0, ended: 900, mode: 0, readyWarps: 2, runCycles: 3, tolerance: 6, missCycles: 100, ...each("lines", [0, 0, 0]), ...each("queue", [0, 0, 0]), capacity: 0.03125,
  basis: 0, whyTolerance: none, whyReadyWarps: 0, whyRunCycles: 0, whyMissCycles: none, ...each("whyQueue", [0, 0, 0]), ...each("whyHits", [0, 0, 0]), ...each("whyMisses", [0, 0, 0]),
  ...each("whyHitCycles", [none, none, none]), ...each("whyAMAT", [none, none, none]), whySaved: none, ...r,
});
const about = { type: "phases", run: 1, side: "B", sms: 4, policy: "LATTE-CC with BPC", sampled: true, planned: false, codecs: ["", "BDI", "BPC"], decompress: [0, 2, 14], hitCycles: 3, accesses: 8, period: 3, sets: 32, dedicated: 4 };
const table = (rows: Record<string, number>[], with_ = {}) =>
  new PhaseTable({ ...about, ...with_, columns: Object.keys(rows[0]!), values: Float64Array.from(rows.flatMap((r) => Object.values(r))) } as any);

const t = table([
  row({ ...each("lines", [0, 2, 1]), ...each("queue", [0, 0.5, 0]) }),
  row({
    phase: 1, began: 900, ended: 1206, mode: 1, basis: 1, whyTolerance: 6, whyReadyWarps: 2, whyRunCycles: 3, whyMissCycles: 100, ...each("whyQueue", [0, 0.5, 0]),
    ...each("whyHits", [1, 2, 1]), ...each("whyMisses", [1, 1, 1]), ...each("whyHitCycles", [3, 6, 17]), ...each("whyAMAT", [50, 100 / 3, 55.5]),
  }),
  row({
    phase: 2, began: 1206, ended: 1406, mode: 0, basis: 1, whyTolerance: 6, whyReadyWarps: 2, whyRunCycles: 3, whyMissCycles: 100,
    ...each("whyHits", [2, 2, 0]), ...each("whyMisses", [1, 1, 0]), ...each("whyHitCycles", [3, 5, none]), ...each("whyAMAT", [100 / 3, 100 / 3, none]),
  }),
  row({ sm: 3 }),
]);
same("first", whyOf(t, 0), {
  title: "SM 1, phase 0, cycles 0 to 900: no compression.",
  reason: "This is the first phase: nothing has been measured yet.",
  modes: [],
  more: [
    "This phase learns: each mode has 4 of the 32 sets to itself, and the other 20 have the mode shown. Counting begins again.",
    "In this phase the tolerance was 6 cycles. At its end L1 held 0.03125 times its size in lines; 2 hits passed the decompressor of BDI, with 0.5 lines in front of each on average; 1 hit passed the decompressor of BPC, with 0 lines in front of each on average.",
  ],
});
same("second", whyOf(t, 1), {
  title: "SM 1, phase 1, cycles 900 to 1,206: BDI.",
  reason: "The least mean latency of an access (AMAT) that warps do not hide was that of BDI when phase 0 ended: 33.33 cycles, against 50 with no compression and 55.5 with BPC.",
  modes: [
    { words: "No compression: 1 hit, 1 miss. A hit takes 3 cycles, all of it hidden; a miss 100. AMAT = (1 × 0 + 1 × 100) ÷ 2 = 50 cycles.", chosen: false },
    { words: "BDI: 2 hits, 1 miss. A hit takes 3 + 2 × (0.5 in front + 1) = 6 cycles, all of it hidden; a miss 100. AMAT = (2 × 0 + 1 × 100) ÷ 3 = 33.33 cycles.", chosen: true },
    { words: "BPC: 1 hit, 1 miss. A hit takes 3 + 14 × (0 in front + 1) = 17 cycles, 11 of them not hidden; a miss 100. AMAT = (1 × 11 + 1 × 100) ÷ 2 = 55.5 cycles.", chosen: false },
  ],
  more: [
    "Warps hide up to 6 cycles of a hit, the latency tolerance: 2 ready warps × 3 instructions that one warp issues in turn.",
    "In this phase the tolerance was 6 cycles. At its end L1 held 0.03125 times its size in lines.",
  ],
});
const tie = whyOf(t, 2);
same("a tie", tie.reason.endsWith("33.33 cycles, against 33.33 with BDI. Among equal ones the cheapest mode wins."), true);
same("no samples", tie.modes[2], { words: "BPC: no hit and no miss counted, so no AMAT.", chosen: false });
same("rows", [t.span(0), t.span(1), t.span(2), t.span(3)], [[0, 0], [0, 3], [3, 3], [3, 4]]);
same("at cycles", [t.find(1, 0), t.find(1, 900), t.find(1, 1300), t.find(1, 5000), t.find(0, 7)], [0, 1, 2, 2, undefined]);
same("queue", [t.queue(0), t.queue(1)], [1 / 3, NaN]);

const thinned = table([row({}), row({ phase: 2, began: 1206, ended: 1406 }), row({ phase: 4, began: 1600, ended: 1700 })]);
same("every second phase", [thinned.every(1), thinned.until(0), thinned.until(2), thinned.rowOf(1, 3), thinned.find(1, 1000)], [2, 1206, 1700, 1, 0]);

// Two sets of four tags: a code of one sub-block, a line as it is, one on order; a code of two.
const taken = 128;
const data = 64;
const code = 32;
const sets = {
  type: "l1Sets", run: 1, side: "B", sm: 2, cycle: 17773, tagsPerSet: 4, subBlocks: 16, held: 12, room: 128,
  tags: Uint8Array.of(taken | data | code | (1 << 3) | 1, taken | data | (1 << 3) | 4, taken | 4, 0, taken | data | code | (2 << 3) | 2, taken, 0, 0),
  predicted: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0),
} as any;
same("sets", wordsOfSets(sets, t), "B, SM 2, cycle 17,773: L1 holds 3 lines, 1 as codes of BDI of 32 B on average and 1 as codes of BPC of 64 B on average. They are 0.0938 times what fits without compression.");
same("full", wordsOfSets({ ...sets, held: 128, tags: Uint8Array.of(taken | data | 4) }, t), "B, SM 2, cycle 17,773: L1 holds 1 line, none of them compressed. As many fit without compression.");
same("rows of sets", rowsOfSets(sets).rows, [["0", "2", "1", "0", "0", "9", "3"], ["1", "1", "1", "0", "0", "2", "2"]]);
const guessed = { ...sets, tags: Uint8Array.of(taken | data | 4, taken | data | 4, taken | data | 4, 0), predicted: Uint8Array.of(1, 2, 0, 0), subBlocks: 16, held: 12 };
same("predicted", wordsOfSets(guessed, plainTable("B" as any, 15)), "B, SM 2, cycle 17,773: L1 holds 3 lines. 2 are predicted, 1 of them with wrong bytes.");
same("rows of predicted lines", rowsOfSets(guessed).rows, [["0", "3", "0", "2", "1", "12", "3"]]);

const other = (with_: object, r: Record<string, number>) => whyOf(table([row({ phase: 5, ...r })], with_), 0);
same("a static mode", other({ sampled: false, policy: "Static-BDI", period: 10 }, { mode: 1 }).reason, "Static-BDI has one mode for all lines.");
same("a plan", other({ sampled: false, planned: true }, { launch: 7 }).reason, "The plan gives launch 7 this mode: the search ran the launch in every mode from the same state, and this one was the fastest.");
same("a counter", other({ sampled: false }, { basis: 3, whySaved: -12 }).reason, "The counter stood at −12 cycles when phase 4 ended: compression had cost more than it saved.");
const hits = other({}, { basis: 2, mode: 2, ...each("whyHits", [1, 2, 3]), ...each("whyMisses", [3, 2, 1]) });
same("hits", [hits.reason, hits.modes[2]!.words], ["When phase 4 ended, the sets of BPC had the highest share of hits.", "BPC: 3 hits of 4 accesses, 75 %."]);
same("no tolerance", other({}, { basis: 1, whyTolerance: 0, whyReadyWarps: 2, whyRunCycles: 3 }).more[0], "LATTE-CC with BPC takes no latency as hidden.");
same("round robin", other({}, { basis: 1, whyTolerance: 2, whyReadyWarps: 2, whyRunCycles: 3 }).more[0], "Warps hide 2 cycles of a hit: as many as warps were ready.");
`

// TestWhyThisMode: the page's sentences about a phase have the numbers by which the policy
// chose.
func TestWhyThisMode(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, l1Script)
}
