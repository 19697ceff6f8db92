// Shortest paths from one node, after sssp_ell of the Pannotia suite: one thread a
// node. Edges are padded to the same number for every node, and stored edge by edge.
#include "burstscope.cuh"

static __device__ uint node() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void ell_relax(const int *target, const int *weight, const int *from, int *to, uint height, uint nodes) {
  uint i = node();
  if (i >= nodes)
    return;
  int least = from[i];
  ROLLED for (uint e = i; e < height * nodes; e += nodes) {
    int by = weight[e] + from[target[e]];
    if (by < least)
      least = by;
  }
  to[i] = least;
}

extern "C" __global__ void ell_compare(const int *before, const int *after, int *more, uint nodes) {
  uint i = node();
  if (i < nodes && before[i] != after[i])
    *more = 1;
}

extern "C" __global__ void ell_assign(int *before, const int *after, uint nodes) {
  uint i = node();
  if (i < nodes)
    before[i] = after[i];
}
