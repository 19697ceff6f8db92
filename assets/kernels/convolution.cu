// Separable convolution with 17 taps, after convolutionSeparable of the CUDA SDK: rows
// and then columns through tiles in shared memory that hold a halo on both sides.
// Outside the image is 0. The width is a multiple of 128, the height of 64.
#include "burstscope.cuh"

#define RADIUS 8
#define STEPS 8 // results a thread makes
#define ROW_X 16
#define ROW_Y 4
#define COLUMN_X 16
#define COLUMN_Y 8

// A bell of 17 binomial weights, which add up to 1.
static __constant__ float taps[2 * RADIUS + 1] = {
    1.0f / 65536,     16.0f / 65536,   120.0f / 65536,  560.0f / 65536,  1820.0f / 65536, 4368.0f / 65536,
    8008.0f / 65536,  11440.0f / 65536, 12870.0f / 65536, 11440.0f / 65536, 8008.0f / 65536, 4368.0f / 65536,
    1820.0f / 65536,  560.0f / 65536,  120.0f / 65536,  16.0f / 65536,   1.0f / 65536};

extern "C" __global__ void convolution_rows(float *out, const float *in, int width) {
  __shared__ float tile[ROW_Y][(STEPS + 2) * ROW_X];
  int left = (blockIdx.x * STEPS - 1) * ROW_X + threadIdx.x;
  int y = blockIdx.y * ROW_Y + threadIdx.y;
  ROLLED for (int i = 0; i < STEPS + 2; i++) {
    int x = left + i * ROW_X;
    tile[threadIdx.y][threadIdx.x + i * ROW_X] = x >= 0 && x < width ? in[y * width + x] : 0.0f;
  }
  __syncthreads();
  ROLLED for (int i = 1; i <= STEPS; i++) {
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
      sum += taps[RADIUS - k] * tile[threadIdx.y][threadIdx.x + i * ROW_X + k];
    out[y * width + left + i * ROW_X] = sum;
  }
}

extern "C" __global__ void convolution_columns(float *out, const float *in, int width, int height) {
  __shared__ float tile[COLUMN_X][(STEPS + 2) * COLUMN_Y + 1]; // the extra element keeps banks apart
  int x = blockIdx.x * COLUMN_X + threadIdx.x;
  int top = (int)(blockIdx.y * STEPS - 1) * COLUMN_Y + threadIdx.y;
  ROLLED for (int i = 0; i < STEPS + 2; i++) {
    int y = top + i * COLUMN_Y;
    tile[threadIdx.x][threadIdx.y + i * COLUMN_Y] = y >= 0 && y < height ? in[y * width + x] : 0.0f;
  }
  __syncthreads();
  ROLLED for (int i = 1; i <= STEPS; i++) {
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
      sum += taps[RADIUS - k] * tile[threadIdx.x][threadIdx.y + i * COLUMN_Y + k];
    out[(top + i * COLUMN_Y) * width + x] = sum;
  }
}
