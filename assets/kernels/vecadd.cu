// sum = a + b: the smallest program that moves memory.
#include "burstscope.cuh"

extern "C" __global__ void vecadd(const float *a, const float *b, float *sum, uint count) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    sum[i] = a[i] + b[i];
}
