// Matrix transpose through a shared-memory tile, coalesced both ways, after the
// transpose sample of the CUDA SDK. Width and height are multiples of 32.
#include "burstscope.cuh"

#define TILE 32
#define ROWS 8 // threads in y; each moves TILE / ROWS elements

extern "C" __global__ void transpose(float *out, const float *in, uint width, uint height) {
  __shared__ float tile[TILE][TILE + 1]; // the extra column keeps banks apart

  uint x = blockIdx.x * TILE + threadIdx.x;
  uint y = blockIdx.y * TILE + threadIdx.y;
  float v[TILE / ROWS]; // all loads are under way before the first value is used
  for (uint j = 0; j < TILE / ROWS; j++)
    v[j] = in[(y + j * ROWS) * width + x];
  for (uint j = 0; j < TILE / ROWS; j++)
    tile[threadIdx.y + j * ROWS][threadIdx.x] = v[j];
  __syncthreads();

  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (uint j = 0; j < TILE / ROWS; j++)
    v[j] = tile[threadIdx.x][threadIdx.y + j * ROWS];
  for (uint j = 0; j < TILE / ROWS; j++)
    out[(y + j * ROWS) * height + x] = v[j];
}
