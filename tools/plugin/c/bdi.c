// Base-Delta-Immediate compression (Pekhimenko et al., PACT 2012) with the eight encodings of
// the paper, as a plug-in. Its sizes are those of the built-in codec bdi.
#include "codec.h"

EXPORT("describe") const char *describe(void) {
  return "name: bdi-plugin\n"
         "source: PACT 2012; latencies of E2MC (IPDPS 2017), table VI\n"
         "kind: lossless\n"
         "mhz: 1002\n"
         "compressCycles: 1\n"
         "decompressCycles: 1\n"
         "tagBits: 68\n"
         "compressPJ: 192\n"
         "decompressPJ: 56\n"
         "energySource: LATTE-CC section IV-C1\n";
}

// The encodings from small to large: the bytes of a value and of its difference. The order is that
// of their sizes, so the first that fits is the smallest.
static const struct { uint8_t value, delta; } encodings[] = {
    {8, 1}, {4, 1}, {8, 2}, {2, 1}, {4, 2}, {8, 4},
};
enum { COUNT = 6, ZERO = 6, REPEATED = 7 };

static uint64_t low(int bytes) { return ~0ull >> (64 - 8 * bytes); }

static uint64_t value(int bytes, int i) {
  switch (bytes) {
  case 8: return ((uint64_t *)the_block)[i];
  case 4: return ((uint32_t *)the_block)[i];
  case 2: return ((uint16_t *)the_block)[i];
  }
  return 0;
}

// FITS defines a function that says whether all values of a type are near zero or near the first
// one that is not.
#define FITS(name, type)                                                                     \
  static int name(type half) {                                                               \
    const type *v = (const type *)the_block, full = (type)(2 * half);                        \
    const int n = BLOCK_BYTES / sizeof(type);                                                \
    int i = 0;                                                                               \
    while (i < n && (type)(v[i] + half) < full) i++;                                         \
    const int first = i;                                                                     \
    _Pragma("unroll 4")                                                                      \
    for (; i < n; i++)                                                                       \
      if ((type)(v[i] + half) >= full && (type)(v[i] - v[first] + half) >= full) return 0;   \
    return 1;                                                                                \
  }
FITS(fits8, uint64_t)
FITS(fits4, uint32_t)
FITS(fits2, uint16_t)

static int fits(int k) {
  const int bits = 8 * encodings[k].delta - 1;
  switch (encodings[k].value) {
  case 8: return fits8(1ull << bits);
  case 4: return fits4(1u << bits);
  }
  return fits2(1u << bits);
}

static int choose(void) {
  const uint64_t *v = (const uint64_t *)the_block;
  uint64_t different = 0;
  for (int i = 1; i < BLOCK_BYTES / 8; i++) different |= v[i] ^ v[0];
  if (!different) return v[0] ? REPEATED : ZERO;
  // What does not fit with four bytes of difference does not fit with fewer.
  const int wide = fits(5), narrow = fits(4);
  for (int k = 0; k < COUNT; k++) {
    if ((encodings[k].value == 8 && !wide) || (encodings[k].value == 4 && !narrow)) continue;
    if (k == 5 || k == 4 || fits(k)) return k;
  }
  return -1;
}

static int size_of(int k) {
  if (k == ZERO) return 8;
  if (k == REPEATED) return 64;
  return 8 * (encodings[k].value + BLOCK_BYTES / encodings[k].value * encodings[k].delta);
}

EXPORT("size") int size(void) {
  const int k = choose();
  return k < 0 ? RAW_BITS : size_of(k);
}

// Bytes of the code: base and differences, or the repeated value; behind them the tag: the number of
// the encoding in four bits, and a bit for each value that is near zero.
static void put(int *at, uint64_t v, int bytes) {
  for (int i = 0; i < bytes; i++) the_code[(*at)++] = v >> (8 * i);
}

EXPORT("encode") int encode(void) {
  const int k = choose();
  if (k < 0) return RAW_BITS;
  int at = 0;
  uint64_t mask = 0;
  if (k == ZERO) put(&at, 0, 1);
  else if (k == REPEATED) put(&at, value(8, 0), 8);
  else {
    const int bytes = encodings[k].value, n = BLOCK_BYTES / bytes;
    const uint64_t half = 1ull << (8 * encodings[k].delta - 1);
    uint64_t base = 0;
    for (int i = n - 1; i >= 0; i--) {
      const uint64_t v = value(bytes, i);
      if (((v + half) & low(bytes)) < 2 * half) mask |= 1ull << i;
      else base = v;
    }
    put(&at, base, bytes);
    for (int i = 0; i < n; i++) put(&at, value(bytes, i) - (mask >> i & 1 ? 0 : base), encodings[k].delta);
  }
  the_code[at] = k << 4 | mask >> 60;
  for (int i = 1; i <= 8; i++) the_code[at + i] = mask << 4 >> (64 - 8 * i);
  return 8 * at;
}

EXPORT("decode") int decode(int bits) {
  const int end = bits / 8;
  if (bits < 8 || bits > RAW_BITS) return 1;
  const int k = the_code[end] >> 4;
  if (k > REPEATED || size_of(k) != bits) return 1;
  uint64_t mask = (uint64_t)the_code[end] << 60;
  for (int i = 1; i <= 8; i++) mask |= (uint64_t)the_code[end + i] << (64 - 8 * i) >> 4;
  if (k >= ZERO) {
    for (int i = 0; i < BLOCK_BYTES; i++) the_block[i] = k == ZERO ? 0 : the_code[i % 8];
    return 0;
  }
  const int bytes = encodings[k].value, delta = encodings[k].delta;
  uint64_t base = 0;
  for (int i = 0; i < bytes; i++) base |= (uint64_t)the_code[i] << (8 * i);
  for (int i = 0; i < BLOCK_BYTES / bytes; i++) {
    uint64_t v = 0;
    for (int b = 0; b < delta; b++) v |= (uint64_t)the_code[bytes + i * delta + b] << (8 * b);
    v = (uint64_t)((int64_t)(v << (64 - 8 * delta)) >> (64 - 8 * delta));
    if (!(mask >> i & 1)) v += base;
    for (int b = 0; b < bytes; b++) the_block[i * bytes + b] = v >> (8 * b);
  }
  return 0;
}
