// The message about the launches of a side and its power over time.

import type { Side } from "./side";

// Launches has a row of figures for each launch, and then for each kernel. A figure without a value is NaN, and so are
// all of a launch that has none of its own.
export interface Launches {
  type: "launches";
  run: number;
  side: Side;
  entries: string[]; // the kernel of each launch
  spans: Float64Array; // of each launch: its first cycle and its cycles
  kernels: string[];
  uses: Float64Array; // of each kernel: its launches, the begin of the first, and the cycles to the end of the last
  columns: string[]; // metrics and then counters
  metrics: number;
  values: Float64Array; // row * columns.length + column
  note: string; // which launches have no figures; empty if all have
  power?: Power;
}

// Power has the mean watts of each part in windows one after the other, at window * parts.length + part.
export interface Power {
  parts: string[];
  ends: Float64Array; // the cycle in which each window ends; the first begins at 0
  watts: Float64Array;
}
