// Reductions.
#include "suite.cuh"

INLINE int warpSum(int v) {
  for (uint d = 16; d; d >>= 1) v += shuffleDown(v, d);
  return v;
}

// A loop over the grid, shuffles, shared memory for the warps, one atomic a block.
KERNEL sumShuffle(const int *in, int *out, int n) {
  __shared__ int part[32];
  int sum = 0;
  for (uint i = globalIndex(); i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = warpSum(sum);
  uint lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 0) part[warp] = sum;
  syncBlock();
  if (warp == 0) {
    sum = warpSum(lane < (blockDim.x >> 5) ? part[lane] : 0);
    if (lane == 0) atomicAdd(out, sum);
  }
}

KERNEL sumTree(const float *in, float *out) {
  extern __shared__ float tree[];
  uint t = threadIdx.x;
  tree[t] = in[globalIndex()];
  syncBlock();
  for (uint d = blockDim.x / 2; d; d >>= 1) {
    if (t < d) tree[t] += tree[t + d];
    syncBlock();
  }
  if (t == 0) out[blockIdx.x] = tree[0];
}

KERNEL extremes(const int *in, int *out, int n) {
  uint i = globalIndex();
  if (i >= n) return;
  atomicMin(out, in[i]);
  atomicMax(out + 1, in[i]);
}

// Sums of runs of equal keys: a segmented scan in a warp, the last lane of each
// run adds.
KERNEL sumByKey(const int *key, const int *value, int *out, int n) {
  uint i = globalIndex(), lane = threadIdx.x & 31;
  int k = i < n ? key[i] : -1, v = i < n ? value[i] : 0;
  for (uint d = 1; d < 32; d <<= 1) {
    int otherKey = shuffleUp(k, d), other = shuffleUp(v, d);
    if (lane >= d && otherKey == k) v += other;
  }
  int next = shuffleDown(k, 1);
  if (k >= 0 && (lane == 31 || next != k)) atomicAdd(out + k, v);
}

KERNEL smallest(const float *in, float *value, int *index) {
  __shared__ float values[8];
  __shared__ int indices[8];
  int at = threadIdx.x;
  float v = in[at];
  for (uint d = 16; d; d >>= 1) {
    float w = shuffleXor(v, d);
    int j = shuffleXor(at, d);
    if (w < v || (w == v && j < at)) v = w, at = j;
  }
  if ((threadIdx.x & 31) == 0) values[threadIdx.x >> 5] = v, indices[threadIdx.x >> 5] = at;
  syncBlock();
  if (threadIdx.x != 0) return;
  for (uint i = 1; i < blockDim.x / 32; i++)
    if (values[i] < v) v = values[i], at = indices[i];
  *value = v;
  *index = at;
}

KERNEL dotDouble(const double *a, const double *b, double *out, int n) {
  __shared__ double tree[128];
  double sum = 0;
  for (uint i = threadIdx.x; i < n; i += 128) sum += a[i] * b[i];
  tree[threadIdx.x] = sum;
  syncBlock();
  for (uint d = 64; d; d >>= 1) {
    if (threadIdx.x < d) tree[threadIdx.x] += tree[threadIdx.x + d];
    syncBlock();
  }
  if (threadIdx.x == 0) *out = tree[0];
}

struct Moments {
  float count, mean, square;
};
NOINLINE Moments combine(Moments a, Moments b) {
  Moments r;
  float delta = b.mean - a.mean;
  r.count = a.count + b.count;
  r.mean = a.mean + delta * (b.count / r.count);
  r.square = a.square + b.square + delta * delta * (a.count * b.count / r.count);
  return r;
}
// Mean and variance in one pass.
KERNEL moments(const float *in, float *out) {
  __shared__ Moments tree[64];
  uint t = threadIdx.x;
  tree[t] = {1, in[t], 0};
  syncBlock();
  for (uint d = 32; d; d >>= 1) {
    if (t < d) tree[t] = combine(tree[t], tree[t + d]);
    syncBlock();
  }
  if (t == 0) out[0] = tree[0].mean, out[1] = tree[0].square / (tree[0].count - 1);
}

KERNEL norms(const float *in, float *sum, int n) {
  uint i = globalIndex();
  float v = i < n ? in[i] * in[i] : 0;
  for (uint d = 16; d; d >>= 1) v += shuffleXor(v, d);
  if ((threadIdx.x & 31) == 0) atomicAdd(sum, v);
}

// The last block to arrive adds up what the others have left.
KERNEL sumLastBlock(const int *in, int *part, uint *arrived, int *out) {
  __shared__ bool last;
  int v = warpSum(in[globalIndex()]);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = v;
    fenceGrid();
    last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  syncBlock();
  if (!last) return;
  const volatile int *parts = part;
  v = warpSum(threadIdx.x < gridDim.x ? parts[threadIdx.x] : 0);
  if (threadIdx.x == 0) *out = v;
}
