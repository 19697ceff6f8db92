// Half precision, in the style of kernels of Triton and of quantised networks.
#include "suite.cuh"

typedef _Float16 half;
typedef _Float16 half2 __attribute__((ext_vector_type(2)));

KERNEL halfAxpy(half a, const half *x, half *y, int n) {
  uint i = globalIndex();
  if (i < n) y[i] = a * x[i] + y[i];
}

// Masked tiles of 16 x 16: halves in, sums in f32.
KERNEL halfMultiply(const half *a, const half *b, half *c, int m, int n, int k) {
  __shared__ half ta[16][16], tb[16][16];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
  float sum = 0;
  for (int l = 0; l < k; l += 16) {
    ta[y][x] = i < m && l + x < k ? a[i * k + l + x] : (half)0;
    tb[y][x] = j < n && l + y < k ? b[(l + y) * n + j] : (half)0;
    syncBlock();
    for (int p = 0; p < 16; p++) sum += (float)ta[y][p] * (float)tb[p][x];
    syncBlock();
  }
  if (i < m && j < n) c[i * n + j] = (half)sum;
}

// Pairs in one register.
KERNEL halfPairs(const half2 *a, const half2 *b, half2 *out) {
  uint i = globalIndex();
  half2 u = a[i], v = b[i];
  out[i] = u * v + u - v;
}

KERNEL halfSoftmax(const half *in, half *out, int n) {
  uint lane = threadIdx.x;
  const half *row = in + blockIdx.x * n;
  float top = -1e30f, sum = 0;
  for (int i = lane; i < n; i += 32) top = fmaxf(top, (float)row[i]);
  for (uint d = 16; d; d >>= 1) top = fmaxf(top, shuffleXor(top, d));
  for (int i = lane; i < n; i += 32) sum += __expf((float)row[i] - top);
  for (uint d = 16; d; d >>= 1) sum += shuffleXor(sum, d);
  for (int i = lane; i < n; i += 32) out[blockIdx.x * n + i] = (half)(__expf((float)row[i] - top) / sum);
}

KERNEL halfCompare(const half *in, int *out) {
  uint i = globalIndex();
  half v = in[i], w = in[i ^ 1];
  int r = v < w ? 1 : v == w ? 2 : v > w ? 4 : 8;
  r += (int)v * 16 + (v != v ? 1 << 20 : 0);
  out[i] = r;
}

// The upper halves of floats, as bf16 is kept in memory.
KERNEL brainDot(const ushort *a, const ushort *b, float *out, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    sum += __builtin_bit_cast(float, (uint)a[i] << 16) * __builtin_bit_cast(float, (uint)b[i] << 16);
  for (uint d = 16; d; d >>= 1) sum += shuffleDown(sum, d);
  if (threadIdx.x == 0) *out = sum;
}
