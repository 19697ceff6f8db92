// Kernels that make a compiler use as much of PTX as it can. compiled_test.go
// runs what it makes of them at -O0 and at -O3, which must agree, and checks
// some against the same code in Go. To compile anew, in this folder:
//
//	for o in 0 3; do clang++-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib \
//	  -O$o -ffp-contract=off -S -std=c++17 -Xclang -target-feature -Xclang +ptx64 compiled.cu -o compiled_O$o.ptx; done
#define GLOBAL extern "C" __attribute__((global))
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
#define CONSTANT __attribute__((constant))
#define NOINLINE __attribute__((noinline))
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef long long i64;
typedef unsigned long long u64;
#define TID __nvvm_read_ptx_sreg_tid_x()
#define SYNC __nvvm_bar_sync(0)

struct Record {
  int number[10];
  float f;
  double d;
  signed char letters[7];
};
struct alignas(16) Float4 {
  float x, y, z, w;
};
struct alignas(8) Float2 {
  float x, y;
};
struct alignas(4) Byte4 {
  uchar x, y, z, w;
};

CONSTANT float constants[64] = {1, 2, 3, 4};
DEVICE int numbers[100] = {5, 6, 7};
DEVICE const float *pointer = &constants[3];
DEVICE const char *text = "hello";

GLOBAL void byValue(int *out, Record r, int i) {
  out[TID] = r.number[i + TID % 3] + (int)r.f + (int)r.d + r.letters[i & 3];
}

DEVICE NOINLINE int fibonacci(int n) {
  if (n < 2) return n;
  int local[4];
  local[n & 3] = n;
  return fibonacci(n - 1) + fibonacci(n - 2) + (local[n & 3] - n);
}
GLOBAL void recursion(int *out) { out[TID] = fibonacci(TID % 10); }

DEVICE NOINLINE bool isOdd(uint n);
DEVICE NOINLINE bool isEven(uint n) { return n == 0 ? true : isOdd(n - 1); }
DEVICE NOINLINE bool isOdd(uint n) { return n == 0 ? false : isEven(n - 1); }
GLOBAL void mutual(int *out) { out[TID] = isEven(TID % 13) * 2 + isOdd(TID % 7); }

DEVICE NOINLINE Record makeRecord(int x) {
  Record r;
  for (int i = 0; i < 10; i++) r.number[i] = x * i;
  r.f = x;
  r.d = x * 2;
  for (int i = 0; i < 7; i++) r.letters[i] = x - i;
  return r;
}
GLOBAL void structures(int *out) {
  Record r = makeRecord(TID);
  out[TID] = r.number[TID % 10] + (int)r.d + (int)r.f + r.letters[TID % 7];
}

typedef int (*Function)(int);
DEVICE NOINLINE int addOne(int x) { return x + 1; }
DEVICE NOINLINE int twice(int x) { return x * 2; }
DEVICE NOINLINE int lessThree(int x) { return x - 3; }
DEVICE Function table[3] = {addOne, twice, lessThree};
GLOBAL void pointers(int *out) { out[TID] = table[TID % 3](TID); }

GLOBAL void choices(int *out, int *in) {
  int r;
  switch (in[TID] % 9) {
    case 0: r = 5; break;
    case 1: r = in[3]; break;
    case 2: r = in[7] * 3; break;
    case 3: r = __builtin_clz(in[9] | 1); break;
    case 4: r = 9; break;
    case 5: r = in[1] / (in[2] | 1); break;
    case 6: r = in[3] % (in[4] | 1);  // fall through
    case 7: r = in[3] + TID; break;
    default: r = 0;
  }
  out[TID] = r;
}

GLOBAL void loops(int *out, int *in) {
  int sum = 0;
  for (uint i = 0; i < TID; i++) {
    if (in[i] % 3 == 0) continue;
    if (in[i] % 31 == 7) break;
    for (int k = in[i] & 7; k > 0; k--) {
      sum += k * in[k];
      if (sum & 64) goto next;
    }
    sum ^= 5;
  next:
    if (sum < 0) return;
  }
  out[TID] = sum;
}

GLOBAL void doubles(double *a, double *b, float *f) {
  double x = a[TID];
  double y = __nvvm_sqrt_rn_d(x) / (x + 1.0);
  y = __nvvm_fma_rn_d(x, y, 2.0);
  b[TID] = y > 3.0 ? y : -y;
  f[TID] = (float)y;
  a[TID] = (double)(i64)y + (double)TID - (double)(u64)x;
}

GLOBAL void bytes(uchar *a, ushort *b, signed char *c, short *d) {
  int i = TID;
  a[i] = (a[i] + b[i]) >> 1;
  b[i] = b[i] * b[i] + c[i];
  c[i] = c[i] < d[i] ? c[i] : (signed char)(d[i] >> 2);
  d[i] = d[i] / 3 + a[i] % 5 - (c[i] << 3);
}

GLOBAL void longs(i64 *a, u64 *b) {
  int i = TID;
  i64 x = a[i];
  u64 y = b[i];
  a[i] = x / 7 + x % 11 + (x >> 3) + (x < (i64)y) + (i64)(x * y) - (x ^ (i64)y);
  b[i] = y / (x | 1) + y % 13 + __builtin_popcountll(y) + __builtin_clzll(y | 1) + (y >> (i & 63)) + (y << 7);
}

GLOBAL void sharing(float *out) {
  extern SHARED float dynamic[];
  SHARED int fixed[64];
  int t = TID;
  dynamic[t] = t;
  fixed[t] = t * 2;
  SYNC;
  out[t] = dynamic[63 - t] + fixed[t ^ 1];
  int count = __nvvm_bar0_popc(t & 1);
  int all = __nvvm_bar0_and(t < 40);
  int any = __nvvm_bar0_or(t == 5);
  out[t] += count + all * 1000 + any * 2000;
}

GLOBAL void atomics(int *a, float *f, uint *u, i64 *l) {
  int t = TID;
  __nvvm_atom_add_gen_i(a, t);
  __nvvm_atom_add_gen_f(f, 1.5f);
  int old = __nvvm_atom_cas_gen_i(a + 1, t, t + 1);
  __nvvm_atom_xchg_gen_i(a + 2, old);
  __nvvm_atom_min_gen_i(a + 3, t - 20);
  __nvvm_atom_max_gen_i(a + 4, t);
  __nvvm_atom_or_gen_i((int *)u, 1u << (t & 31));
  __nvvm_atom_inc_gen_ui(u + 1, 10);
  __nvvm_atom_dec_gen_ui(u + 2, 10);
  __nvvm_atom_add_gen_ll(l, t);
  __nvvm_atom_xor_gen_i((int *)u + 3, t);
  __nvvm_atom_and_gen_i((int *)u + 4, ~t);
  __nvvm_atom_max_gen_ull((unsigned long long *)l + 1, t);
}

GLOBAL void lanes(int *out, float *f) {
  int t = TID;
  int v = out[t];
  for (int d = 16; d; d >>= 1) v += __nvvm_shfl_sync_down_i32(~0u, v, d, 31);
  v += __nvvm_shfl_sync_up_i32(~0u, v, 1, 0);
  v += __nvvm_shfl_sync_idx_i32(~0u, v, 3, 31);
  v ^= __nvvm_shfl_sync_bfly_i32(~0u, v, 5, 31);
  uint b = __nvvm_vote_ballot_sync(~0u, v & 1);
  out[t] = v + b + __nvvm_vote_any_sync(~0u, v > 5) + __nvvm_vote_all_sync(~0u, v > 5);
  f[t] = __nvvm_shfl_sync_down_f32(~0u, f[t], 2, 31);
  __nvvm_bar_warp_sync(~0u);
  __nvvm_membar_gl();
  __nvvm_membar_cta();
}

GLOBAL void locals(int *out, int *in, int n) {
  int a[16];
  for (int i = 0; i < 16; i++) a[i] = in[i];
  for (int i = 0; i < n; i++) a[(i * 7 + TID) & 15] += a[i & 15];
  int s = 0;
  for (int i = 0; i < 16; i++) s += a[i] * i;
  out[TID] = s;
}

GLOBAL void functions(float *f) {
  float x = f[TID];
  f[TID] = __nvvm_ex2_approx_f(x * 0.1f) + __nvvm_lg2_approx_f(x) + __nvvm_sin_approx_f(x) * __nvvm_cos_approx_f(x) +
           __nvvm_rsqrt_approx_f(x) + __nvvm_sqrt_rn_f(x) + __nvvm_div_approx_f(x, 3.f) + x / 7.3f +
           __builtin_floorf(x) + __builtin_ceilf(x) + __builtin_truncf(x) + __builtin_rintf(x) +
           __nvvm_fmin_f(x, 2.f) + __nvvm_fmax_f(x, 1.f) + __builtin_fabsf(-x) + __builtin_copysignf(x, -1.f) +
           (float)(int)x + (float)(uint)x + (float)(i64)x + (float)(u64)x + __builtin_isnan(x);
}

GLOBAL void vectors(Float4 *a, Float4 *b, Float2 *c, Byte4 *d) {
  int t = TID;
  Float4 x = a[t];
  x.x += x.w;
  b[t] = x;
  Float2 y = c[t];
  c[t] = {y.y, y.x};
  Byte4 z = d[t];
  d[t] = {z.w, z.z, z.y, z.x};
}

GLOBAL void generic(int *out, int choice) {
  SHARED int s[64];
  int local[4] = {1, 2, 3, 4};
  int *p = choice == 0 ? out : choice == 1 ? s + TID : local + (TID & 3);
  int *q = (TID & 1) ? out + 64 + TID : (TID & 2) ? s + TID : local + (TID >> 2 & 3);
  s[TID] = 3;
  SYNC;
  if (choice != 0) *p = TID;
  *q += 7;
  SYNC;
  out[TID] = *p + *q + s[TID] + local[1] + out[64 + TID];
}

GLOBAL void places(float *out) {
  const float *p = TID & 1 ? constants : out + 100;
  float v = constants[TID & 7] + constants[3] + numbers[TID & 7] + *pointer + text[TID & 3] + p[2];
  out[TID] = v;
}
