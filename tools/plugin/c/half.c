// Halves of 32-bit words, as an example of a lossy codec: a block keeps the upper half of each word, rounded to the
// nearest, which makes bfloat16 of a float. Its exact code is for words whose lower halves are zero.
#include "codec.h"

EXPORT("describe") const char *describe(void) {
  return "name: half-plugin\n"
         "source: an example; one cycle assumed\n"
         "kind: lossy\n"
         "mhz: 1002\n"
         "compressCycles: 1\n"
         "decompressCycles: 1\n";
}

enum { WORDS = BLOCK_BYTES / 4, BITS = 16 * WORDS };

static uint32_t word(int i) { return ((const uint32_t *)the_block)[i]; }

// Rounded up, the largest halves would become other exponents, infinity and NaN among them: they are cut.
static uint32_t half(uint32_t w) {
  const uint32_t up = w + 0x8000;
  return (up & 0x7f800000) != (w & 0x7f800000) ? w >> 16 : up >> 16;
}

EXPORT("size") int size(void) { return BITS; }

EXPORT("encode") int encode(void) {
  for (int i = 0; i < WORDS; i++) {
    const uint32_t h = half(word(i));
    the_code[2 * i] = h >> 8;
    the_code[2 * i + 1] = h;
  }
  return BITS;
}

EXPORT("exact") int exact(void) {
  for (int i = 0; i < WORDS; i++)
    if (word(i) & 0xffff) return RAW_BITS;
  return encode();
}

EXPORT("decode") int decode(int bits) {
  if (bits != BITS) return 1;
  for (int i = 0; i < WORDS; i++) ((uint32_t *)the_block)[i] = (uint32_t)the_code[2 * i] << 24 | (uint32_t)the_code[2 * i + 1] << 16;
  return 0;
}
