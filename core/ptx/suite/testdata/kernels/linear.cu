// Linear algebra and stencils.
#include "suite.cuh"

KERNEL multiplyNaive(const float *a, const float *b, float *c, int m, int n, int k) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m || j >= n) return;
  float sum = 0;
  for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * n + j];
  c[i * n + j] = sum;
}

// Tiles of 8 x 8, edges filled with zeros.
KERNEL multiplyTiled(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float ta[8][8], tb[8][9];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 8 + y, j = blockIdx.x * 8 + x;
  float sum = 0;
  for (int l = 0; l < k; l += 8) {
    ta[y][x] = i < m && l + x < k ? a[i * k + l + x] : 0;
    tb[y][x] = j < n && l + y < k ? b[(l + y) * n + j] : 0;
    syncBlock();
    for (int p = 0; p < 8; p++) sum += ta[y][p] * tb[p][x];
    syncBlock();
  }
  if (i < m && j < n) c[i * n + j] = sum;
}

// Each thread keeps 4 x 4 results in registers; 8 x 8 threads, n a multiple of 32.
KERNEL multiplyRegisters(const float *a, const float *b, float *c, int n) {
  __shared__ float ta[8][32], tb[8][32];
  uint x = threadIdx.x, y = threadIdx.y, t = y * 8 + x;
  float sum[4][4] = {};
  for (int l = 0; l < n; l += 8) {
    for (uint q = t; q < 256; q += 64) {
      ta[q & 7][q >> 3] = a[(blockIdx.y * 32 + (q >> 3)) * n + l + (q & 7)];
      tb[q >> 5][q & 31] = b[(l + (q >> 5)) * n + blockIdx.x * 32 + (q & 31)];
    }
    syncBlock();
    for (int p = 0; p < 8; p++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += ta[p][y * 4 + i] * tb[p][x * 4 + j];
    syncBlock();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[(blockIdx.y * 32 + y * 4 + i) * n + blockIdx.x * 32 + x * 4 + j] = sum[i][j];
}

KERNEL multiplyVectors(const float4v *a, const float4v *b, float4v *c, int n) {
  uint i = blockIdx.x, j = threadIdx.x;
  float4v sum = 0;
  for (int l = 0; l < n / 4; l++) {
    float4v v = a[i * (n / 4) + l];
    sum += v.x * b[(4 * l) * (n / 4) + j];
    sum += v.y * b[(4 * l + 1) * (n / 4) + j];
    sum += v.z * b[(4 * l + 2) * (n / 4) + j];
    sum += v.w * b[(4 * l + 3) * (n / 4) + j];
  }
  c[i * (n / 4) + j] = sum;
}

KERNEL transposeTile(const double *in, double *out, int width, int height) {
  __shared__ double tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int k = 0; k < 16; k += 4)
    if (x < width && y + k < height) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
  syncBlock();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  for (int k = 0; k < 16; k += 4)
    if (x < height && y + k < width) out[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
}

KERNEL sparseScalar(const int *row, const int *column, const float *value, const float *x, float *y, int n) {
  uint i = globalIndex();
  if (i >= n) return;
  float sum = 0;
  for (int e = row[i]; e < row[i + 1]; e++) sum += value[e] * x[column[e]];
  y[i] = sum;
}

// A warp a row.
KERNEL sparseVector(const int *row, const int *column, const float *value, const float *x, float *y, int n) {
  uint i = globalIndex() >> 5, lane = threadIdx.x & 31;
  if (i >= n) return;
  float sum = 0;
  for (int e = row[i] + lane; e < row[i + 1]; e += 32) sum += value[e] * x[column[e]];
  for (uint d = 16; d; d >>= 1) sum += shuffleDown(sum, d);
  if (lane == 0) y[i] = sum;
}

KERNEL sparseEll(const int *column, const double *value, const double *x, double *y, int n, int width) {
  uint i = globalIndex();
  if (i >= n) return;
  double sum = 0;
  for (int k = 0; k < width; k++) {
    int c = column[k * n + i];
    if (c >= 0) sum += value[k * n + i] * x[c];
  }
  y[i] = sum;
}

// Coordinates in any order.
KERNEL sparseCoordinates(const int *row, const int *column, const float *value, const float *x, float *y, int n) {
  for (uint e = globalIndex(); e < n; e += blockDim.x * gridDim.x) atomicAdd(&y[row[e]], value[e] * x[column[e]]);
}

// Conjugate gradients on the matrix (-1, 2.5, -1), all in one block.
KERNEL conjugateGradients(const double *b, double *x, double *residual, int steps) {
  __shared__ double p[64], tree[64];
  uint t = threadIdx.x;
  double xt = 0, r = b[t];
  p[t] = r;
  tree[t] = r * r;
  for (uint d = 32; d; d >>= 1) {
    syncBlock();
    if (t < d) tree[t] += tree[t + d];
  }
  syncBlock();
  double rr = tree[0];
  for (int s = 0; s < steps; s++) {
    double q = 2.5 * p[t] - (t > 0 ? p[t - 1] : 0) - (t < 63 ? p[t + 1] : 0);
    syncBlock();
    tree[t] = p[t] * q;
    for (uint d = 32; d; d >>= 1) {
      syncBlock();
      if (t < d) tree[t] += tree[t + d];
    }
    syncBlock();
    double alpha = rr / tree[0];
    xt += alpha * p[t];
    r -= alpha * q;
    syncBlock();
    tree[t] = r * r;
    for (uint d = 32; d; d >>= 1) {
      syncBlock();
      if (t < d) tree[t] += tree[t + d];
    }
    syncBlock();
    double next = tree[0];
    p[t] = r + next / rr * p[t];
    rr = next;
    syncBlock();
  }
  x[t] = xt;
  if (t == 0) *residual = rr;
}

KERNEL axpy(float a, const float *x, float *y, int n) {
  for (uint i = globalIndex(); i < n; i += blockDim.x * gridDim.x) y[i] += a * x[i];
}

KERNEL jacobi2d(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) out[i] = in[i];
  else out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

// Marching in z, the plane below and above in registers.
KERNEL stencil3d(const float *in, float *out, int nx, int ny, int nz) {
  int x = threadIdx.x, y = threadIdx.y, plane = nx * ny, i = y * nx + x;
  float below = in[i], here = in[i + plane];
  for (int z = 1; z < nz - 1; z++) {
    i += plane;
    float above = in[i + plane];
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
      out[i] = here * -6.0f + (in[i - 1] + in[i + 1]) + (in[i - nx] + in[i + nx]) + (below + above);
    below = here;
    here = above;
  }
}

__constant__ float taps[9] = {0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f};
KERNEL convolve(const uchar *in, uchar *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int px = most(0, least(width - 1, x + dx)), py = most(0, least(height - 1, y + dy));
      sum += taps[(dy + 1) * 3 + dx + 1] * (float)in[py * width + px];
    }
  out[y * width + x] = (uchar)(sum + 0.5f);
}

// Solves a system of six equations a thread, with pivots.
KERNEL solveSmall(const double *matrix, const double *right, double *out) {
  double a[6][7];
  uint t = globalIndex();
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) a[i][j] = matrix[t * 36 + i * 6 + j];
    a[i][6] = right[t * 6 + i];
  }
  for (int k = 0; k < 6; k++) {
    int pivot = k;
    for (int i = k + 1; i < 6; i++)
      if (__builtin_fabs(a[i][k]) > __builtin_fabs(a[pivot][k])) pivot = i;
    for (int j = k; j < 7; j++) {
      double keep = a[k][j];
      a[k][j] = a[pivot][j];
      a[pivot][j] = keep;
    }
    for (int i = k + 1; i < 6; i++) {
      double f = a[i][k] / a[k][k];
      for (int j = k; j < 7; j++) a[i][j] -= f * a[k][j];
    }
  }
  for (int i = 5; i >= 0; i--) {
    double v = a[i][6];
    for (int j = i + 1; j < 6; j++) v -= a[i][j] * out[t * 6 + j];
    out[t * 6 + i] = v / a[i][i];
  }
}

// Cholesky's factor of a matrix in shared memory, column by column.
KERNEL cholesky(double *matrix, int n) {
  extern __shared__ double factor[];
  uint t = threadIdx.x;
  for (int j = 0; j < n; j++) factor[j * n + t] = matrix[j * n + t];
  syncBlock();
  for (int k = 0; k < n; k++) {
    if (t == k) factor[k * n + k] = __nvvm_sqrt_rn_d(factor[k * n + k]);
    syncBlock();
    if (t > k) factor[t * n + k] /= factor[k * n + k];
    syncBlock();
    if (t > k)
      for (int j = k + 1; j <= (int)t; j++) factor[t * n + j] -= factor[t * n + k] * factor[j * n + k];
    syncBlock();
  }
  for (int j = 0; j < n; j++) matrix[t * n + j] = j <= (int)t ? factor[t * n + j] : 0;
}

// Tridiagonal systems after Thomas, one a thread, interleaved.
KERNEL thomas(const float *lower, const float *middle, const float *upper, float *right, float *work, int n) {
  uint t = globalIndex(), stride = blockDim.x * gridDim.x;
  float c = upper[t] / middle[t], d = right[t] / middle[t];
  work[t] = c;
  right[t] = d;
  for (int i = 1; i < n; i++) {
    uint at = i * stride + t;
    float m = 1.0f / (middle[at] - lower[at] * c);
    c = upper[at] * m;
    d = (right[at] - lower[at] * d) * m;
    work[at] = c;
    right[at] = d;
  }
  for (int i = n - 2; i >= 0; i--) {
    uint at = i * stride + t;
    d = right[at] - work[at] * d;
    right[at] = d;
  }
}

// Signed bytes times signed bytes, as quantised networks do.
KERNEL multiplyBytes(const signed char *a, const signed char *b, int *c, int n) {
  int i = blockIdx.x, j = threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[j * n + k];
  c[i * n + j] = sum;
}
