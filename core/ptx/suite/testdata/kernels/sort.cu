// Sorting, merging, searching.
#include "suite.cuh"

KERNEL sortBitonic(uint *data) {
  __shared__ uint s[256];
  uint t = threadIdx.x;
  s[t] = data[t];
  for (uint k = 2; k <= 256; k <<= 1)
    for (uint j = k >> 1; j; j >>= 1) {
      syncBlock();
      uint p = t ^ j;
      if (p > t) {
        uint a = s[t], b = s[p];
        if ((a > b) == ((t & k) == 0)) s[t] = b, s[p] = a;
      }
    }
  syncBlock();
  data[t] = s[t];
}

KERNEL sortOddEven(float *data, int n) {
  for (int pass = 0; pass < n; pass++) {
    int i = 2 * threadIdx.x + (pass & 1);
    if (i + 1 < n && data[i] > data[i + 1]) {
      float keep = data[i];
      data[i] = data[i + 1];
      data[i + 1] = keep;
    }
    syncBlock();
  }
}

// A stable pass over one digit of four bits: ballots rank the lanes of a warp.
KERNEL sortRadixPass(const uint *in, uint *out, int shift) {
  __shared__ uint count[16 * 8];
  uint t = threadIdx.x, warp = t >> 5, value = in[t], digit = value >> shift & 15, rank = 0;
  for (uint d = 0; d < 16; d++) {
    uint same = ballot(digit == d);
    if (digit == d) rank = __builtin_popcount(same & lowerLanes());
    if ((t & 31) == 0) count[d * 8 + warp] = __builtin_popcount(same);
  }
  syncBlock();
  if (t == 0) {
    uint sum = 0;
    for (uint i = 0; i < 128; i++) {
      uint c = count[i];
      count[i] = sum;
      sum += c;
    }
  }
  syncBlock();
  out[count[digit * 8 + warp] + rank] = value;
}

KERNEL sortRank(const int *in, int *out, int n) {
  uint i = globalIndex();
  if (i >= n) return;
  int v = in[i], rank = 0;
  for (int j = 0; j < n; j++) rank += in[j] < v || (in[j] == v && j < i);
  out[rank] = v;
}

// Each thread finds where its part of the result begins and merges it.
KERNEL mergePath(const int *a, int na, const int *b, int nb, int *out, int each) {
  int begin = globalIndex() * each;
  if (begin >= na + nb) return;
  int low = most(0, begin - nb), high = least(begin, na);
  while (low < high) {
    int mid = (low + high) / 2;
    if (a[mid] <= b[begin - 1 - mid]) low = mid + 1;
    else high = mid;
  }
  int i = low, j = begin - low;
  for (int k = begin; k < least(begin + each, na + nb); k++)
    out[k] = j >= nb || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
}

// Every thread sorts its own piece, with a stack of its own.
KERNEL sortQuickStack(int *data, int n) {
  int *d = data + globalIndex() * n;
  int stack[32], top = 0;
  stack[top++] = 0;
  stack[top++] = n - 1;
  while (top) {
    int high = stack[--top], low = stack[--top];
    if (low >= high) continue;
    int pivot = d[(low + high) / 2], i = low, j = high;
    while (i <= j) {
      while (d[i] < pivot) i++;
      while (d[j] > pivot) j--;
      if (i <= j) {
        int keep = d[i];
        d[i++] = d[j];
        d[j--] = keep;
      }
    }
    stack[top++] = low;
    stack[top++] = j;
    stack[top++] = i;
    stack[top++] = high;
  }
}

NOINLINE void quick(int *d, int low, int high) {
  if (low >= high) return;
  int pivot = d[high], place = low;
  for (int i = low; i < high; i++)
    if (d[i] < pivot) {
      int keep = d[i];
      d[i] = d[place];
      d[place++] = keep;
    }
  d[high] = d[place];
  d[place] = pivot;
  quick(d, low, place - 1);
  quick(d, place + 1, high);
}
KERNEL sortQuickRecursive(int *data, int n) { quick(data + globalIndex() * n, 0, n - 1); }

KERNEL searchBinary(const int *sorted, int n, const int *wanted, int *place) {
  uint t = globalIndex();
  int low = 0, high = n;
  while (low < high) {
    int mid = low + (high - low) / 2;
    if (sorted[mid] < wanted[t]) low = mid + 1;
    else high = mid;
  }
  place[t] = low < n && sorted[low] == wanted[t] ? low : ~low;
}

// A heap of the eight largest, in local memory.
KERNEL largestEight(const int *in, int n, int *out) {
  int heap[8], size = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int v = in[i], at;
    if (size < 8) {
      for (at = size++; at > 0 && heap[(at - 1) / 2] > v; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    } else {
      if (v <= heap[0]) continue;
      for (at = 0;;) {
        int child = 2 * at + 1;
        if (child >= 8) break;
        if (child + 1 < 8 && heap[child + 1] < heap[child]) child++;
        if (heap[child] >= v) break;
        heap[at] = heap[child];
        at = child;
      }
    }
    heap[at] = v;
  }
  for (int i = 0; i < 8; i++) {
    int low = i;
    for (int j = i + 1; j < 8; j++)
      if (heap[j] > heap[low]) low = j;
    int keep = heap[i];
    heap[i] = heap[low];
    heap[low] = keep;
    out[threadIdx.x * 8 + i] = heap[i];
  }
}
