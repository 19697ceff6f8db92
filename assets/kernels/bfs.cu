// Breadth-first search level by level, after bfs of the Rodinia suite: one thread a
// node and two kernels a level. Nodes hold where their edges start and how many.
#include "burstscope.cuh"

extern "C" __global__ void bfs_visit(const uint2 *nodes, const int *edges, uchar *mask, uchar *updating, const uchar *visited,
                                     int *cost, uint count) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count || !mask[i])
    return;
  mask[i] = 0;
  uint2 node = nodes[i];
  ROLLED for (uint e = node.x; e < node.x + node.y; e++) {
    int to = edges[e];
    if (!visited[to]) {
      cost[to] = cost[i] + 1;
      updating[to] = 1;
    }
  }
}

// What was reached becomes the next level.
extern "C" __global__ void bfs_update(uchar *mask, uchar *updating, uchar *visited, uchar *over, uint count) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count || !updating[i])
    return;
  mask[i] = 1;
  visited[i] = 1;
  *over = 1;
  updating[i] = 0;
}
