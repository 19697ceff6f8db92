// Distances in a graph by relaxation, after bfs and sssp of the LonestarGPU suite: an
// edge lowers the distance of its target by an atomic minimum until nothing changes.
// Edges of a node lie between rowStart[node] and rowStart[node + 1].
#include "burstscope.cuh"

#define UNREACHED 0x3fffffff

// Every edge counts 1; each launch looks at all nodes.
extern "C" __global__ void relax_all(const int *rowStart, const int *target, int *distance, int *changed, uint count) {
  uint node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= count)
    return;
  int from = distance[node];
  if (from == UNREACHED)
    return;
  int end = rowStart[node + 1];
  ROLLED for (int e = rowStart[node]; e < end; e++) {
    int to = target[e];
    if (from + 1 < distance[to] && atomicMin(&distance[to], from + 1) > from + 1)
      *changed = 1;
  }
}

// Edges have weights; each launch looks at the nodes that the one before lowered. The
// stamp keeps a node from entering a list twice.
extern "C" __global__ void relax_listed(const int *rowStart, const int *target, const int *weight, int *distance, int *stamp,
                                        const int *list, int *next, int *listed, int round) {
  int count = listed[round];
  ROLLED for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    int node = list[i];
    int from = distance[node];
    int end = rowStart[node + 1];
    ROLLED for (int e = rowStart[node]; e < end; e++) {
      int to = target[e];
      int d = from + weight[e];
      if (d < distance[to] && atomicMin(&distance[to], d) > d && atomicExch(&stamp[to], round + 1) != round + 1)
        next[atomicAdd(&listed[round + 1], 1)] = to;
    }
  }
}
