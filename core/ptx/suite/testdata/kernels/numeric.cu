// Numeric kernels with functions in them.
#include "suite.cuh"

INLINE float inverseRoot(float x) { return __nvvm_rsqrt_approx_f(x); }

struct alignas(16) Body {
  float x, y, z, mass;
};
KERNEL bodies(const Body *in, Body *force, int n) {
  __shared__ Body tile[32];
  uint i = globalIndex();
  Body me = in[i];
  float fx = 0, fy = 0, fz = 0;
  for (int base = 0; base < n; base += 32) {
    tile[threadIdx.x] = in[base + threadIdx.x];
    syncBlock();
    for (int k = 0; k < 32; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float d = dx * dx + dy * dy + dz * dz + 0.01f;
      float r = 1.0f / sqrtf(d), s = tile[k].mass * r * r * r;
      fx += dx * s;
      fy += dy * s;
      fz += dz * s;
    }
    syncBlock();
  }
  force[i] = {fx, fy, fz, inverseRoot(me.mass)};
}

KERNEL mandelbrot(ushort *out, int width, float scale, int limit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  float cx = (float)px * scale - 2.0f, cy = (float)py * scale - 1.0f, x = 0, y = 0;
  int i = 0;
  while (i < limit) {
    float xx = x * x, yy = y * y;
    if (xx + yy > 4.0f) break;
    y = 2.0f * x * y + cy;
    x = xx - yy + cx;
    i++;
  }
  out[py * width + px] = i;
}

INLINE float exponential(float x) { return __expf(x); }

INLINE float normalTail(float d) {
  float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  float p = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float n = 0.39894228f * exponential(-0.5f * d * d) * p;
  return d > 0 ? 1.0f - n : n;
}
KERNEL options(const float *price, const float *strike, const float *years, float *call, float *put) {
  uint i = globalIndex();
  float s = price[i], k = strike[i], t = years[i], root = sqrtf(t);
  float d1 = (__logf(s / k) + (0.02f + 0.5f * 0.3f * 0.3f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
  float n1 = normalTail(d1), n2 = normalTail(d2), discount = k * exponential(-0.02f * t);
  call[i] = s * n1 - discount * n2;
  put[i] = discount * (1.0f - n2) - s * (1.0f - n1);
}

// Radix 2 in shared memory, twiddles from a table; 64 points a block.
KERNEL fourier(const float2 *in, float2 *out, const float2 *twiddle) {
  __shared__ float2 s[64];
  uint t = threadIdx.x, base = blockIdx.x * 64;
  s[__builtin_bitreverse32(t) >> 26] = in[base + t];
  s[__builtin_bitreverse32(t + 32) >> 26] = in[base + t + 32];
  syncBlock();
  for (uint half = 1; half < 64; half *= 2) {
    uint k = t & (half - 1), i = (t - k) * 2 + k;
    float2 w = twiddle[k * (32 / half)], a = s[i], b = s[i + half];
    float re = w.x * b.x - w.y * b.y, im = w.x * b.y + w.y * b.x;
    s[i] = {a.x + re, a.y + im};
    s[i + half] = {a.x - re, a.y - im};
    syncBlock();
  }
  out[base + t] = s[t];
  out[base + t + 32] = s[t + 32];
}

// The same sums with sine and cosine of the machine.
KERNEL fourierDirect(const float *in, float2 *out, int n) {
  uint k = threadIdx.x;
  float re = 0, im = 0;
  for (uint i = 0; i < n; i++) {
    float angle = -6.2831853f * (float)(i * k % n) / (float)n;
    re += in[i] * __nvvm_cos_approx_f(angle);
    im += in[i] * __nvvm_sin_approx_f(angle);
  }
  out[k] = {re, im};
}

KERNEL softmax(const float *in, float *out, int n) {
  __shared__ float part[4];
  uint t = threadIdx.x, lane = t & 31, warp = t >> 5;
  const float *row = in + blockIdx.x * n;
  float top = -1e30f, sum = 0;
  for (uint i = t; i < n; i += blockDim.x) top = fmaxf(top, row[i]);
  for (uint d = 16; d; d >>= 1) top = fmaxf(top, shuffleXor(top, d));
  if (lane == 0) part[warp] = top;
  syncBlock();
  top = fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3]));
  syncBlock();
  for (uint i = t; i < n; i += blockDim.x) sum += exponential(row[i] - top);
  for (uint d = 16; d; d >>= 1) sum += shuffleXor(sum, d);
  if (lane == 0) part[warp] = sum;
  syncBlock();
  sum = part[0] + part[1] + part[2] + part[3];
  for (uint i = t; i < n; i += blockDim.x) out[blockIdx.x * n + i] = exponential(row[i] - top) / sum;
}

KERNEL layerNorm(const float *in, const float *gain, const float *bias, float *out, int n) {
  const float *row = in + blockIdx.x * n;
  float sum = 0, square = 0;
  for (uint i = threadIdx.x; i < n; i += 32) sum += row[i], square += row[i] * row[i];
  for (uint d = 16; d; d >>= 1) sum += shuffleXor(sum, d), square += shuffleXor(square, d);
  float mean = sum / (float)n, scale = inverseRoot(square / (float)n - mean * mean + 1e-5f);
  for (uint i = threadIdx.x; i < n; i += 32) out[blockIdx.x * n + i] = (row[i] - mean) * scale * gain[i] + bias[i];
}

KERNEL gelu(const float *in, float *out, int n) {
  uint i = globalIndex();
  if (i >= n) return;
  float x = in[i], u = 0.7978846f * (x + 0.044715f * x * x * x);
  float e = exponential(2.0f * u), h = 1.0f - 2.0f / (e + 1.0f);
  out[i] = 0.5f * x * (1.0f + h);
}

KERNEL nearestCentre(const float *point, const float *centre, int *which, int centres) {
  uint i = globalIndex();
  float best = 1e30f;
  int at = -1;
  for (int c = 0; c < centres; c++) {
    float d = 0;
    for (int k = 0; k < 4; k++) {
      float e = point[i * 4 + k] - centre[c * 4 + k];
      d += e * e;
    }
    if (d < best) best = d, at = c;
  }
  which[i] = at;
}

KERNEL polynomial(const double *x, const double *coefficient, double *out, int degree) {
  uint i = globalIndex();
  double r = 0;
  for (int k = degree; k >= 0; k--) r = __nvvm_fma_rn_d(r, x[i], coefficient[k]);
  out[i] = r;
}

// Newton's method for cube roots.
KERNEL cubeRoot(const double *in, double *out) {
  uint i = globalIndex();
  double a = in[i], x = a < 1 ? 1 : a;
  for (int k = 0; k < 60; k++) {
    double next = (2 * x + a / (x * x)) / 3;
    if (__builtin_fabs(next - x) <= 1e-15 * next) break;
    x = next;
  }
  out[i] = x;
}

KERNEL rays(const float *spheres, int count, int *hit, float *depth, int width) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y;
  float dx = (float)(2 * px - width) / (float)width, dy = (float)(2 * py - width) / (float)width;
  float scale = 1.0f / sqrtf(dx * dx + dy * dy + 1.0f), best = 1e9f;
  int at = -1;
  dx *= scale;
  dy *= scale;
  for (int i = 0; i < count; i++) {
    const float *s = spheres + 4 * i;
    float b = dx * s[0] + dy * s[1] + scale * s[2];
    float c = s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - s[3] * s[3], d = b * b - c;
    if (d < 0) continue;
    float t = b - sqrtf(d);
    if (t > 0 && t < best) best = t, at = i;
  }
  hit[py * width + px] = at;
  depth[py * width + px] = best;
}

// Runge and Kutta for a pendulum without small angles, sine by its series.
KERNEL pendulum(const double *angle, double *out, int steps) {
  double a = angle[globalIndex()], v = 0, h = 0.01;
  for (int s = 0; s < steps; s++) {
    double ka[4], kv[4];
    for (int k = 0; k < 4; k++) {
      double w = k == 0 ? 0 : k == 3 ? h : h / 2;
      double p = k ? a + w * ka[k - 1] : a, q = k ? v + w * kv[k - 1] : v, term = p, sine = p;
      for (int i = 1; i < 12; i++) {
        term *= -p * p / (double)(2 * i * (2 * i + 1));
        sine += term;
      }
      ka[k] = q;
      kv[k] = -sine;
    }
    a += h / 6 * (ka[0] + 2 * ka[1] + 2 * ka[2] + ka[3]);
    v += h / 6 * (kv[0] + 2 * kv[1] + 2 * kv[2] + kv[3]);
  }
  out[globalIndex()] = a;
}

// What quantisers do: round to nearest even, clamp, pack.
KERNEL quantise(const float *in, float scale, signed char *out, float *back) {
  uint i = globalIndex();
  int q = (int)rintf(in[i] / scale);
  q = most(-128, least(127, q));
  out[i] = q;
  back[i] = (float)q * scale;
}
