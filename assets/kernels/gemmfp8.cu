// The product of activations and weights in fp8 (e4m3), each with one scale; the result is bf16.
#include "gemm.cuh"
TARGET(sm_89, ptx84)

extern "C" __global__ void gemm_fp8(const uint4 *x, const uint4 *w, uint *out, float scale, uint rowPieces, uint columns) {
  float sum[2][4][4] = {};
  product<UnitE4M3>(sum, x, w, rowPieces);
  for (uint i = 0; i < 2; i++)
    for (uint j = 0; j < 4; j++)
      for (uint h = 0; h < 2; h++)
        out[(rowOf(i, h) * columns + columnOf(j)) / 2] = toBF16x2(sum[i][j][2 * h] * scale, sum[i][j][2 * h + 1] * scale);
}
