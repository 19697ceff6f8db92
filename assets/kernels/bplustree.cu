// Searches in a B+ tree, after b+tree of the Rodinia suite: one CTA a search, one thread
// for each key of a node. Where a search is lies in global memory, as there.
#include "burstscope.cuh"

#define ORDER 256

struct Node {
  int location;
  int indices[ORDER + 1]; // nodes below, or records
  int keys[ORDER + 1];    // ascending
  int leaf, count;
};

extern "C" __global__ void tree_find(const Node *nodes, int height, const int *records, long long *current, long long *next,
                                     const int *keys, int *answers) {
  uint t = threadIdx.x, search = blockIdx.x;
  ROLLED for (int level = 0; level < height; level++) {
    const Node *node = &nodes[current[search]];
    if (node->keys[t] <= keys[search] && node->keys[t + 1] > keys[search])
      next[search] = node->indices[t];
    __syncthreads();
    if (t == 0)
      current[search] = next[search];
    __syncthreads();
  }
  const Node *node = &nodes[current[search]];
  if (node->keys[t] == keys[search])
    answers[search] = records[node->indices[t]];
}

// The first record of a range of keys, and how many records it has.
extern "C" __global__ void tree_range(const Node *nodes, int height, long long *current, long long *next, long long *last,
                                      long long *nextLast, const int *starts, const int *ends, int *first, int *length) {
  uint t = threadIdx.x, search = blockIdx.x;
  ROLLED for (int level = 0; level < height; level++) {
    const Node *node = &nodes[current[search]];
    if (node->keys[t] <= starts[search] && node->keys[t + 1] > starts[search])
      next[search] = node->indices[t];
    node = &nodes[last[search]];
    if (node->keys[t] <= ends[search] && node->keys[t + 1] > ends[search])
      nextLast[search] = node->indices[t];
    __syncthreads();
    if (t == 0) {
      current[search] = next[search];
      last[search] = nextLast[search];
    }
    __syncthreads();
  }
  const Node *node = &nodes[current[search]];
  if (node->keys[t] == starts[search])
    first[search] = node->indices[t];
  __syncthreads();
  node = &nodes[last[search]];
  if (node->keys[t] == ends[search])
    length[search] = node->indices[t] - first[search] + 1;
}
