// out = x * transposed w: rows of both lie along the inner dimension, as those of a linear layer.
// A CTA of four warps makes a tile of 64 x 64, each warp a quarter of it. 64 bytes of each row go
// through shared memory at a time.
#pragma once
#include "tensor.cuh"

#define TILE 64
#define THREADS 128
#define PIECES 4 // of 16 bytes that a step takes of a row
#define PITCH 20 // words between rows in shared memory: eight rows start in different banks

// Copies rows into shared memory.
static __device__ __inline__ __attribute__((always_inline)) void stage(uint *tile, const uint4 *rows, uint rowPieces) {
  for (uint i = threadIdx.x; i < TILE * PIECES; i += THREADS)
    *(uint4 *)&tile[i / PIECES * PITCH + i % PIECES * 4] = rows[i / PIECES * rowPieces + i % PIECES];
}

// Adds what the staged rows give: a word holds the same bytes of a row in all formats.
template <class Unit>
static __device__ __inline__ __attribute__((always_inline)) void add(typename Unit::Sum (&sum)[2][4][4], const uint *tileX, const uint *tileW) {
  uint warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, member = threadIdx.x % 4;
  const uint *x = tileX + (warp / 2 * 32 + group) * PITCH + member;
  const uint *w = tileW + (warp % 2 * 32 + group) * PITCH + member;
  for (uint k = 0; k < 16; k += 8) {
    uint a[2][4];
    for (uint i = 0; i < 2; i++)
      for (uint r = 0; r < 4; r++)
        a[i][r] = x[(i * 16 + r % 2 * 8) * PITCH + k + r / 2 * 4];
    for (uint j = 0; j < 4; j++) {
      uint low = w[j * 8 * PITCH + k], high = w[j * 8 * PITCH + k + 4];
      for (uint i = 0; i < 2; i++)
        Unit::multiply(sum[i][j], a[i], low, high);
    }
  }
}

// The row and the column of the first of two neighbours that a lane holds; the other pair of a
// tile is eight rows below.
BURSTSCOPE_BUILTIN uint rowOf(uint i, uint half) { return blockIdx.y * TILE + threadIdx.x / 64 * 32 + i * 16 + half * 8 + threadIdx.x % 32 / 4; }
BURSTSCOPE_BUILTIN uint columnOf(uint j) { return blockIdx.x * TILE + threadIdx.x / 32 % 2 * 32 + j * 8 + threadIdx.x % 4 * 2; }

template <class Unit>
static __device__ __inline__ __attribute__((always_inline)) void product(typename Unit::Sum (&sum)[2][4][4], const uint4 *x, const uint4 *w, uint rowPieces) {
  __shared__ uint4 tiles[2][TILE * PITCH / 4];
  uint *tileX = (uint *)tiles[0], *tileW = (uint *)tiles[1];
  ROLLED for (uint k = 0; k < rowPieces; k += PIECES) {
    stage(tileX, x + blockIdx.y * TILE * rowPieces + k, rowPieces);
    stage(tileW, w + blockIdx.x * TILE * rowPieces + k, rowPieces);
    __syncthreads();
    add<Unit>(sum, tileX, tileW);
    __syncthreads();
  }
}
