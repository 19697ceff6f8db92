// A Gaussian blur by a recursive filter, after recursiveGaussian of the CUDA SDK: one
// thread goes down a column and up again, then the image is transposed. A pixel is four
// bytes in a word.
#include "burstscope.cuh"

#define TILE 16

static __device__ float4 unpack(uint p) {
  return {(p & 255) / 255.0f, (p >> 8 & 255) / 255.0f, (p >> 16 & 255) / 255.0f, (p >> 24) / 255.0f};
}

static __device__ uint byte(float v) { return (uint)(fminf(fmaxf(v, 0.0f), 1.0f) * 255.0f); }

static __device__ uint pack(float4 v) { return byte(v.w) << 24 | byte(v.z) << 16 | byte(v.y) << 8 | byte(v.x); }

// Two pixels of the image and the last two results give the next result.
static __device__ float filter(float near, float a, float far, float b, float last, float c, float older, float d) {
  return __builtin_fmaf(-d, older, __builtin_fmaf(-c, last, __builtin_fmaf(b, far, a * near)));
}

#define EACH(result, near, a, far, b, last, older)                                                                     \
  result.x = filter(near.x, a, far.x, b, last.x, b1, older.x, b2);                                                    \
  result.y = filter(near.y, a, far.y, b, last.y, b1, older.y, b2);                                                    \
  result.z = filter(near.z, a, far.z, b, last.z, b1, older.z, b2);                                                    \
  result.w = filter(near.w, a, far.w, b, last.w, b1, older.w, b2);

extern "C" __global__ void gaussian_columns(const uint *in, uint *out, uint width, uint height, float a0, float a1, float a2, float a3,
                                            float b1, float b2, float coefp, float coefn) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width)
    return;
  float4 before = unpack(in[x]); APPROXIMATE(in)
  float4 last = {coefp * before.x, coefp * before.y, coefp * before.z, coefp * before.w}, older = last, result;
  ROLLED for (uint y = 0; y < height; y++) {
    float4 here = unpack(in[y * width + x]); APPROXIMATE(in)
    EACH(result, here, a0, before, a1, last, older)
    out[y * width + x] = pack(result);
    before = here;
    older = last;
    last = result;
  }
  before = unpack(in[(height - 1) * width + x]); APPROXIMATE(in)
  float4 beyond = before;
  last = {coefn * before.x, coefn * before.y, coefn * before.z, coefn * before.w};
  older = last;
  ROLLED for (uint y = height; y-- > 0;) {
    float4 here = unpack(in[y * width + x]); APPROXIMATE(in)
    EACH(result, before, a2, beyond, a3, last, older)
    beyond = before;
    before = here;
    older = last;
    last = result;
    float4 down = unpack(out[y * width + x]); APPROXIMATE(out)
    out[y * width + x] = pack({down.x + result.x, down.y + result.y, down.z + result.z, down.w + result.w});
  }
}

// The sides are multiples of 16.
extern "C" __global__ void gaussian_transpose(const uint *in, uint *out, uint width, uint height) {
  __shared__ uint tile[TILE][TILE + 1];
  uint x = blockIdx.x * TILE, y = blockIdx.y * TILE;
  tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * width + x + threadIdx.x];
  __syncthreads();
  out[(x + threadIdx.y) * height + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
