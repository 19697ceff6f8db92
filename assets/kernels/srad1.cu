// Speckle-reducing anisotropic diffusion, after srad_v1 of the Rodinia suite: one
// thread per pixel in CTAs of 512, neighbours found through arrays of indices, the
// statistics of the image by a reduction in shared memory.
#include "burstscope.cuh"

#define THREADS 512

static __device__ uint pixel() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Grey levels to the exponential scale on which speckle is worked on, and back.
extern "C" __global__ void srad1_extract(float *image, uint count) {
  uint i = pixel();
  if (i < count)
    image[i] = __expf(image[i] * (1.0f / 255));
}

extern "C" __global__ void srad1_compress(float *image, uint count) {
  uint i = pixel();
  if (i < count)
    image[i] = __logf(image[i]) * 255.0f;
}

// What the reduction starts from.
extern "C" __global__ void srad1_prepare(const float *image, float *sums, float *squares, uint count) {
  uint i = pixel();
  if (i >= count)
    return;
  float v = image[i];
  sums[i] = v;
  squares[i] = v * v;
}

// Each CTA adds up 512 elements that lie stride apart and leaves the sum in place
// of the first; the next launch has 512 times the stride.
extern "C" __global__ void srad1_reduce(float *sums, float *squares, uint count, uint stride) {
  __shared__ float sum[THREADS];
  __shared__ float square[THREADS];
  uint thread = threadIdx.x;
  uint i = pixel() * stride;
  bool inside = i < count;
  sum[thread] = inside ? sums[i] : 0.0f; APPROXIMATE(sums)
  square[thread] = inside ? squares[i] : 0.0f; APPROXIMATE(squares)
  for (uint half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) {
      sum[thread] += sum[thread + half];
      square[thread] += square[thread + half];
    }
  }
  if (thread == 0) {
    sums[i] = sum[0];
    squares[i] = square[0];
  }
}

// Derivatives and diffusion coefficient. Rodinia's host turns the sums into the
// speckle measure q0; here every thread does.
extern "C" __global__ void srad1_derive(const float *image, float *dN, float *dS, float *dW, float *dE, float *coefficient,
                                        const float *sums, const float *squares, const int *iN, const int *iS, const int *jW,
                                        const int *jE, uint width, uint count) {
  uint i = pixel();
  if (i >= count)
    return;
  uint row = i % width, column = i / width;

  float inverseCount = __fdividef(1.0f, (float)count);
  float mean = sums[0] * inverseCount;
  float variance = squares[0] * inverseCount - mean * mean;
  float q0Squared = __fdividef(variance, mean * mean);

  float centre = image[i];
  float north = image[iN[row] + width * column] - centre;
  float south = image[iS[row] + width * column] - centre;
  float west = image[row + width * jW[column]] - centre;
  float east = image[row + width * jE[column]] - centre;

  float inverse = __fdividef(1.0f, centre);
  float gradient = (north * north + south * south + west * west + east * east) * inverse * inverse;
  float laplacian = (north + south + west + east) * inverse;
  float numerator = 0.5f * gradient - 0.0625f * laplacian * laplacian;
  float denominator = 1.0f + 0.25f * laplacian;
  float qSquared = __fdividef(numerator, denominator * denominator);
  float c = __fdividef(1.0f, 1.0f + __fdividef(qSquared - q0Squared, q0Squared * (1.0f + q0Squared)));

  dN[i] = north;
  dS[i] = south;
  dW[i] = west;
  dE[i] = east;
  coefficient[i] = fminf(fmaxf(c, 0.0f), 1.0f);
}

extern "C" __global__ void srad1_update(float *image, const float *dN, const float *dS, const float *dW, const float *dE,
                                        const float *coefficient, const int *iS, const int *jE, float lambda, uint width,
                                        uint count) {
  uint i = pixel();
  if (i >= count)
    return;
  uint row = i % width, column = i / width;

  float here = coefficient[i]; APPROXIMATE(coefficient)
  float below = coefficient[iS[row] + width * column]; APPROXIMATE(coefficient)
  float beyond = coefficient[row + width * jE[column]]; APPROXIMATE(coefficient)
  float divergence = here * dN[i] + below * dS[i] + here * dW[i] + beyond * dE[i];
  image[i] += 0.25f * lambda * divergence;
}
