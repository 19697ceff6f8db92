// Graphs in compressed rows, dynamic programming, games.
#include "suite.cuh"

KERNEL bfsStep(const int *row, const int *edge, int *level, int n, int depth, int *changed) {
  uint v = globalIndex();
  if (v >= n || level[v] != depth) return;
  for (int e = row[v]; e < row[v + 1]; e++)
    if (level[edge[e]] < 0) {
      level[edge[e]] = depth + 1;
      *changed = 1;
    }
}

KERNEL labelStep(const int *row, const int *edge, int *label, int n) {
  uint v = globalIndex();
  if (v >= n) return;
  int best = label[v];
  for (int e = row[v]; e < row[v + 1]; e++) best = least(best, label[edge[e]]);
  while (best != label[best]) best = label[best];
  atomicMin(&label[v], best);
}

KERNEL floydStep(int *distance, int n, int k) {
  uint i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  int through = distance[i * n + k] + distance[k * n + j];
  if (through < distance[i * n + j]) distance[i * n + j] = through;
}

KERNEL relax(const int *row, const int *edge, const int *weight, int *distance, int n) {
  uint v = globalIndex();
  if (v >= n) return;
  int d = distance[v];
  if (d == 0x7fffffff) return;
  for (int e = row[v]; e < row[v + 1]; e++) atomicMin(&distance[edge[e]], d + weight[e]);
}

KERNEL listRank(const int *nextIn, const int *rankIn, int *nextOut, int *rankOut) {
  uint i = globalIndex();
  int next = nextIn[i];
  rankOut[i] = rankIn[i] + (next != i ? rankIn[next] : 0);
  nextOut[i] = nextIn[next];
}

KERNEL triangles(const int *row, const int *edge, int n, int *count) {
  uint v = globalIndex();
  if (v >= n) return;
  int found = 0;
  for (int e = row[v]; e < row[v + 1]; e++) {
    int w = edge[e];
    if (w <= (int)v) continue;
    int i = row[v], j = row[w];
    while (i < row[v + 1] && j < row[w + 1]) {
      int a = edge[i], b = edge[j];
      if (a == b && a > w) found++;
      if (a <= b) i++;
      if (b <= a) j++;
    }
  }
  if (found) atomicAdd(count, found);
}

// Needleman and Wunsch, diagonal by diagonal in one block.
KERNEL align(const uchar *a, const uchar *b, int *score, int n) {
  int w = n + 1;
  for (int i = threadIdx.x; i <= n; i += blockDim.x) score[i] = score[i * w] = -2 * i;
  syncBlock();
  for (int sum = 2; sum <= 2 * n; sum++) {
    int i = threadIdx.x + 1, j = sum - i;
    if (i <= n && j >= 1 && j <= n) {
      int best = score[(i - 1) * w + j - 1] + (a[i - 1] == b[j - 1] ? 3 : -1);
      best = most(best, score[(i - 1) * w + j] - 2);
      score[i * w + j] = most(best, score[i * w + j - 1] - 2);
    }
    syncBlock();
  }
}

// Edit distance of pairs of strings that end with 0; a row in local memory.
KERNEL editDistance(const uchar *a, const uchar *b, int each, int *out) {
  const uchar *x = a + globalIndex() * each, *y = b + globalIndex() * each;
  short row[33];
  int n = 0;
  while (y[n]) n++;
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 0; x[i]; i++) {
    short corner = row[0];
    row[0] = i + 1;
    for (int j = 0; j < n; j++) {
      short above = row[j + 1];
      short best = above < row[j] ? above : row[j];
      best = (short)(best + 1);
      short change = corner + (x[i] != y[j]);
      row[j + 1] = best < change ? best : change;
      corner = above;
    }
  }
  out[globalIndex()] = row[n];
}

KERNEL lifeStep(const uchar *in, uchar *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int count = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) count += in[(y + dy + height) % height * width + (x + dx + width) % width];
  out[y * width + x] = count == 3 || (count == 2 && in[y * width + x]);
}

// Solutions of n queens below each first pair of rows, by bits and a stack.
KERNEL queens(int n, int *out) {
  uint t = threadIdx.x, a = t / n, b = t % n;
  if (t >= n * n) return;
  uint all = (1u << n) - 1, columns[12], left[12], right[12], open[12];
  int found = 0;
  uint first = 1u << a, second = 1u << b;
  if ((second & (first | first << 1 | first >> 1)) == 0) {
    int depth = 2;
    columns[2] = first | second;
    left[2] = (first << 1 | second) << 1;
    right[2] = (first >> 1 | second) >> 1;
    open[2] = all & ~(columns[2] | left[2] | right[2]);
    while (depth >= 2) {
      if (depth == n) {
        found++;
        depth--;
        continue;
      }
      if (!open[depth]) {
        depth--;
        continue;
      }
      uint bit = open[depth] & -open[depth];
      open[depth] ^= bit;
      columns[depth + 1] = columns[depth] | bit;
      left[depth + 1] = (left[depth] | bit) << 1;
      right[depth + 1] = (right[depth] | bit) >> 1;
      depth++;
      open[depth] = depth == n ? 0 : all & ~(columns[depth] | left[depth] | right[depth]);
    }
  }
  out[t] = found;
}
