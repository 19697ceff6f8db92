// Temperatures of a chip, after hotspot of the Rodinia suite: an explicit heat
// equation on a grid. A CTA loads a tile of 16 x 16 and makes several steps of it in
// shared memory; each step costs it one cell on every side.
#include "burstscope.cuh"

#define TILE 16
#define AMBIENT 80.0f

extern "C" __global__ void hotspot(const float *power, const float *in, float *out, int width, int height, int steps,
                                   float stepOverCapacity, float inverseRx, float inverseRy, float inverseRz) {
  __shared__ float heat[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int inner = TILE - 2 * steps;
  int x = (int)blockIdx.x * inner + tx - steps;
  int y = (int)blockIdx.y * inner + ty - steps;
  bool inside = x >= 0 && x < width && y >= 0 && y < height;
  float source = 0;
  if (inside) {
    heat[ty][tx] = in[y * width + x];
    source = power[y * width + x];
  }
  // The border of the chip repeats itself outwards.
  int north = y > 0 ? ty - 1 : ty, south = y < height - 1 ? ty + 1 : ty;
  int west = x > 0 ? tx - 1 : tx, east = x < width - 1 ? tx + 1 : tx;
  __syncthreads();
  ROLLED for (int step = 1; step <= steps; step++) {
    bool active = inside && tx >= step && tx < TILE - step && ty >= step && ty < TILE - step;
    float t = 0;
    if (active) {
      float here = heat[ty][tx];
      t = here + stepOverCapacity * (source + (heat[south][tx] + heat[north][tx] - 2.0f * here) * inverseRy +
                                     (heat[ty][east] + heat[ty][west] - 2.0f * here) * inverseRx +
                                     (AMBIENT - here) * inverseRz);
    }
    __syncthreads();
    if (active)
      heat[ty][tx] = t;
    __syncthreads();
  }
  if (inside && tx >= steps && tx < TILE - steps && ty >= steps && ty < TILE - steps)
    out[y * width + x] = heat[ty][tx];
}
