// Tracking by particles, after particlefilter (float) of the Rodinia suite: one thread
// a particle. Positions and weights are doubles, as there.
#include "burstscope.cuh"

#define THREADS 512

// exp(x) for |x| < 700: 2^n times the Taylor series of the rest, at most ln 2 / 2.
static __device__ double exponential(double x) {
  const double terms[] = {1 / 479001600.0, 1 / 39916800.0, 1 / 3628800.0, 1 / 362880.0, 1 / 40320.0, 1 / 5040.0, 1 / 720.0,
                          1 / 120.0,       1 / 24.0,       1 / 6.0,       1 / 2.0,      1,           1};
  int n = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
  double rest = x - n * 0.6931471805599453, sum = 0;
#pragma unroll
  for (int k = 0; k < 13; k++)
    sum = sum * rest + terms[k];
  return sum * __builtin_bit_cast(double, (long long)(n + 1023) << 52);
}

// Twelve numbers of Rodinia's generator, each in [0, 1), less 6: close to a normal number.
// Rodinia has a logarithm and a cosine of two.
static __device__ uint next(int *seed) {
  *seed = (int)(1103515245u * (uint)*seed + 12345u) % 2147483647;
  return (uint)(*seed < 0 ? -*seed : *seed);
}

static __device__ double normal(int *seed) {
  long long sum = 0;
  ROLLED for (int k = 0; k < 12; k++)
    sum += next(seed);
  return (double)sum * (1.0 / 2147483648.0) - 6;
}

// Moves each particle, weighs it by the pixels of the disc around it, and adds up the
// weights of the CTA.
extern "C" __global__ void particle_likelihood(double *arrayX, double *arrayY, const double *xj, const double *yj, int *ind,
                                               const int *objxy, double *likelihood, const uchar *video, double *weights, int *seed,
                                               double *partial, int particles, int ones, int pixels, int frame, int height,
                                               int frames) {
  __shared__ double buffer[THREADS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double weight = 0;
  if (i < particles) {
    int state = seed[i];
    double x = xj[i] + 1 + 5 * normal(&state);
    double y = yj[i] - 2 + 2 * normal(&state);
    seed[i] = state;
    arrayX[i] = x;
    arrayY[i] = y;
    ROLLED for (int k = 0; k < ones; k++) {
      int column = (int)x + objxy[2 * k + 1], row = (int)y + objxy[2 * k];
      int at = column * height * frames + row * frames + frame;
      at = at < 0 ? -at : at;
      ind[i * ones + k] = at < pixels ? at : 0;
    }
    double sum = 0;
    ROLLED for (int k = 0; k < ones; k++) {
      int grey = video[ind[i * ones + k]]; APPROXIMATE(video)
      sum += (double)((grey - 100) * (grey - 100) - (grey - 228) * (grey - 228)) / 50;
    }
    sum /= ones;
    likelihood[i] = sum;
    weight = 1 / (double)particles * exponential(sum);
    weights[i] = weight;
  }
  buffer[threadIdx.x] = weight;
  __syncthreads();
  ROLLED for (uint half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      buffer[threadIdx.x] += buffer[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    partial[blockIdx.x] = buffer[0];
}

extern "C" __global__ void particle_sum(double *partial, int ctas) {
  if (blockIdx.x * blockDim.x + threadIdx.x != 0)
    return;
  double sum = 0;
  ROLLED for (int k = 0; k < ctas; k++)
    sum += partial[k];
  partial[0] = sum;
}

// Divides the weights by their sum. Rodinia's kernel goes on in the same launch, and its
// CTAs read what others have not yet written.
extern "C" __global__ void particle_normalise(double *weights, const double *partial, int particles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < particles)
    weights[i] /= partial[0]; APPROXIMATE(weights, partial)
}

// One thread adds up the weights and draws where the comb of all particles begins.
extern "C" __global__ void particle_cdf(const double *weights, double *cdf, double *first, int *seed, int particles) {
  if (threadIdx.x != 0)
    return;
  double sum = 0;
  ROLLED for (int k = 0; k < particles; k++) {
    sum += weights[k]; APPROXIMATE(weights)
    cdf[k] = sum;
  }
  int state = seed[0];
  *first = (double)next(&state) * (1.0 / 2147483648.0) / particles;
  seed[0] = state;
}

// Every thread looks for its place on the comb from the beginning.
extern "C" __global__ void particle_find(const double *arrayX, const double *arrayY, const double *cdf, const double *first,
                                         double *xj, double *yj, int particles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= particles)
    return;
  int index = particles - 1;
  double place = *first + i / (double)particles;
  ROLLED for (int k = 0; k < particles; k++)
    if (cdf[k] >= place) {
      index = k;
      break;
    }
  xj[i] = arrayX[index];
  yj[i] = arrayY[index];
}
