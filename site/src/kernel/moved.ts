// What each line of a program moved in a run: bytes between L1 and L2 as the engine counts them, and the bursts of DRAM
// that stem from it, counted in the log of events.

import { KIND, RECORD_WORDS } from "../protocol/events";
import type { Side } from "../protocol/side";
import type { Page } from "../state/page";
import type { Moved } from "./hints";

interface Batches {
  batches: readonly { words: Uint32Array; count: number }[];
}

const kindOf = (words: Uint32Array, w: number): number => (words[w + 7]! >>> 16) & 0xff;
const cycleOf = (words: Uint32Array, w: number): number => words[w]! + words[w + 1]! * 2 ** 32;

// burstsByPlace counts bursts by the instruction that requested them: its place in its kernel, and the cycle of its
// issue, which tells the launch. Bursts that no instruction requested are metadata and lines written back.
export function burstsByPlace(log: Batches, each: (place: number, issued: number) => void): void {
  const issues = new Map<number, [number, number]>(); // of the latest use of each request's number
  for (const { words, count } of log.batches) {
    for (let i = 0; i < count; i++) {
      const w = i * RECORD_WORDS;
      const kind = kindOf(words, w);
      const request = words[w + 4]!;
      if (kind === KIND.issue) issues.set(request, [words[w + 6]!, cycleOf(words, w)]);
      else if ((kind === KIND.read || kind === KIND.write) && request !== 0) {
        const issue = issues.get(request);
        if (issue) each(...issue);
      }
    }
  }
}

// movedOf is what each line of the program's own text moved on a side, by its number; empty if the run is of another
// text, or has no counts yet.
export function movedOf(page: Page, source: string, side: Side): Map<number, Moved> {
  const moved = new Map<number, Moved>();
  const { data, run, results } = page;
  const at = data.source?.files.findIndex((f) => f.text === source) ?? -1;
  const counts = data.lines[side]?.files.find((f) => f.name === data.source?.files[at]?.name);
  if (at < 0 || !counts || run.phase !== "done" || data.scenario.workload.ptx?.source !== source) return moved;
  const line = (n: number): Moved => {
    const known = moved.get(n) ?? { bytes: 0, bursts: 0 };
    moved.set(n, known);
    return known;
  };
  counts.line.forEach((n, i) => {
    if (counts.bytes[i]! > 0) line(n).bytes = counts.bytes[i]!;
  });
  // Launches that have not begun have 0 there, except the first.
  const begins = ((results[side]?.["launches"] as { beginCycle: number }[] | undefined) ?? [])
    .filter((l, i) => i === 0 || l.beginCycle > 0).map((l) => l.beginCycle);
  let launch = 0; // events are nearly in the order of cycles
  burstsByPlace(data.events[side], (place, issued) => {
    while (begins[launch + 1]! <= issued) launch++;
    while (launch > 0 && begins[launch]! > issued) launch--;
    const kernel = data.source?.kernels?.find((k) => k.name === data.source?.launches?.[launch]);
    const n = (kernel?.file ?? 0) === at ? kernel?.lines[place] : undefined;
    if (n) line(n).bursts++;
  });
  return moved;
}
