// What a codec for Burstscope exports, for C. Include this file once, define the functions below,
// and compile with
//
//   clang --target=wasm32 -O2 -nostdlib -Wl,--no-entry -Wl,-z,stack-size=8192 -Wl,--strip-all -o mine.wasm mine.c
#pragma once
#include <stdint.h>

// Compilers make calls of these two, and there is no library.
void *memset(void *to, int value, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) ((volatile uint8_t *)to)[i] = value;
  return to;
}
void *memcpy(void *to, const void *from, unsigned long n) {
  typedef uint64_t __attribute__((aligned(1), may_alias)) word;
  unsigned long i = 0;
  for (; i + 32 <= n; i += 32) {
    _Pragma("unroll")
    for (int k = 0; k < 4; k++) ((volatile word *)((char *)to + i))[k] = ((const word *)((const char *)from + i))[k];
  }
  for (; i < n; i++) ((volatile uint8_t *)to)[i] = ((const uint8_t *)from)[i];
  return to;
}

#define EXPORT(name) __attribute__((export_name(name)))

enum { BLOCK_BYTES = 128, CODE_BYTES = 192, RAW_BITS = 1024, BATCH_BLOCKS = 64 };

static uint8_t the_block[BLOCK_BYTES] __attribute__((aligned(8)));
static uint8_t the_code[CODE_BYTES] __attribute__((aligned(8)));

EXPORT("block") uint8_t *block(void) { return the_block; }
EXPORT("code") uint8_t *code(void) { return the_code; }

// The description: lines "key: value".
EXPORT("describe") const char *describe(void);
// The size of the code of the_block in bits; RAW_BITS if it would not be smaller.
EXPORT("size") int size(void);
// The same, and writes the code to the_code. The first bit is the highest of the first byte.
EXPORT("encode") int encode(void);
// Reads so many bits of the_code and writes the_block. Returns 0, or 1 if it is no code.
EXPORT("decode") int decode(int bits);

// Many blocks in one call: the sizes of n blocks that lie in the batch. Both functions may be left out.
static uint8_t the_batch[BATCH_BLOCKS][BLOCK_BYTES] __attribute__((aligned(8)));
static uint32_t the_sizes[BATCH_BLOCKS];

EXPORT("batch") uint8_t *batch(void) { return the_batch[0]; }
EXPORT("sizes") uint32_t *sizes(int n) {
  for (int i = 0; i < n; i++) {
    memcpy(the_block, the_batch[i], BLOCK_BYTES);
    the_sizes[i] = size();
  }
  return the_sizes;
}
