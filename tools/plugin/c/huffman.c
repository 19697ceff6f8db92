// Huffman codes of bytes, as an example of a codec with a code table: train counts the blocks of a sample, trained
// makes the codes. Every value has a code, so there is no escape. The latencies and units are those of E2MC with symbols of 8 bits.
#include "codec.h"

EXPORT("describe") const char *describe(void) {
  return "name: huffman-plugin\n"
         "source: an example; E2MC (IPDPS 2017), tables III, IV and VI, 8 bits in one way\n"
         "kind: lossless\n"
         "mhz: 1002\n"
         "compressCycles: 84\n"
         "decompressCycles: 143\n"
         "compressors: 252\n"
         "decompressors: 424\n"
         "compressGBps: 1.54\n"
         "decompressGBps: 0.91\n";
}

enum { VALUES = 256, LONGEST = 16 };

static uint32_t counts[VALUES];
static uint8_t length[VALUES];
static uint16_t word[VALUES];
static uint8_t ordered[VALUES];          // values by length, then by value
static uint16_t first[LONGEST + 2];      // codeword of each length
static uint16_t place[LONGEST + 2];      // in ordered, of the first value of each length

EXPORT("train") void train(void) {
  for (int i = 0; i < BLOCK_BYTES; i++) counts[the_block[i]]++;
}

// Two lists in the order of their weights, leaves and inner nodes, give the two lightest nodes without a search.
static uint32_t weight[2 * VALUES];
static uint16_t parent[2 * VALUES];
static uint8_t leaf[VALUES];

// lengths makes the lengths of the codes and returns the longest.
static int lengths(void) {
  for (int i = 0; i < VALUES; i++) { // by weight, then by value
    int at = i;
    for (; at > 0 && counts[leaf[at - 1]] > counts[i]; at--) leaf[at] = leaf[at - 1];
    leaf[at] = i;
  }
  for (int i = 0; i < VALUES; i++) weight[i] = counts[leaf[i]] + 1;
  int a = 0, b = VALUES;
  for (int node = VALUES; node < 2 * VALUES - 1; node++) {
    uint32_t sum = 0;
    for (int k = 0; k < 2; k++) {
      const int lightest = a < VALUES && (b >= node || weight[a] <= weight[b]) ? a++ : b++;
      sum += weight[lightest];
      parent[lightest] = node;
    }
    weight[node] = sum;
  }
  int longest = 0;
  for (int i = 0; i < VALUES; i++) {
    int n = 0;
    for (int node = i; node != 2 * VALUES - 2; node = parent[node]) n++;
    length[leaf[i]] = n;
    if (n > longest) longest = n;
  }
  return longest;
}

EXPORT("trained") int trained(void) {
  while (lengths() > LONGEST) // flatter weights have shorter codes
    for (int i = 0; i < VALUES; i++) counts[i] /= 2;
  int n = 0;
  uint32_t next = 0;
  for (int bits = 1; bits <= LONGEST; bits++) {
    first[bits] = next;
    place[bits] = n;
    for (int i = 0; i < VALUES; i++)
      if (length[i] == bits) word[i] = next++, ordered[n++] = i;
    next <<= 1;
  }
  place[LONGEST + 1] = n;
  return n != VALUES;
}

EXPORT("size") int size(void) {
  int bits = 0;
  _Pragma("unroll 16")
  for (int i = 0; i < BLOCK_BYTES; i++) bits += length[the_block[i]];
  return bits < RAW_BITS ? bits : RAW_BITS;
}

EXPORT("encode") int encode(void) {
  const int bits = size();
  if (bits == RAW_BITS) return RAW_BITS;
  uint64_t held = 0;
  int n = 0, at = 0;
  for (int i = 0; i < BLOCK_BYTES; i++) {
    held = held << length[the_block[i]] | word[the_block[i]];
    n += length[the_block[i]];
    for (; n >= 8; n -= 8) the_code[at++] = held >> (n - 8);
  }
  if (n > 0) the_code[at] = held << (8 - n);
  return bits;
}

EXPORT("decode") int decode(int bits) {
  int at = 0;
  for (int i = 0; i < BLOCK_BYTES; i++) {
    uint32_t code = 0;
    int n = 0;
    do {
      if (n == LONGEST || at == bits) return 1;
      code = code << 1 | (the_code[at / 8] >> (7 - at % 8) & 1);
      at++;
      n++;
    } while (code - first[n] >= (uint32_t)(place[n + 1] - place[n]));
    the_block[i] = ordered[place[n] + code - first[n]];
  }
  return at != bits;
}
