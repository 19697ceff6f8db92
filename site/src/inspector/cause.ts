// The cause and the effect of one burst.

import { KIND, isBurst, type Event } from "../protocol/events";
import { count } from "../lib/format";
import type { Inspection } from "../protocol/protocol";
import { memoryOf } from "../protocol/scenario";
import type { Page } from "../state/page";

const BLOCK_BYTES = 128;
const MODES = ["stored raw", "compressed without loss", "compressed with symbols cut"];
// Kinds of replies (core/mem, PacketKind).
const ACKNOWLEDGED = 4;

// causeOf says which instruction of which warp a burst stems from.
export function causeOf(page: Page): string | undefined {
  const { burst, side } = page.settings;
  if (!burst) return undefined;
  if (burst.req === 0) return "Cause: no instruction requested it. It is metadata, or a line written back from L2.";
  const issue = page.data.events[side].issueOf(burst.req, burst.cycle);
  if (!issue) return "Cause: an instruction that was issued long before.";
  const lanes = (issue.a >>> 8) & 0xff;
  const lines = issue.a & 0xff;
  const touched = lines === 1 ? "one block" : `${lines} blocks`;
  return `Cause: SM ${issue.unit}, warp ${issue.a >>> 16}, cycle ${count(issue.cycle)}: instruction ${issue.b}${lineOf(page, issue)}, ${lanes} of 32 lanes, ${touched}.`;
}

// lineOf is the line of the program that an instruction stems from, with its text.
function lineOf(page: Page, issue: Event): string {
  const { source, past } = page.data;
  const { side } = page.settings;
  const result = page.results.of === "run" ? page.results[side] : past[side]?.result;
  const launches = (result?.["launches"] as { beginCycle: number }[] | undefined) ?? [];
  let launch = 0;
  for (const [i, l] of launches.entries()) if (l.beginCycle <= issue.cycle && (i === 0 || l.beginCycle > 0)) launch = i;
  const kernel = source?.kernels?.find((k) => k.name === source.launches?.[launch]);
  const line = kernel?.lines[issue.b];
  const file = source?.files[kernel?.file ?? 0];
  if (!kernel || !line || !file) return "";
  const words = file.text.split("\n", line)[line - 1]?.trim();
  return ` of ${kernel.name}, ${file.name} line ${line}${words ? `: ${words.replace(/\s+/g, " ")}` : ""}`;
}

// pickedBurst is the event of the burst that was clicked.
export function pickedBurst(page: Page): Event | undefined {
  const { burst, side, addr } = page.settings;
  if (!burst || addr === undefined) return undefined;
  const log = page.data.events[side];
  const { events } = log.of(addr, Infinity, Math.min(burst.cycle, log.until));
  return events.find((e) => isBurst(e) && e.cycle >= burst.cycle && e.req === burst.req && e.cycle < burst.cycle + 1);
}

// effectOf says what a burst moved, what was saved and lost, and who got the data.
export function effectOf(page: Page, i: Inspection | undefined): string | undefined {
  const { burst, side, addr } = page.settings;
  if (!burst || addr === undefined) return undefined;
  const log = page.data.events[side];
  const { events } = log.of(addr, Infinity, Math.min(burst.cycle, log.until));
  const at = pickedBurst(page);
  if (!at) return undefined;
  const { mag } = memoryOf(page.data.scenario, side);
  const most = BLOCK_BYTES / mag;
  const bursts = (at.a >>> 16) & 0xff;
  const mode = at.a >>> 24;
  const n = ((at.a >>> 8) & 0xff) + 1;
  // Of a raw block only the sectors that are asked for move, each in its place.
  const place = mode === 0 && bursts < most ? `${n} of ${most}, of which ${bursts} move` : `${n} of ${bursts}`;
  const said = [
    `${at.kind === KIND.read ? "read" : "written"} as burst ${place} (${bursts * mag} B)`,
    bursts < most && mode > 0 ? `${most - bursts} saved` : "none saved",
    MODES[mode] ?? "",
  ];
  const cut = i?.stored?.truncatedSymbols ?? 0;
  if (mode === 2 && cut > 0) said.push(`${cut} of 64 symbols lost`);
  const reply = events.find((e) => e.kind === KIND.reply && e.req === burst.req && e.cycle >= burst.cycle);
  if (at.kind === KIND.read && reply && reply.a !== ACKNOWLEDGED) {
    said.push(`SM ${reply.unit} has the data at cycle ${count(reply.cycle)}, ${count(reply.cycle - burst.cycle)} cycles later`);
  }
  return `Effect: ${said.join("; ")}.`;
}
