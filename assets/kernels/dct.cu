// 8x8 discrete cosine transform of a float image plane, quantisation, and the way
// back, after the dct8x8 sample of the CUDA SDK. A CTA of 32 x 8 threads handles a
// tile of 32 x 64 pixels: each thread transforms one column of eight pixels in
// registers, the tile turns in shared memory, and each thread transforms one row
// of eight. Width and height are multiples of 8.
#include "burstscope.cuh"

#define TILE_WIDTH 32
#define TILE_HEIGHT 64
#define TILE_STRIDE (TILE_WIDTH + 1) // keeps the banks of one column apart

// Luminance quantisation of ITU-T T.81 (JPEG) Annex K, table K.1, at quality 75 as
// the Independent JPEG Group scales it: (50 q + 50) / 100.
static __constant__ const float quantiser[64] = {
    8,  6,  5,  8,  12, 20, 26, 31, //
    6,  6,  7,  10, 13, 29, 30, 28, //
    7,  7,  8,  12, 20, 29, 35, 28, //
    7,  9,  11, 15, 26, 44, 40, 31, //
    9,  11, 19, 28, 34, 55, 52, 39, //
    12, 18, 28, 32, 41, 52, 57, 46, //
    25, 32, 39, 44, 52, 61, 60, 51, //
    36, 46, 48, 49, 56, 50, 52, 50,
};

#define NORM 0.35355339059327379f // sqrt(1/8)
#define C1 1.38703984532214746f   // sqrt(2) cos(n pi/16)
#define C2 1.30656296487637652f
#define C3 1.17587560241935871f
#define C5 0.78569495838710218f
#define C6 0.54119610014619698f
#define C7 0.27589937928294301f

// The orthonormal eight-point DCT-II, by even and odd halves.
static __device__ void transform(float (&v)[8]) {
  float s07 = v[0] + v[7], d07 = v[0] - v[7];
  float s16 = v[1] + v[6], d16 = v[1] - v[6];
  float s25 = v[2] + v[5], d25 = v[2] - v[5];
  float s34 = v[3] + v[4], d34 = v[3] - v[4];
  float s0734 = s07 + s34, d0734 = s07 - s34;
  float s1625 = s16 + s25, d1625 = s16 - s25;
  v[0] = NORM * (s0734 + s1625);
  v[4] = NORM * (s0734 - s1625);
  v[2] = NORM * (C2 * d0734 + C6 * d1625);
  v[6] = NORM * (C6 * d0734 - C2 * d1625);
  v[1] = NORM * (C1 * d07 + C3 * d16 + C5 * d25 + C7 * d34);
  v[3] = NORM * (C3 * d07 - C7 * d16 - C1 * d25 - C5 * d34);
  v[5] = NORM * (C5 * d07 - C1 * d16 + C7 * d25 + C3 * d34);
  v[7] = NORM * (C7 * d07 - C5 * d16 + C3 * d25 - C1 * d34);
}

// Its inverse, the DCT-III.
static __device__ void transformBack(float (&v)[8]) {
  float p = v[0] + v[4], q = v[0] - v[4];
  float r = C2 * v[2] + C6 * v[6], t = C6 * v[2] - C2 * v[6];
  float even0 = p + r, even1 = q + t, even2 = q - t, even3 = p - r;
  float odd0 = C1 * v[1] + C3 * v[3] + C5 * v[5] + C7 * v[7];
  float odd1 = C3 * v[1] - C7 * v[3] - C1 * v[5] - C5 * v[7];
  float odd2 = C5 * v[1] - C1 * v[3] + C7 * v[5] + C3 * v[7];
  float odd3 = C7 * v[1] - C5 * v[3] + C3 * v[5] - C1 * v[7];
  v[0] = NORM * (even0 + odd0);
  v[7] = NORM * (even0 - odd0);
  v[1] = NORM * (even1 + odd1);
  v[6] = NORM * (even1 - odd1);
  v[2] = NORM * (even2 + odd2);
  v[5] = NORM * (even2 - odd2);
  v[3] = NORM * (even3 + odd3);
  v[4] = NORM * (even3 - odd3);
}

static __device__ float quantised(float coefficient, uint index) {
  float step = quantiser[index];
  return rintf(__fdividef(coefficient, step)) * step;
}

enum Direction { Forward, Inverse };
enum Finish { Raw, Quantise, WholeLevels };

template <Direction direction, Finish finish>
static __device__ void plane(float *out, const float *in, uint width, uint height) {
  __shared__ float tile[TILE_HEIGHT * TILE_STRIDE];

  uint x = blockIdx.x * TILE_WIDTH + threadIdx.x;
  uint y = blockIdx.y * TILE_HEIGHT + threadIdx.y * 8;
  uint corner = threadIdx.y * 8 * TILE_STRIDE + threadIdx.x;
  bool inside = x < width && y < height;

  // A thread outside the plane reads its last column, so that loads need no branch.
  const float *from = in + (y < height ? y : height - 8) * width + (x < width ? x : width - 1);
  float v[8];
  for (uint i = 0; i < 8; i++, from += width)
    v[i] = *from;
  if (direction == Forward)
    transform(v);
  else
    transformBack(v);
  for (uint i = 0; i < 8; i++)
    tile[corner + i * TILE_STRIDE] = v[i];
  __syncthreads();

  // Lanes of a warp take consecutive rows of one eight-column strip.
  uint thread = threadIdx.y * TILE_WIDTH + threadIdx.x;
  float *row = &tile[(thread % TILE_HEIGHT) * TILE_STRIDE + thread / TILE_HEIGHT * 8];
  for (uint i = 0; i < 8; i++)
    v[i] = row[i];
  if (direction == Forward)
    transform(v);
  else
    transformBack(v);
  for (uint i = 0; i < 8; i++)
    row[i] = v[i];
  __syncthreads();

  if (!inside)
    return;
  for (uint i = 0; i < 8; i++) {
    v[i] = tile[corner + i * TILE_STRIDE];
    if (finish == Quantise)
      v[i] = quantised(v[i], i * 8 + threadIdx.x % 8);
    if (finish == WholeLevels)
      v[i] = rintf(v[i]);
  }
  float *to = out + y * width + x;
  for (uint i = 0; i < 8; i++, to += width)
    *to = v[i];
}

extern "C" __global__ void dct_forward(float *coefficients, const float *image, uint width, uint height) {
  plane<Forward, Raw>(coefficients, image, width, height);
}

extern "C" __global__ void dct_forward_quantise(float *coefficients, const float *image, uint width, uint height) {
  plane<Forward, Quantise>(coefficients, image, width, height);
}

extern "C" __global__ void dct_quantise(float *coefficients, uint width, uint height) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x;
  uint y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    coefficients[y * width + x] = quantised(coefficients[y * width + x], y % 8 * 8 + x % 8);
}

extern "C" __global__ void dct_inverse(float *image, const float *coefficients, uint width, uint height) {
  plane<Inverse, Raw>(image, coefficients, width, height);
}

// An image of whole grey levels is what a decoder hands on.
extern "C" __global__ void dct_inverse_round(float *image, const float *coefficients, uint width, uint height) {
  plane<Inverse, WholeLevels>(image, coefficients, width, height);
}
