// Shortest paths between all nodes, after fw of the Pannotia suite: one launch for
// every node k, which looks for paths by way of k. Neighbouring threads take
// neighbouring rows, as in Pannotia, so that a warp reads 16 lines at a time.
#include "burstscope.cuh"

extern "C" __global__ void floyd_warshall(int *distance, int *next, uint nodes, uint k) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nodes || j >= nodes)
    return;
  int by = distance[i * nodes + k] + distance[k * nodes + j];
  if (by < distance[i * nodes + j]) {
    distance[i * nodes + j] = by;
    next[i * nodes + j] = (int)k;
  }
}
