// Prefix sums, compaction.
#include "suite.cuh"

INLINE int warpScan(int v) {
  uint lane = threadIdx.x & 31;
  for (uint d = 1; d < 32; d <<= 1) {
    int w = shuffleUp(v, d);
    if (lane >= d) v += w;
  }
  return v;
}

KERNEL scanHillisSteele(const int *in, int *out) {
  __shared__ int side[2][128];
  uint t = threadIdx.x;
  int from = 0;
  side[0][t] = in[t];
  syncBlock();
  for (uint d = 1; d < 128; d <<= 1) {
    side[1 - from][t] = side[from][t] + (t >= d ? side[from][t - d] : 0);
    from = 1 - from;
    syncBlock();
  }
  out[t] = side[from][t];
}

// Exclusive, two elements a thread.
KERNEL scanBlelloch(const float *in, float *out) {
  extern __shared__ float work[];
  uint t = threadIdx.x, n = 2 * blockDim.x;
  work[2 * t] = in[2 * t];
  work[2 * t + 1] = in[2 * t + 1];
  uint step = 1;
  for (uint d = n / 2; d; d >>= 1) {
    syncBlock();
    if (t < d) work[step * (2 * t + 2) - 1] += work[step * (2 * t + 1) - 1];
    step *= 2;
  }
  if (t == 0) work[n - 1] = 0;
  for (uint d = 1; d < n; d *= 2) {
    step >>= 1;
    syncBlock();
    if (t < d) {
      uint a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1;
      float keep = work[a];
      work[a] = work[b];
      work[b] += keep;
    }
  }
  syncBlock();
  out[2 * t] = work[2 * t];
  out[2 * t + 1] = work[2 * t + 1];
}

INLINE int blockScan(int v, int *part) {
  uint lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  v = warpScan(v);
  if (lane == 31) part[warp] = v;
  syncBlock();
  if (warp == 0) part[lane] = warpScan(part[lane]);
  syncBlock();
  return warp ? v + part[warp - 1] : v;
}

KERNEL scanWarps(const int *in, int *out) {
  __shared__ int part[32];
  out[threadIdx.x] = blockScan(in[threadIdx.x], part);
}

// One pass over the data: a block publishes its sum, then looks back over the
// blocks before it until one has a prefix (decoupled look-back). A state is the
// value times four plus 0: nothing yet, 1: sum, 2: prefix.
KERNEL scanLookBack(const int *in, int *out, uint *ticket, u64 *state) {
  __shared__ int part[32];
  __shared__ uint block;
  __shared__ int before;
  if (threadIdx.x == 0) block = atomicAdd(ticket, 1u);
  syncBlock();
  uint i = block * blockDim.x + threadIdx.x;
  int v = blockScan(in[i], part);
  if (threadIdx.x == blockDim.x - 1) {
    volatile u64 *s = state;
    if (block > 0) s[block] = (u64)(uint)v << 2 | 1;
    fenceGrid();
    int sum = 0;
    for (int look = (int)block - 1; look >= 0;) {
      u64 got = s[look];
      if ((got & 3) == 0) continue;
      sum += (int)(got >> 2);
      if ((got & 3) == 2) break;
      look--;
    }
    s[block] = (u64)(uint)(sum + v) << 2 | 2;
    before = sum;
  }
  syncBlock();
  out[i] = v + before;
}

// Elements that are kept move together; order inside a warp by ballot, among
// warps by an atomic.
KERNEL compactBallot(const int *in, int *out, int *count, int n) {
  uint i = globalIndex();
  bool keep = i < n && in[i] % 3 == 0;
  uint kept = ballot(keep);
  int base = 0;
  if ((threadIdx.x & 31) == 0 && kept) base = atomicAdd(count, __builtin_popcount(kept));
  base = shuffle(base, 0);
  if (keep) out[base + __builtin_popcount(kept & lowerLanes())] = in[i];
}

// Run-length encoding: heads, their places by a scan, values and lengths.
KERNEL encodeRuns(const uchar *in, uchar *value, int *length, int *runs) {
  __shared__ int part[32];
  __shared__ int start[257];
  uint t = threadIdx.x;
  int head = t == 0 || in[t] != in[t - 1];
  int place = blockScan(head, part) - 1;
  if (head) {
    start[place] = t;
    value[place] = in[t];
  }
  if (t == blockDim.x - 1) {
    start[place + 1] = blockDim.x;
    *runs = place + 1;
  }
  syncBlock();
  if (head) length[place] = start[place + 1] - start[place];
}

// A recurrence x[i] = a[i] x[i-1] + b[i], whose steps combine like a sum.
KERNEL recurrence(const uint *a, const uint *b, uint *out) {
  uint lane = threadIdx.x & 31, scale = a[threadIdx.x], offset = b[threadIdx.x];
  for (uint d = 1; d < 32; d <<= 1) {
    uint s = shuffleUp(scale, d), o = shuffleUp(offset, d);
    if (lane >= d) {
      offset += scale * o;
      scale *= s;
    }
  }
  out[threadIdx.x] = offset;
}
