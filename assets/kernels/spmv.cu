// Sparse matrix times vector, after Spmv of the SHOC suite: the rows of a compressed
// matrix by one thread or by one warp each, and by one thread each on the same matrix
// padded to equal rows and stored column by column (ELLPACK-R).
#include "burstscope.cuh"

#define WARP 32
#define WARPS 4 // a CTA

extern "C" __global__ void spmv_csr_scalar(const float *values, const float *x, const int *columns, const int *rowStart,
                                           uint rows, float *out) {
  uint row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int end = rowStart[row + 1];
  float sum = 0;
  ROLLED for (int j = rowStart[row]; j < end; j++)
    sum += values[j] * x[columns[j]];
  out[row] = sum;
}

extern "C" __global__ void spmv_csr_vector(const float *values, const float *x, const int *columns, const int *rowStart,
                                           uint rows, float *out) {
  __shared__ volatile float partial[WARPS * WARP];
  uint lane = threadIdx.x % WARP;
  uint row = blockIdx.x * WARPS + threadIdx.x / WARP;
  if (row >= rows)
    return;
  int end = rowStart[row + 1];
  float sum = 0;
  ROLLED for (int j = rowStart[row] + lane; j < end; j += WARP)
    sum += values[j] * x[columns[j]];
  partial[threadIdx.x] = sum;
  for (uint half = WARP / 2; half > 0; half /= 2) {
    __nvvm_bar_warp_sync(0xffffffff);
    if (lane < half)
      partial[threadIdx.x] = partial[threadIdx.x] + partial[threadIdx.x + half];
  }
  if (lane == 0)
    out[row] = partial[threadIdx.x];
}

extern "C" __global__ void spmv_ellpackr(const float *values, const float *x, const int *columns, const int *rowLength,
                                         uint rows, float *out) {
  uint row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  uint length = rowLength[row];
  float sum = 0;
  ROLLED for (uint j = 0; j < length; j++)
    sum += values[j * rows + row] * x[columns[j * rows + row]];
  out[row] = sum;
}
