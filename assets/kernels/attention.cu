// Attention of one head in f16, in tiles, without the matrix of all scores (FlashAttention). A warp
// takes 16 queries, a CTA 64; 64 keys and values at a time go through shared memory. A row has 64
// numbers.
#include "tensor.cuh"
TARGET(sm_80, ptx71)

#define WIDTH 64
#define TILE 64
#define PITCH 36 // words between rows in shared memory: eight rows start in different banks

extern "C" __global__ void attention(const uint *query, const uint4 *key, const uint4 *value, uint *out, uint tokens, uint causal) {
  __shared__ uint4 keyTile[TILE * PITCH / 4], valueTile[TILE * PITCH / 4];
  const uint *keys = (const uint *)keyTile, *values = (const uint *)valueTile;
  uint lane = threadIdx.x % 32, group = lane / 4, member = lane % 4;
  uint first = blockIdx.x * TILE + threadIdx.x / 32 * 16 + group; // the other row of a lane is first + 8
  const float scale = 1.4426950408889634f / 8;                    // log2 e over the root of WIDTH

  uint q[4][4];
  for (uint k = 0; k < 4; k++)
    for (uint r = 0; r < 4; r++)
      q[k][r] = query[(first + r % 2 * 8) * (WIDTH / 2) + k * 8 + r / 2 * 4 + member];
  float sum[8][4] = {}, largest[2] = {-65504, -65504}, total[2] = {};

  uint end = causal ? (blockIdx.x + 1) * TILE : tokens;
  ROLLED for (uint from = 0; from < end; from += TILE) {
    __syncthreads();
    ROLLED for (uint i = threadIdx.x; i < TILE * WIDTH / 8; i += 128) {
      keyTile[i / 8 * (PITCH / 4) + i % 8] = key[from * (WIDTH / 8) + i];
      valueTile[i / 8 * (PITCH / 4) + i % 8] = value[from * (WIDTH / 8) + i];
    }
    __syncthreads();

    float score[8][4] = {};
    for (uint j = 0; j < 8; j++)
      for (uint k = 0; k < 4; k++) {
        const uint *b = keys + (j * 8 + group) * PITCH + k * 8 + member;
        UnitF16::multiply(score[j], q[k], b[0], b[4]);
      }
    for (uint h = 0; h < 2; h++) {
      float most = largest[h];
      for (uint j = 0; j < 8; j++)
        for (uint c = 0; c < 2; c++) {
          float &s = score[j][2 * h + c];
          s = causal && from + j * 8 + member * 2 + c > first + h * 8 ? -65504 : s * scale;
          most = fmaxf(most, s);
        }
      most = largestOf(most, 4);
      float shrink = exp2f(largest[h] - most), part = 0;
      for (uint j = 0; j < 8; j++)
        for (uint c = 0; c < 2; c++) {
          float &s = score[j][2 * h + c];
          s = exp2f(s - most);
          part += s;
          sum[j][2 * h + c] *= shrink;
        }
      total[h] = total[h] * shrink + part;
      largest[h] = most;
    }
    for (uint k = 0; k < 4; k++) {
      uint p[4] = {toF16x2(score[2 * k][0], score[2 * k][1]), toF16x2(score[2 * k][2], score[2 * k][3]),
                   toF16x2(score[2 * k + 1][0], score[2 * k + 1][1]), toF16x2(score[2 * k + 1][2], score[2 * k + 1][3])};
      for (uint j = 0; j < 8; j++) {
        uint low, high;
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.b16 {%0, %1}, [%2];" : "=r"(low), "=r"(high) : "l"(values + (k * 16 + lane % 16) * PITCH + j * 4) : "memory");
        UnitF16::multiply(sum[j], p, low, high);
      }
    }
  }
  for (uint h = 0; h < 2; h++) {
    float share = 1 / sumOf(total[h], 4);
    for (uint j = 0; j < 8; j++)
      out[(first + h * 8) * (WIDTH / 2) + j * 4 + member] = toF16x2(sum[j][2 * h] * share, sum[j][2 * h + 1] * share);
  }
}
