// The messages about a compressed L1.

import type { Side } from "./side";

// Phases are the phases of a side's L1s: a row of values for each phase of each SM, by SM and
// then by time. The columns are those of core/system/latte/phaselog.go; a value that a phase lacks is NaN.
export interface Phases {
  type: "phases";
  run: number;
  side: Side;
  sms: number;
  policy: string; // its title
  sampled: boolean; // it learns from dedicated sets
  planned: boolean; // it follows a plan of the launches
  codecs: string[]; // titles, of the modes none, low and high; "" where a mode has none
  decompress: number[]; // cycles, of the modes
  hitCycles: number; // of a line that is not compressed
  accesses: number; // of a phase
  period: number; // phases
  sets: number;
  dedicated: number; // sets of each mode in the first phase of a period
  columns: string[];
  values: Float64Array;
}

// L1Sets says how the L1 of an SM is filled, with a byte for each tag, by set: bits 0 to 2 are
// its sub-blocks, bits 3 and 4 its mode; then come whether it lies there as a code, has data, and
// has an address.
export interface L1Sets {
  type: "l1Sets";
  run: number;
  side: Side;
  sm: number;
  cycle: number;
  tagsPerSet: number;
  subBlocks: number; // of a set
  held: number; // sectors with data
  room: number; // sectors of an L1 without compression
  tags: Uint8Array;
  predicted: Uint8Array; // of each tag: 0, or whether its line was predicted, 1 as memory held it, 2 with wrong bytes
}
