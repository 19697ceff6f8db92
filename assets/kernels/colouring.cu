// Colouring of a graph, after color_max of the Pannotia suite: one thread a node,
// the edges of node i are target[start[i]] to target[start[i + 1] - 1].
#include "burstscope.cuh"

#define NONE -1

static __device__ uint node() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void colour_most(const int *start, const int *target, const float *value, const int *colour, float *most,
                                      int *more, uint nodes) {
  uint i = node();
  if (i >= nodes || colour[i] != NONE)
    return;
  float high = -1;
  ROLLED for (int e = start[i], end = start[i + 1]; e < end; e++) {
    int to = target[e];
    if (colour[to] == NONE) {
      *more = 1;
      if (value[to] > high)
        high = value[to];
    }
  }
  most[i] = high;
}

// A node above all its neighbours without a colour gets the next colour.
extern "C" __global__ void colour_give(const float *value, const float *most, int *colour, int next, uint nodes) {
  uint i = node();
  if (i < nodes && colour[i] == NONE && value[i] > most[i])
    colour[i] = next;
}
