// One step of decoding: for each sequence and head, one query over the keys and values of all tokens
// before it. They lie in pages of 16 tokens, which a table of each sequence lists (PagedAttention). A CTA
// of four warps takes a head of a sequence; a lane has four of its 128 numbers.
#include "tensor.cuh"
TARGET(sm_89, ptx84)

#define PAGE 16
#define WARPS 4

struct Four {
  float v[4];
};
BURSTSCOPE_BUILTIN Four ofPairs(uint low, uint high) {
  float2 a = ofF16x2(low), b = ofF16x2(high);
  return {{a.x, a.y, b.x, b.y}};
}
BURSTSCOPE_BUILTIN Four read(const uint2 *at) {
  uint2 pairs = *at;
  return ofPairs(pairs.x, pairs.y);
}
BURSTSCOPE_BUILTIN Four read(const uint *at) { return ofPairs(ofE4M3x2(*at), ofE4M3x2(*at >> 16)); }

template <class Word>
static __device__ __inline__ __attribute__((always_inline)) void decode(const uint2 *query, const Word *keys, const Word *values, const int *pages, const int *lengths,
                                                                        uint2 *out, uint heads, uint pagesEach, float scaleKey, float scaleValue) {
  __shared__ float parts[WARPS][32][6];
  uint head = blockIdx.x, sequence = blockIdx.y, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const float scale = 1.4426950408889634f * 0.08838834764831845f * scaleKey; // log2 e over the root of 128
  Four q = read(query + (sequence * heads + head) * 32 + lane), sum = {};
  float largest = -65504, total = 0;
  uint length = lengths[sequence];
  ROLLED for (uint token = warp; token < length; token += WARPS) {
    uint at = ((pages[sequence * pagesEach + token / PAGE] * heads + head) * PAGE + token % PAGE) * 32 + lane;
    Four k = read(keys + at), v = read(values + at);
    float score = sumOf(q.v[0] * k.v[0] + q.v[1] * k.v[1] + q.v[2] * k.v[2] + q.v[3] * k.v[3]) * scale;
    float most = fmaxf(largest, score), shrink = exp2f(largest - most), weight = exp2f(score - most);
    for (uint i = 0; i < 4; i++)
      sum.v[i] = sum.v[i] * shrink + v.v[i] * weight;
    total = total * shrink + weight;
    largest = most;
  }
  parts[warp][lane][4] = largest;
  parts[warp][lane][5] = total;
  for (uint i = 0; i < 4; i++)
    parts[warp][lane][i] = sum.v[i];
  __syncthreads();
  if (warp > 0)
    return;
  float most = largest;
  for (uint w = 1; w < WARPS; w++)
    most = fmaxf(most, parts[w][lane][4]);
  total = 0;
  Four all = {};
  for (uint w = 0; w < WARPS; w++) {
    float shrink = exp2f(parts[w][lane][4] - most);
    total += parts[w][lane][5] * shrink;
    for (uint i = 0; i < 4; i++)
      all.v[i] += parts[w][lane][i] * shrink;
  }
  float share = scaleValue / total;
  out[(sequence * heads + head) * 32 + lane] = {toF16x2(all.v[0] * share, all.v[1] * share), toF16x2(all.v[2] * share, all.v[3] * share)};
}

extern "C" __global__ void decode_f16(const uint2 *query, const uint2 *keys, const uint2 *values, const int *pages, const int *lengths, uint2 *out, uint heads, uint pagesEach) {
  decode(query, keys, values, pages, lengths, out, heads, pagesEach, 1, 1);
}

extern "C" __global__ void decode_fp8(const uint2 *query, const uint *keys, const uint *values, const int *pages, const int *lengths, uint2 *out, uint heads, uint pagesEach,
                                      float scaleKey, float scaleValue) {
  decode(query, keys, values, pages, lengths, out, heads, pagesEach, scaleKey, scaleValue);
}
