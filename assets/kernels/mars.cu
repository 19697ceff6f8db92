// Products of vectors by map tasks, after SimilarityScore and MatrixMul of the Mars
// suite: a task names two rows, and one thread goes through both in steps of four
// floats. Nothing is tiled, so that only a cache can join the reads of neighbours.
#include "burstscope.cuh"

// The cosine of the angle between two documents.
extern "C" __global__ void mars_similarity(const float *documents, const uint2 *tasks, float *scores, uint count, uint width) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint2 task = tasks[i];
  const float4 *a = (const float4 *)(documents + task.x * width);
  const float4 *b = (const float4 *)(documents + task.y * width);
  float both = 0, first = 0, second = 0;
  ROLLED for (uint k = 0; k < width / 4; k++) {
    float4 v = a[k], w = b[k]; APPROXIMATE(a, b)
    both += v.x * w.x;
    both += v.y * w.y;
    both += v.z * w.z;
    both += v.w * w.w;
    first += v.x * v.x;
    first += v.y * v.y;
    first += v.z * v.z;
    first += v.w * v.w;
    second += w.x * w.x;
    second += w.y * w.y;
    second += w.z * w.z;
    second += w.w * w.w;
  }
  scores[i] = both / (sqrtf(first) * sqrtf(second));
}

// A row of one matrix times a row of the other, which was transposed before.
extern "C" __global__ void mars_product(const float *left, const float *right, const uint2 *tasks, float *product, uint count,
                                        uint width) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint2 task = tasks[i];
  const float4 *a = (const float4 *)(left + task.x * width);
  const float4 *b = (const float4 *)(right + task.y * width);
  float sum = 0;
  ROLLED for (uint k = 0; k < width / 4; k++) {
    float4 v = a[k], w = b[k]; APPROXIMATE(a, b)
    sum += v.x * w.x;
    sum += v.y * w.y;
    sum += v.z * w.z;
    sum += v.w * w.w;
  }
  product[i] = sum;
}
