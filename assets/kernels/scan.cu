// Exclusive prefix sum, after the scan sample of the CUDA SDK: every CTA scans 1024
// elements in shared memory and leaves their sum, the sums are scanned the same way,
// and a last kernel adds them. The count is a multiple of 4.
#include "burstscope.cuh"

#define THREADS 256

// Four elements a thread. Sums of the threads double their reach in every step; the
// zeros in front of them stand for what lies before the CTA.
extern "C" __global__ void scan_exclusive(uint4 *out, const uint4 *in, uint *sums, uint count) {
  __shared__ uint reach[2 * THREADS];
  uint i = blockIdx.x * THREADS + threadIdx.x;
  uint at = threadIdx.x + THREADS;
  uint4 v = {0, 0, 0, 0};
  if (4 * i < count)
    v = in[i];
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  reach[threadIdx.x] = 0;
  reach[at] = v.w;
  ROLLED for (uint far = 1; far < THREADS; far *= 2) {
    __syncthreads();
    uint sum = reach[at] + reach[at - far];
    __syncthreads();
    reach[at] = sum;
  }
  uint before = reach[at] - v.w;
  if (4 * i < count)
    out[i] = {before, before + v.x, before + v.y, before + v.z};
  if (threadIdx.x == THREADS - 1)
    sums[blockIdx.x] = reach[at];
}

// What lies before a CTA's 1024 elements is added to them.
extern "C" __global__ void scan_update(uint4 *out, const uint *before, uint count) {
  uint i = blockIdx.x * THREADS + threadIdx.x;
  if (4 * i >= count)
    return;
  uint add = before[blockIdx.x];
  uint4 v = out[i];
  out[i] = {v.x + add, v.y + add, v.z + add, v.w + add};
}
