// Computes ratios, bursts and histograms at any granularity and threshold from the counts
// of block sizes, without reading the data again.

import type { LabCodec, LabDone } from "../protocol/lab";

export const BLOCK_BYTES = 128;

// CLASSES are the sizes that Buddy Compression's figure 5b allows a block, bytes.
export const CLASSES = [0, 8, 16, 32, 64, 80, 96, 128] as const;

// above is how far a size ends above a multiple of the granularity, as in SLC's
// figure 2: 0 also for blocks below one, and mag for those that do not compress.
export function above(bytes: number, mag: number): number {
  if (bytes >= BLOCK_BYTES) return mag;
  return bytes < mag ? 0 : bytes % mag;
}

// bursts is how many a block takes. It is stored compressed if that saves one.
export function bursts(bytes: number, mag: number): number {
  return bytes <= BLOCK_BYTES - mag ? Math.max(1, Math.ceil(bytes / mag)) : BLOCK_BYTES / mag;
}

function isCut(bytes: number, mag: number, threshold: number): boolean {
  const over = above(bytes, mag);
  return over >= 1 && over <= threshold && over < mag;
}

// Sizes are what one codec makes of blocks: their bits, and how many have 0 to 128 bytes.
interface Sizes {
  bits: number;
  bytes: { forEach(f: (n: number, bytes: number) => void): void };
}

export function rawRatio(codec: Sizes, blocks: number): number {
  return (blocks * BLOCK_BYTES * 8) / Math.max(1, codec.bits);
}

// effectiveRatio counts bursts before and after. A threshold above 0 brings blocks
// within it down to the multiple below.
export function effectiveRatio(codec: Sizes, blocks: number, mag: number, threshold = 0): number {
  let all = 0;
  codec.bytes.forEach((n, bytes) => {
    all += n * (isCut(bytes, mag, threshold) ? Math.max(1, Math.floor(bytes / mag)) : bursts(bytes, mag));
  });
  return (blocks * (BLOCK_BYTES / mag)) / Math.max(1, all);
}

export interface AboveCounts {
  bins: number[]; // blocks that end i bytes above a multiple; bin 0 without those in one burst
  oneBurst: number;
  raw: number;
  within: number; // of the threshold
}

export function aboveMAG(codec: LabCodec, mag: number, threshold: number): AboveCounts {
  const a: AboveCounts = { bins: Array<number>(mag).fill(0), oneBurst: 0, raw: 0, within: 0 };
  codec.bytes.forEach((n, bytes) => {
    if (bytes >= BLOCK_BYTES) a.raw += n;
    else if (bytes <= mag) a.oneBurst += n;
    else a.bins[above(bytes, mag)]! += n;
    if (isCut(bytes, mag, threshold)) a.within += n;
  });
  return a;
}

// inClasses counts blocks by the smallest of Buddy's sizes that holds them.
export function inClasses(codec: LabCodec): number[] {
  const counts = CLASSES.map(() => 0);
  codec.bytes.forEach((n, bytes) => {
    counts[CLASSES.findIndex((c) => bytes <= c)]! += n;
  });
  return counts;
}

// classRatio is the ratio if every block took the size of its class.
export function classRatio(codec: LabCodec, blocks: number): number {
  const taken = inClasses(codec).reduce((sum, n, i) => sum + n * CLASSES[i]!, 0);
  return (blocks * BLOCK_BYTES) / Math.max(1, taken);
}

// cellBlocks is how many blocks a cell of the map holds; the last may hold fewer.
export function cellBlocks(data: LabDone, cell: number): number {
  return Math.min(data.blocksPerCell, data.blocks - cell * data.blocksPerCell);
}

// cellBytes is the mean size of the blocks of a cell.
export function cellBytes(data: LabDone, codec: LabCodec, cell: number): number {
  return codec.cells[cell]! / cellBlocks(data, cell);
}

// arrayOf is the array that holds a block.
export function arrayOf(data: LabDone, block: number): string {
  let name = "";
  for (const a of data.arrays) {
    if (a.firstBlock > block) break;
    name = a.name;
  }
  return name;
}

export { codecTitle as titleOf } from "../protocol/tables";
