// Layers of a transformer that read much and compute little. A warp takes a row.
#include "tensor.cuh"
TARGET(sm_80, ptx71)

// Rows of f16 by their numbers, in pieces of eight.
extern "C" __global__ void embedding(const uint4 *table, const int *ids, uint4 *out, uint tokens, uint pieces) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < tokens * pieces)
    out[i] = table[ids[i / pieces] * pieces + i % pieces];
}

// Rows of f16 in pairs.
extern "C" __global__ void softmax(const uint *scores, uint *out, uint rows, uint pairs) {
  uint row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  const float log2e = 1.4426950408889634f;
  const uint *from = scores + row * pairs;
  float largest = -65504;
  ROLLED for (uint i = lane; i < pairs; i += 32) {
    float2 v = ofF16x2(from[i]);
    largest = fmaxf(largest, fmaxf(v.x, v.y));
  }
  largest = largestOf(largest);
  float sum = 0;
  ROLLED for (uint i = lane; i < pairs; i += 32) {
    float2 v = ofF16x2(from[i]);
    sum += exp2f((v.x - largest) * log2e) + exp2f((v.y - largest) * log2e);
  }
  float share = 1 / sumOf(sum);
  ROLLED for (uint i = lane; i < pairs; i += 32) {
    float2 v = ofF16x2(from[i]);
    out[row * pairs + i] = toF16x2(exp2f((v.x - largest) * log2e) * share, exp2f((v.y - largest) * log2e) * share);
  }
}

// Rows of bf16 in pairs: mean 0 and variance 1, then a scale and an offset for each column.
extern "C" __global__ void layernorm(const uint *x, const uint *scale, const uint *offset, uint *out, uint rows, uint pairs) {
  uint row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  const uint *from = x + row * pairs;
  float sum = 0;
  ROLLED for (uint i = lane; i < pairs; i += 32) {
    float2 v = ofBF16x2(from[i]);
    sum += v.x + v.y;
  }
  float mean = sumOf(sum) / (float)(2 * pairs), squares = 0;
  ROLLED for (uint i = lane; i < pairs; i += 32) {
    float2 v = ofBF16x2(from[i]);
    squares += (v.x - mean) * (v.x - mean) + (v.y - mean) * (v.y - mean);
  }
  float factor = 1 / sqrtf(sumOf(squares) / (float)(2 * pairs) + 1e-5f);
  ROLLED for (uint i = lane; i < pairs; i += 32) {
    float2 v = ofBF16x2(from[i]), g = ofBF16x2(scale[i]), o = ofBF16x2(offset[i]);
    out[row * pairs + i] = toBF16x2((v.x - mean) * factor * g.x + o.x, (v.y - mean) * factor * g.y + o.y);
  }
}
