// What the table of launches shows, and how.

import { count, percent, significant } from "../lib/format";
import type { Launches } from "../protocol/launches";
import { metrics, type Given } from "../state/metrics";

const FIRST = ["ipc", "l1HitRate", "l2HitRate", "dramBytes", "bandwidthShare", "joules"];
const REASONS = ["Unit", "Queue", "Short", "Fetch", "Constant", "Long", "Barrier", "Exited", "Idle"];
const STALLS = REASONS.map((reason) => `slot${reason}`);

// columnsOf are the figures of the table; the last one is chosen.
export function columnsOf(chosen: string): string[] {
  return [...FIRST.filter((c) => c !== chosen), ...(chosen ? [chosen] : [])];
}

// formatOf writes a figure as the result table does.
export function formatOf(column: string, v: number, g: Given): string {
  if (Number.isNaN(v)) return "–";
  const m = metrics().get(column);
  if (m) return m.text(v, g);
  return Number.isInteger(v) ? count(v) : significant(v);
}

// mostStalls names the reason that took most scheduler cycles without an issue, with its share.
export function mostStalls(l: Launches, row: number): string {
  const of = (name: string): number => l.values[row * l.columns.length + l.columns.indexOf(name)]!;
  let most = "";
  for (const name of STALLS) if (of(name) > (most ? of(most) : 0)) most = name;
  return most ? `${most} ${percent(of(most) / of("schedulerCycles"))}` : "–";
}
