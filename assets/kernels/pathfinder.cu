// The cheapest way down a wall of numbers, after pathfinder of the Rodinia suite:
// from every cell to one of the three below it. A CTA takes 256 columns through
// several rows in shared memory; each row costs it one column on either side.
#include "burstscope.cuh"

#define THREADS 256

extern "C" __global__ void pathfinder(const int *wall, const int *in, int *out, int columns, int rows) {
  __shared__ int cost[THREADS];
  int tx = threadIdx.x;
  int x = (int)blockIdx.x * (THREADS - 2 * rows) + tx - rows;
  bool inside = x >= 0 && x < columns;
  if (inside)
    cost[tx] = in[x];
  int left = x > 0 ? tx - 1 : tx, right = x < columns - 1 ? tx + 1 : tx;
  __syncthreads();
  ROLLED for (int row = 1; row <= rows; row++) {
    bool active = inside && tx >= row && tx < THREADS - row;
    int best = 0;
    if (active) {
      best = cost[left] < cost[tx] ? cost[left] : cost[tx];
      best = (cost[right] < best ? cost[right] : best) + wall[(row - 1) * columns + x];
    }
    __syncthreads();
    if (active)
      cost[tx] = best;
    __syncthreads();
  }
  if (inside && tx >= rows && tx < THREADS - rows)
    out[x] = cost[tx];
}
