// The ring of tiles of the matrix products for sm_90a: one warp group fills it with copies by tensor maps, the other
// multiplies. Rows of a tile are 64 bytes along K whatever the type; CTAS share the second operand, of which each
// copies its part to all.
#pragma once
#include "hopper.cuh"

#define TILE 64     // rows and columns of the result
#define ROW_BYTES 64 // of a tile, along K
#define STAGES 4    // of the ring
#define TILE_BYTES (TILE * ROW_BYTES)

template <int WIDE = 1> struct Ring { // rows of b are WIDE times as long
  alignas(1024) unsigned char a[STAGES][TILE_BYTES], b[STAGES][TILE_BYTES * WIDE];
  alignas(1024) unsigned char out[TILE * TILE * 2];
  unsigned long long full[STAGES], empty[STAGES];
};

template <int CTAS, int WIDE> BURSTSCOPE_BUILTIN void prepare(Ring<WIDE> &ring) {
  if (threadIdx.x == 0) {
    for (uint s = 0; s < STAGES; s++) {
      barrierInit(sharedAddress(ring.full) + 8 * s, 1);
      barrierInit(sharedAddress(ring.empty) + 8 * s, 4 * CTAS); // the warps of all CTAs
    }
    barriersReady();
  }
  if (CTAS > 1)
    clusterSync();
  else
    __syncthreads();
}

// Fills the place of step i of the CTA with the tiles at `at` along K, in bytes.
template <int SIZE, int CTAS, int WIDE>
BURSTSCOPE_BUILTIN void fill(Ring<WIDE> &ring, uint i, const TensorMap *a, const TensorMap *b, int at, int row, int column) {
  uint s = i % STAGES, round = i / STAGES, full = sharedAddress(ring.full) + 8 * s;
  uint tileA = sharedAddress(ring.a) + s * TILE_BYTES, tileB = sharedAddress(ring.b) + s * TILE_BYTES * WIDE;
  barrierWait(sharedAddress(ring.empty) + 8 * s, (round + 1) % 2);
  barrierExpect(full, TILE_BYTES * (1 + WIDE));
  copyBox(tileA, a, at / SIZE, row, full);
  if (CTAS > 1) {
    uint rank = clusterRank();
    copyBox(tileB + rank * (TILE_BYTES * WIDE / CTAS), b, at * WIDE / SIZE, column + rank * (TILE / CTAS), full, (1 << CTAS) - 1);
  } else
    copyBox(tileB, b, at * WIDE / SIZE, column, full);
}

// Gives back the place of step i.
template <int CTAS, int WIDE> BURSTSCOPE_BUILTIN void giveBack(Ring<WIDE> &ring, uint i) {
  if (threadIdx.x % 32 < CTAS)
    barrierArrive(sharedAddress(ring.empty) + 8 * (i % STAGES), threadIdx.x % 32);
}

// Adds the products of steps first to end, which begin at place `first` of the ring.
template <class Unit, int CTAS, int WIDE>
BURSTSCOPE_BUILTIN void multiplySteps(typename Unit::Sum (&sum)[32], Ring<WIDE> &ring, uint first, uint end) {
  ROLLED for (uint k = first; k < end; k++) {
    uint s = k % STAGES;
    barrierWait(sharedAddress(ring.full) + 8 * s, k / STAGES % 2);
    groupFence();
    for (uint i = 0; i < ROW_BYTES / 32; i++)
      Unit::multiply(sum, tile64(sharedAddress(ring.a) + s * TILE_BYTES + 32 * i),
                     tile64(sharedAddress(ring.b) + s * TILE_BYTES + 32 * i));
    groupCommit();
    groupWait<1>();
    if (k > first)
      giveBack<CTAS>(ring, k - 1);
  }
  groupWait<0>();
  settle(sum);
  giveBack<CTAS>(ring, end - 1);
}

// Stores a tile whose numbers `pair` makes of two sums of a row.
template <class T, int WIDE, class Pair>
BURSTSCOPE_BUILTIN void storeTile(Ring<WIDE> &ring, const TensorMap *out, int row, int column, const T *sum, Pair pair) {
  uint lane = threadIdx.x % 32, line = threadIdx.x / 32 * 16, tile = sharedAddress(ring.out);
  UNROLLED for (uint j = 0; j < TILE / 16; j++) {
    const T *d = sum + 8 * j;
    uint y = line + lane / 4, x = 16 * j + lane % 4 * 2;
    storeMatrices(tile + (line + lane % 16) * (TILE * 2) + 32 * j + lane / 16 * 16, pair(d[0], d[1], y, x),
                  pair(d[2], d[3], y + 8, x), pair(d[4], d[5], y, x + 8), pair(d[6], d[7], y + 8, x + 8));
  }
  fenceAsync();
  syncSome(1, 128);
  if (threadIdx.x == 0)
    storeBox(out, column, row, tile);
}

// One tile of the result for a CTA of a pair that has the same columns.
template <class Unit, int SIZE, class Pair>
BURSTSCOPE_BUILTIN void tileOfPair(const TensorMap *a, const TensorMap *b, const TensorMap *out, uint steps, Pair pair) {
  static __shared__ Ring<> ring;
  int row = blockIdx.x * TILE, column = blockIdx.y * TILE;
  prepare<2>(ring);
  if (threadIdx.x >= 128) {
    registersLess<24>();
    if (threadIdx.x == 128)
      ROLLED for (uint k = 0; k < steps; k++)
        fill<SIZE, 2>(ring, k, a, b, k * ROW_BYTES, row, column);
  } else {
    registersMore<240>();
    typename Unit::Sum sum[32];
    for (uint i = 0; i < 32; i++)
      sum[i] = 0;
    multiplySteps<Unit, 2>(sum, ring, 0, steps);
    storeTile(ring, out, row, column, sum, pair);
  }
  clusterSync();
}
