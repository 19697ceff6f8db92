// What a codec for Burstscope exports, for AssemblyScript. Import what you need from this file, export the functions of
// zvc.ts, and compile with
//
//   npm install assemblyscript
//   npx asc mine.ts -O3 --runtime stub --use abort= --initialMemory 1 --maximumMemory 16 -o mine.wasm
//
// Without abort= the module would import a function, and a codec imports nothing. Numbers with a point
// are refused (see ../README.md).

export const BLOCK_BYTES: i32 = 128;
export const CODE_BYTES: i32 = 192;
export const RAW_BITS: i32 = 1024;

// The places of the block and of its code, whose first bit is the highest of its first byte.
export const theBlock: usize = memory.data(BLOCK_BYTES, 8);
export const theCode: usize = memory.data(CODE_BYTES, 8);

// Many blocks in one call: a codec that exports batch and sizes finds so many blocks at theBatch, and puts their sizes to theSizes.
export const BATCH_BLOCKS: i32 = 64;
export const theBatch: usize = memory.data(BATCH_BLOCKS * BLOCK_BYTES, 8);
export const theSizes: usize = memory.data(BATCH_BLOCKS * 4, 8);

const theText: usize = memory.data(1024, 8);

// described writes the lines of a description where describe() may answer it: ASCII, with a zero byte behind it.
export function described(text: string): usize {
  const n = text.length < 1023 ? text.length : 1023;
  for (let i = 0; i < n; i++) store<u8>(theText + i, <u8>text.charCodeAt(i));
  store<u8>(theText + n, 0);
  return theText;
}
