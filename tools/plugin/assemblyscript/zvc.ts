// Zero-value compression (Rhu et al., HPCA 2018): a bit for each 32-bit word, and the words that are not zero, as
// core/codec/zvc has it.

import { BLOCK_BYTES, RAW_BITS, described, theBatch, theBlock, theCode, theSizes } from "./codec";

const WORDS: i32 = BLOCK_BYTES / 4;

export function describe(): usize {
  return described("name: zvc-plugin\nsource: HPCA 2018; one cycle assumed\nkind: lossless\nmhz: 1002\ncompressCycles: 1\ndecompressCycles: 1\n");
}
export function block(): usize {
  return theBlock;
}
export function code(): usize {
  return theCode;
}

// Eight words a round, because each round of a loop counts its work.
function sizeAt(at: usize): i32 {
  let words = 0;
  for (let end = at + BLOCK_BYTES; at < end; at += 32) {
    words += i32(load<u32>(at) != 0) + i32(load<u32>(at, 4) != 0) + i32(load<u32>(at, 8) != 0) + i32(load<u32>(at, 12) != 0);
    words += i32(load<u32>(at, 16) != 0) + i32(load<u32>(at, 20) != 0) + i32(load<u32>(at, 24) != 0) + i32(load<u32>(at, 28) != 0);
  }
  const bits = WORDS + 32 * words;
  return bits < RAW_BITS ? bits : RAW_BITS;
}
export function size(): i32 {
  return sizeAt(theBlock);
}

export function batch(): usize {
  return theBatch;
}
export function sizes(n: i32): usize {
  for (let i = 0; i < n; i++) store<u32>(theSizes + 4 * i, sizeAt(theBatch + BLOCK_BYTES * i));
  return theSizes;
}

// The mask has word 0 in its lowest bit. It and the words are written with their highest bit first.
export function encode(): i32 {
  const bits = size();
  if (bits == RAW_BITS) return bits;
  let mask: u32 = 0;
  let at = theCode + 4;
  for (let i = 0; i < WORDS; i++) {
    const word = load<u32>(theBlock + 4 * i);
    if (word == 0) continue;
    mask |= 1 << i;
    store<u32>(at, bswap<u32>(word));
    at += 4;
  }
  store<u32>(theCode, bswap<u32>(mask));
  return bits;
}

export function decode(bits: i32): i32 {
  const mask = bswap<u32>(load<u32>(theCode));
  if (bits != WORDS + 32 * popcnt<u32>(mask)) return 1;
  let at = theCode + 4;
  for (let i = 0; i < WORDS; i++) {
    if ((mask & (1 << i)) == 0) {
      store<u32>(theBlock + 4 * i, 0);
      continue;
    }
    store<u32>(theBlock + 4 * i, bswap<u32>(load<u32>(at)));
    at += 4;
  }
  return 0;
}
