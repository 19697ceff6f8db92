// The block table of a side as the description reads it.

import { Allocation, Blocks, NewBlocks } from "./described";
import type * as protocol from "../protocol/protocol";

const made = new WeakMap<protocol.Blocks, Blocks>();

// describedBlocks is made once for each table that comes.
export function describedBlocks(b: protocol.Blocks, mag: number): Blocks {
  const before = made.get(b);
  if (before?.MAGBytes === mag) return before;
  const allocations = (b.allocations ?? []).map((a) => new Allocation(a.name, a.base, a.bytes, a.safe));
  const blocks = NewBlocks(new Blocks(b.base, b.count, b.bits, b.bursts, b.mode, b.touches, b.losslessBits ?? [], allocations, mag), 0);
  made.set(b, blocks);
  return blocks;
}
