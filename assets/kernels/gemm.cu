// Products of activations x and weights w in 16 and 8 bits on matrix units.
#include "gemm.cuh"
TARGET(sm_80, ptx71)

extern "C" __global__ void gemm_f16(const uint4 *x, const uint4 *w, uint *out, uint rowPieces, uint columns) {
  float sum[2][4][4] = {};
  product<UnitF16>(sum, x, w, rowPieces);
  for (uint i = 0; i < 2; i++)
    for (uint j = 0; j < 4; j++)
      for (uint h = 0; h < 2; h++)
        out[(rowOf(i, h) * columns + columnOf(j)) / 2] = toF16x2(sum[i][j][2 * h], sum[i][j][2 * h + 1]);
}

extern "C" __global__ void gemm_bf16(const uint4 *x, const uint4 *w, uint *out, uint rowPieces, uint columns) {
  float sum[2][4][4] = {};
  product<UnitBF16>(sum, x, w, rowPieces);
  for (uint i = 0; i < 2; i++)
    for (uint j = 0; j < 4; j++)
      for (uint h = 0; h < 2; h++)
        out[(rowOf(i, h) * columns + columnOf(j)) / 2] = toBF16x2(sum[i][j][2 * h], sum[i][j][2 * h + 1]);
}

// Each row of x and of w has a scale of its own; the result is f16.
extern "C" __global__ void gemm_int8(const uint4 *x, const uint4 *w, uint *out, const float *scaleX, const float *scaleW, uint rowPieces, uint columns) {
  int sum[2][4][4] = {};
  product<UnitS8>(sum, x, w, rowPieces);
  for (uint i = 0; i < 2; i++)
    for (uint h = 0; h < 2; h++) {
      uint row = rowOf(i, h);
      float scale = scaleX[row];
      for (uint j = 0; j < 4; j++) {
        uint column = columnOf(j);
        out[(row * columns + column) / 2] =
            toF16x2((float)sum[i][j][2 * h] * (scale * scaleW[column]), (float)sum[i][j][2 * h + 1] * (scale * scaleW[column + 1]));
      }
    }
}

// Of four weights in a row, two are stored: w holds them, places two bits for each. They are put
// between zeros in shared memory.
extern "C" __global__ void gemm_sparse(const uint4 *x, const uint4 *w, const uint *places, uint *out, uint rowPieces, uint columns) {
  __shared__ uint4 tiles[2][TILE * PITCH / 4];
  uint *tileX = (uint *)tiles[0], *tileW = (uint *)tiles[1];
  float sum[2][4][4] = {};
  uint row = threadIdx.x / 2, side = threadIdx.x % 2, steps = rowPieces / PIECES;
  const uint4 *stored = w + (blockIdx.x * TILE + row) * steps * 2 + side;
  const uint *placed = places + (blockIdx.x * TILE + row) * steps;
  ROLLED for (uint k = 0; k < steps; k++) {
    stage(tileX, x + blockIdx.y * TILE * rowPieces + k * PIECES, rowPieces);
    uint4 v = stored[k * 2];
    uint pairs[4] = {v.x, v.y, v.z, v.w};
    uint at = placed[k] >> side * 16;
    for (uint g = 0; g < 4; g++) {
      unsigned long long four = (unsigned long long)(pairs[g] & 0xffff) << (at >> 4 * g & 3) * 16 | (unsigned long long)(pairs[g] >> 16) << (at >> (4 * g + 2) & 3) * 16;
      *(unsigned long long *)&tileW[row * PITCH + side * 8 + g * 2] = four;
    }
    __syncthreads();
    add<UnitF16>(sum, tileX, tileW);
    __syncthreads();
  }
  for (uint i = 0; i < 2; i++)
    for (uint j = 0; j < 4; j++)
      for (uint h = 0; h < 2; h++)
        out[(rowOf(i, h) * columns + columnOf(j)) / 2] = toF16x2(sum[i][j][2 * h], sum[i][j][2 * h + 1]);
}
