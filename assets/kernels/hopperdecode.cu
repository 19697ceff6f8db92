// One step of decoding over a paged cache of keys and values in e4m3, for eight queries that share a head of keys
// (grouped-query attention). A warp copies pages by tensor maps; a warp group multiplies the keys, as rows, with the queries
// by wgmma, and sums the values on the ordinary units: each thread has one of the 128 columns.
#include "hopper.cuh"
TARGET(sm_90a, ptx83)

#define PAGE 16    // tokens
#define TOKENS 64  // of a step
#define WIDTH 128  // numbers of a key, and bytes
#define QUERIES 8
#define STAGES 4
#define STEP_BYTES (TOKENS * WIDTH)

struct Cache {
  alignas(1024) unsigned char key[STAGES][STEP_BYTES], value[STAGES][STEP_BYTES], query[QUERIES * WIDTH];
  alignas(16) float shares[TOKENS][QUERIES]; // of the present step
  float ofWarps[4][QUERIES], most[QUERIES], kept[QUERIES];
  unsigned long long full[STAGES], empty[STAGES], queryFull;
};

// 64 keys by 8 queries, 32 numbers of each.
BURSTSCOPE_BUILTIN void scoresStep(float *d, unsigned long long k, unsigned long long q) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {%0, %1, %2, %3}, %4, %5, 1, 1, 1;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(k), "l"(q));
}

extern "C" __global__ void __attribute__((launch_bounds(160, 1)))
hopper_decode(TensorMap, TensorMap, TensorMap, const uint *pages, const uint *lengths, unsigned short *out, uint each,
              float scoreScale, float valueScale) {
  static __shared__ Cache cache;
  const TensorMap *query = MAP_ADDRESS("hopper_decode", 0), *key = MAP_ADDRESS("hopper_decode", 1);
  const TensorMap *value = MAP_ADDRESS("hopper_decode", 2);
  uint full = sharedAddress(cache.full), empty = sharedAddress(cache.empty), queryFull = sharedAddress(&cache.queryFull);
  uint head = blockIdx.x, heads = gridDim.x, sequence = blockIdx.y, thread = threadIdx.x;
  uint length = lengths[sequence], steps = (length + TOKENS - 1) / TOKENS;
  if (thread == 0) {
    barrierInit(queryFull, 1);
    for (uint s = 0; s < STAGES; s++) {
      barrierInit(full + 8 * s, 1);
      barrierInit(empty + 8 * s, 4);
    }
    barriersReady();
  }
  __syncthreads();
  if (thread >= 128) {
    if (thread > 128)
      return;
    barrierExpect(queryFull, QUERIES * WIDTH);
    copyBox(sharedAddress(cache.query), query, 0, (sequence * heads + head) * QUERIES, queryFull);
    ROLLED for (uint j = 0; j < steps; j++) {
      uint s = j % STAGES;
      barrierWait(empty + 8 * s, (j / STAGES + 1) % 2);
      barrierExpect(full + 8 * s, 2 * STEP_BYTES);
      ROLLED for (uint i = 0; i < TOKENS / PAGE; i++) { // behind the last page comes the last one again
        uint last = (length - 1) / PAGE, at = j * (TOKENS / PAGE) + i;
        uint page = pages[sequence * each + (at < last ? at : last)], row = (page * heads + head) * PAGE;
        copyBox(sharedAddress(cache.key[s]) + i * PAGE * WIDTH, key, 0, row, full + 8 * s);
        copyBox(sharedAddress(cache.value[s]) + i * PAGE * WIDTH, value, 0, row, full + 8 * s);
      }
    }
    return;
  }
  uint lane = thread % 32, warp = thread / 32;
  float sum[QUERIES] = {}, total[2] = {};
  if (thread < QUERIES)
    cache.most[thread] = -1e30f;
  barrierWait(queryFull, 0);
  ROLLED for (uint j = 0; j < steps; j++) {
    uint s = j % STAGES;
    float d[4] = {};
    barrierWait(full + 8 * s, j / STAGES % 2);
    groupFence();
    UNROLLED for (uint i = 0; i < WIDTH / 32; i++)
      scoresStep(d, tile128(sharedAddress(cache.key[s]) + 32 * i), tile128(sharedAddress(cache.query) + 32 * i));
    groupCommit();
    groupWait<0>();
    settle(d);
    uint token = warp * 16 + lane / 4, column = lane % 4 * 2; // d: two queries of this token and of that 8 behind
    UNROLLED for (uint i = 0; i < 4; i++)
      if (j * TOKENS + token + i / 2 * 8 >= length)
        d[i] = -1e30f;
    UNROLLED for (uint q = 0; q < 2; q++) {
      float most = fmaxf(d[q], d[q + 2]);
      for (int b = 4; b < 32; b *= 2)
        most = fmaxf(most, ofLane(most, b));
      if (lane < 4)
        cache.ofWarps[warp][column + q] = most;
    }
    syncSome(1, 128);
    if (thread < QUERIES) {
      float before = cache.most[thread], most = before;
      for (uint i = 0; i < 4; i++)
        most = fmaxf(most, cache.ofWarps[i][thread]);
      cache.most[thread] = most;
      cache.kept[thread] = exp2f((before - most) * scoreScale);
    }
    syncSome(1, 128);
    UNROLLED for (uint i = 0; i < 4; i++) {
      uint q = column + i % 2;
      float share = exp2f((d[i] - cache.most[q]) * scoreScale);
      cache.shares[token + i / 2 * 8][q] = share;
      total[i % 2] = total[i % 2] * (i < 2 ? cache.kept[q] : 1) + share;
    }
    syncSome(1, 128);
    UNROLLED for (uint q = 0; q < QUERIES; q++)
      sum[q] *= cache.kept[q];
    const unsigned char *v = cache.value[s];
    ROLLED for (uint t = 0; t < TOKENS; t++) { // rows of 128 bytes, with the swizzle of as many
      uint at = t * WIDTH + ((thread / 16 ^ t % 8) * 16 + thread % 16);
      float x = ofF16(ofE4M3x2(v[at]));
      const float4 *p = (const float4 *)cache.shares[t];
      float4 a = p[0], b = p[1];
      sum[0] += a.x * x, sum[1] += a.y * x, sum[2] += a.z * x, sum[3] += a.w * x;
      sum[4] += b.x * x, sum[5] += b.y * x, sum[6] += b.z * x, sum[7] += b.w * x;
    }
    syncWarp();
    if (lane == 0)
      barrierArrive(empty + 8 * s, 0);
  }
  UNROLLED for (uint q = 0; q < 2; q++) {
    for (int b = 4; b < 32; b *= 2)
      total[q] += ofLane(total[q], b);
    if (lane < 4)
      cache.ofWarps[warp][lane * 2 + q] = total[q];
  }
  syncSome(1, 128);
  UNROLLED for (uint q = 0; q < QUERIES; q++) {
    float all = cache.ofWarps[0][q] + cache.ofWarps[1][q] + cache.ofWarps[2][q] + cache.ofWarps[3][q];
    out[((sequence * heads + head) * QUERIES + q) * WIDTH + thread] = (unsigned short)toF16x2(sum[q] / all * valueScale, 0);
  }
}
