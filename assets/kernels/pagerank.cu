// PageRank by products of a sparse matrix and a vector, after pagerank_spmv of the Pannotia
// suite: one thread a node,
// the edges of node i are target[start[i]] to target[start[i + 1] - 1].
#include "burstscope.cuh"

static __device__ uint node() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void pagerank_begin(float *rank, float *sum, uint nodes) {
  uint i = node();
  if (i >= nodes)
    return;
  rank[i] = 1 / (float)nodes;
  sum[i] = 0;
}

// A neighbour gives each of its own neighbours an equal share.
extern "C" __global__ void pagerank_shares(const int *start, const int *target, const int *degree, float *share, uint nodes) {
  uint i = node();
  if (i >= nodes)
    return;
  ROLLED for (int e = start[i], end = start[i + 1]; e < end; e++)
    share[e] = 1 / (float)degree[target[e]];
}

extern "C" __global__ void pagerank_product(const int *start, const int *target, const float *share, const float *rank, float *sum,
                                            uint nodes) {
  uint i = node();
  if (i >= nodes)
    return;
  float total = 0;
  ROLLED for (int e = start[i], end = start[i + 1]; e < end; e++)
    total += share[e] * rank[target[e]];
  sum[i] += total;
}

extern "C" __global__ void pagerank_damp(float *rank, float *sum, uint nodes) {
  uint i = node();
  if (i >= nodes)
    return;
  rank[i] = 0.15f / (float)nodes + 0.85f * sum[i];
  sum[i] = 0;
}
