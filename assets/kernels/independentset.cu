// A maximal independent set, after mis of the Pannotia suite: one thread a node,
// the edges of node i are target[start[i]] to target[start[i + 1] - 1].
#include "burstscope.cuh"

// A status: OPEN, or OUT once the node is in the set or beside one that is.
#define OPEN -1
#define OUT -2

static __device__ uint node() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void mis_least(const int *start, const int *target, const float *value, const int *status, float *least,
                                     int *more, uint nodes) {
  uint i = node();
  if (i >= nodes || status[i] != OPEN)
    return;
  *more = 1;
  float low = 1e8f;
  ROLLED for (int e = start[i], end = start[i + 1]; e < end; e++) {
    int to = target[e];
    if (status[to] == OPEN && value[to] < low)
      low = value[to];
  }
  least[i] = low;
}

// Nodes below all their neighbours join the set.
extern "C" __global__ void mis_join(const int *start, const int *target, const float *value, const float *least, int *status,
                                    int *next, int *chosen, uint nodes) {
  uint i = node();
  if (i >= nodes || !(value[i] < least[i]) || status[i] != OPEN)
    return;
  chosen[i] = 1;
  status[i] = OUT;
  ROLLED for (int e = start[i], end = start[i + 1]; e < end; e++) {
    int to = target[e];
    if (status[to] == OPEN)
      next[to] = OUT;
  }
}

extern "C" __global__ void mis_settle(const int *next, int *status, uint nodes) {
  uint i = node();
  if (i < nodes && next[i] == OUT)
    status[i] = OUT;
}
