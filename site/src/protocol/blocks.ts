// Questions about the blocks of a run: where one lies, how it is stored, said
// in words.

import type { Allocation, Blocks } from "./protocol";

export const MODE_RAW = 0;
export const MODE_LOSSLESS = 1;
export const MODE_LOSSY = 2;
export const MODE_UNTOUCHED = 255;

export function modeText(mode: number | string | undefined): string {
  switch (mode) {
    case MODE_RAW:
      return "raw";
    case MODE_LOSSLESS:
      return "lossless";
    case MODE_LOSSY:
      return "approximated";
    case MODE_UNTOUCHED:
      return "never touched";
    default:
      return mode === undefined ? "" : String(mode);
  }
}

export function indexOf(b: Blocks, addr: number): number | undefined {
  const i = Math.floor((addr - b.base) / b.lineBytes);
  return i >= 0 && i < b.count ? i : undefined;
}

export function allocationOf(b: Blocks, index: number): Allocation | undefined {
  const addr = b.base + index * b.lineBytes;
  return b.allocations?.find((a) => addr >= a.base && addr < a.base + a.bytes);
}

export function sizeBytes(bits: number): number {
  return Math.ceil(bits / 8);
}

// blockText says how a block is stored: "71 B, fetched as 3 bursts (96 B)".
export function blockText(b: Blocks | undefined, index: number, mag: number): string {
  if (!b) return "not simulated yet";
  const mode = b.mode[index]!;
  if (mode === MODE_UNTOUCHED) return "never touched";
  const bursts = b.bursts[index]!;
  const lossless = b.losslessBits?.[index];
  const from = mode === MODE_LOSSY && lossless ? `${sizeBytes(lossless)} B cut to ` : "";
  return `${from}${sizeBytes(b.bits[index]!)} B, fetched as ${bursts} burst${bursts === 1 ? "" : "s"} (${bursts * mag} B), ${modeText(mode)}`;
}
