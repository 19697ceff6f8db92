// c = a * b for square matrices, in 16 x 16 tiles through shared memory. The
// size is a multiple of 16.
#include "burstscope.cuh"

#define TILE 16

extern "C" __global__ void matmul(const float *a, const float *b, float *c, uint size) {
  __shared__ float tileA[TILE][TILE];
  __shared__ float tileB[TILE][TILE];

  uint column = blockIdx.x * TILE + threadIdx.x;
  uint row = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (uint k = 0; k < size; k += TILE) {
    float fromA = a[row * size + k + threadIdx.x];
    float fromB = b[(k + threadIdx.y) * size + column];
    tileA[threadIdx.y][threadIdx.x] = fromA;
    tileB[threadIdx.y][threadIdx.x] = fromB;
    __syncthreads();
    for (uint i = 0; i < TILE; i++)
      sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
    __syncthreads();
  }
  c[row * size + column] = sum;
}
