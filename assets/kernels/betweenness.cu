// Betweenness centrality, after bc of the Pannotia suite: one thread a node,
// the edges of node i are target[start[i]] to target[start[i + 1] - 1].
#include "burstscope.cuh"

#define UNSEEN -1

// Dependencies are whole numbers of 1 / PARTS, so that their sums do not depend on the
// order of the atomics.
#define PARTS 65536.0f

static __device__ uint node() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void bc_clear(int *depth, int *paths, int *dependency, uint source, uint nodes) {
  uint i = node();
  if (i >= nodes)
    return;
  depth[i] = i == source ? 0 : UNSEEN;
  paths[i] = i == source;
  dependency[i] = 0;
}

// The nodes of one depth hand their number of shortest paths on to the next depth.
extern "C" __global__ void bc_forward(const int *start, const int *target, int *depth, int *paths, int *more, int level, uint nodes) {
  uint i = node();
  if (i >= nodes || depth[i] != level)
    return;
  int own = paths[i];
  ROLLED for (int e = start[i], end = start[i + 1]; e < end; e++) {
    int to = target[e], seen = depth[to];
    if (seen < 0) {
      *more = 1;
      depth[to] = seen = level + 1;
    }
    if (seen == level + 1)
      atomicAdd(&paths[to], own);
  }
}

// The nodes of one depth hand their dependency back to the depth before, as Pannotia
// does: along the same edges.
extern "C" __global__ void bc_backward(const int *start, const int *target, const int *depth, const int *paths, int *dependency,
                                       float *centrality, int level, uint source, uint nodes) {
  uint i = node();
  if (i >= nodes || depth[i] != level)
    return;
  float own = (float)dependency[i] * (1 / PARTS), count = (float)paths[i];
  ROLLED for (int e = start[i], end = start[i + 1]; e < end; e++) {
    int to = target[e];
    if (depth[to] == level - 1)
      atomicAdd(&dependency[to], (int)((float)paths[to] / count * (own + 1) * PARTS));
  }
  if (i != source)
    centrality[i] += own;
}
