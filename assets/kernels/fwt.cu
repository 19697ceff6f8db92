// Fast Walsh transform in natural order, after fastWalshTransform of the CUDA SDK:
// radix-4 passes through global memory until a piece fits into shared memory, the
// rest there. With the product of two spectra it makes a dyadic convolution.
#include "burstscope.cuh"

struct Four {
  float a, b, c, d;
};

// Four elements of a Walsh transform: two butterflies on two.
static __device__ Four butterfly(Four v) {
  Four sum = {v.a + v.c, v.b + v.d, v.a - v.c, v.b - v.d};
  return {sum.a + sum.b, sum.a - sum.b, sum.c + sum.d, sum.c - sum.d};
}

// One radix-4 pass over pieces of 4 * stride elements; in y one row per piece.
extern "C" __global__ void fwt_global(float *data, uint stride) {
  uint thread = blockIdx.x * blockDim.x + threadIdx.x;
  uint low = thread & (stride - 1);
  float *at = data + blockIdx.y * (blockDim.x * gridDim.x * 4) + ((thread - low) << 2) + low;
  Four v = {at[0], at[stride], at[2 * stride], at[3 * stride]}; APPROXIMATE(at)
  v = butterfly(v);
  at[0] = v.a;
  at[stride] = v.b;
  at[2 * stride] = v.c;
  at[3 * stride] = v.d;
}

// The whole transform of 2^log2Count elements in shared memory, by 2^log2Count / 4
// threads.
extern "C" __global__ void fwt_shared(float *data, uint log2Count) {
  extern __shared__ float piece[];
  uint count = 1u << log2Count;
  float *at = data + blockIdx.x * count;
  uint thread = threadIdx.x;

  for (uint i = thread; i < count; i += blockDim.x)
    piece[i] = at[i]; APPROXIMATE(at)

  for (uint stride = count >> 2; stride > 0; stride >>= 2) {
    uint low = thread & (stride - 1);
    uint i = ((thread - low) << 2) + low;
    __syncthreads();
    Four v = {piece[i], piece[i + stride], piece[i + 2 * stride], piece[i + 3 * stride]};
    v = butterfly(v);
    piece[i] = v.a;
    piece[i + stride] = v.b;
    piece[i + 2 * stride] = v.c;
    piece[i + 3 * stride] = v.d;
  }
  if (log2Count & 1) { // one radix-2 pass is left
    __syncthreads();
    for (uint i = thread; i < count / 2; i += blockDim.x) {
      float a = piece[2 * i], b = piece[2 * i + 1];
      piece[2 * i] = a + b;
      piece[2 * i + 1] = a - b;
    }
  }
  __syncthreads();
  for (uint i = thread; i < count; i += blockDim.x)
    at[i] = piece[i];
}

// data *= kernel / count: the product of two spectra, scaled for the way back.
extern "C" __global__ void fwt_modulate(float *data, const float *kernel, uint count) {
  float scale = __fdividef(1.0f, (float)count);
  for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
    data[i] *= kernel[i] * scale; APPROXIMATE(data, kernel)
}
