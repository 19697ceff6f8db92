// The gauge of capacity: a bar for each allocation. Its whole width is the allocation uncompressed; up to the mark lies
// device memory, beyond it the fixed places in buddy memory.

import { h } from "../lib/dom";
import { makeTable, row } from "../lib/table";
import { bytes, count, percent, visible } from "../lib/format";

// Held says where the memory of a run lies (core/system/buddy/report.go).
export interface Held {
  sizeBytes: number;
  deviceBytes: number;
  allocations: HeldAllocation[];
}

export interface HeldAllocation {
  name: string;
  bytes: number;
  target: string;
  deviceBytes: number; // reserved
  usedBytes: number; // of them
  buddyBytes: number; // of sectors behind the link
  entries: number; // that were read or written
  overflowed: number;
}

// gaugeOf is the gauge of a side.
export function gaugeOf(label: string, held: Held): HTMLElement {
  const sum = (of: (a: HeldAllocation) => number): number => held.allocations.reduce((n, a) => n + of(a), 0);
  const all: HeldAllocation = {
    name: "all", target: "", bytes: held.sizeBytes, deviceBytes: held.deviceBytes,
    usedBytes: sum((a) => a.usedBytes), buddyBytes: sum((a) => a.buddyBytes), entries: sum((a) => a.entries), overflowed: sum((a) => a.overflowed),
  };
  const gauge = h("span", { class: "vh" }, "gauge");
  const titles = ["allocation", "target", "device memory", gauge, "uncompressed", "entries that overflow"];
  const rows = [all, ...held.allocations].map((a) => line(a, a === all));
  return makeTable({ class: "numbers heldtable" }, titles, rows, h("caption", {}, label));
}

function line(a: HeldAllocation, all: boolean): HTMLElement {
  const part = (n: number): string => `${(100 * n) / Math.max(1, a.bytes)}%`;
  const compressed = all || a.target !== "plain";
  return row(
    { class: all ? "all" : undefined, "data-allocation": all ? undefined : a.name },
    visible(a.name),
    all ? "" : a.target === "plain" ? "plain" : `${a.target} ×`,
    bytes(a.deviceBytes),
    h("td", { class: "heldcell" },
      h("span", { class: "heldbar", "aria-hidden": "true" },
        h("i", { class: "room", style: `width:${part(a.deviceBytes)}` }),
        h("i", { class: "used", style: `width:${part(Math.min(a.usedBytes, a.deviceBytes))}` }),
        h("i", { class: "linked", style: `left:${part(a.deviceBytes)};width:${part(a.buddyBytes)}` }),
        a.deviceBytes < a.bytes && h("b", { style: `left:${part(a.deviceBytes)}` }),
      ),
    ),
    bytes(a.bytes),
    compressed && a.entries > 0 ? `${count(a.overflowed)} of ${count(a.entries)} (${percent(a.overflowed / a.entries)})` : "–",
  );
}
