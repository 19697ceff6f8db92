// Matrix units: tiles by cp.async, ldmatrix and mma as in kernels of CUTLASS and
// Triton, wmma as nvcuda::wmma has it.
#include "suite.cuh"

typedef _Float16 half;
typedef _Float16 half2 __attribute__((ext_vector_type(2)));
typedef __attribute__((address_space(3))) char *SharedPointer;

INLINE uint sharedAddress(const void *p) { return (uint)(u64)(SharedPointer)p; }

INLINE void copyAsync(uint to, const void *from, int bytes) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
}
INLINE void commit() { asm volatile("cp.async.commit_group;"); }
template <int left> INLINE void await() { asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory"); }

INLINE void loadMatrices(uint r[4], uint row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
}
INLINE void loadTransposed(uint r[4], uint row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
}
INLINE void mma(float c[4], const uint a[4], const uint b[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// How many bytes of 8 halves from column at on a row has, none if the row is outside.
INLINE int present(bool inside, int at, int columns) {
  int n = 2 * (columns - at);
  return !inside || n < 0 ? 0 : n > 16 ? 16 : n;
}

// Four warps make a tile of 64 x 64 of C = A * B. Two tiles of 32 columns of A and
// rows of B take turns: one is copied while the other is multiplied. Pieces of 16
// bytes are permuted so that the 8 rows of a matrix lie in different banks.
KERNEL tensorMultiply(const half *a, const half *b, float *c, int m, int n, int k, int lda, int ldb) {
  __shared__ __attribute__((aligned(128))) half ta[2][64][32], tb[2][32][64];
  int thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;
  int top = blockIdx.y * 64, left = blockIdx.x * 64;
  float sum[2][4][4] = {};
  uint atA = sharedAddress(ta), atB = sharedAddress(tb);
  auto copy = [&](int stage, int from) {
    for (int i = thread; i < 256; i += 128) {
      int row = i >> 2, piece = i & 3, column = from + 8 * piece;
      int bytes = present(top + row < m, column, k);
      copyAsync(atA + stage * 4096 + row * 64 + (piece ^ (row >> 1 & 3)) * 16, bytes ? a + (top + row) * lda + column : a, bytes);
      row = i >> 3, piece = i & 7, column = left + 8 * piece;
      bytes = present(from + row < k, column, n);
      copyAsync(atB + stage * 4096 + row * 128 + (piece ^ (row & 7)) * 16, bytes ? b + (from + row) * ldb + column : b, bytes);
    }
    commit();
  };
  copy(0, 0);
  int rowA = (warp >> 1) * 32 + (lane & 15), rowB = lane & 15;
  for (int from = 0, stage = 0; from < k; from += 32, stage ^= 1) {
    if (from + 32 < k) {
      copy(stage ^ 1, from + 32);
      await<1>();
    } else {
      await<0>();
    }
    syncBlock();
#pragma unroll
    for (int step = 0; step < 2; step++) {
      uint fa[2][4], fb[2][4];
#pragma unroll
      for (int i = 0; i < 2; i++) {
        int row = rowA + 16 * i, piece = 2 * step + (lane >> 4);
        loadMatrices(fa[i], atA + stage * 4096 + row * 64 + (piece ^ (row >> 1 & 3)) * 16);
        row = 16 * step + rowB, piece = (warp & 1) * 4 + 2 * i + (lane >> 4);
        loadTransposed(fb[i], atB + stage * 4096 + row * 128 + (piece ^ (row & 7)) * 16);
      }
#pragma unroll
      for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) mma(sum[i][j], fa[i], fb[j >> 1] + 2 * (j & 1));
    }
    syncBlock();
  }
#pragma unroll
  for (int i = 0; i < 2; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        int row = top + (warp >> 1) * 32 + 16 * i + (lane >> 2) + (e >> 1) * 8;
        int column = left + (warp & 1) * 32 + 8 * j + (lane & 3) * 2 + (e & 1);
        if (row < m && column < n) c[row * n + column] = sum[i][j][e];
      }
}

// Attention of 16 queries for each warp, heads of 32 numbers: the sums of one product
// are the operand of the next without a detour through memory.
KERNEL tensorAttention(const half *q, const half *k, const half *v, half *out, int keys, float scale) {
  __shared__ __attribute__((aligned(128))) half tile[16][40];
  int lane = threadIdx.x, group = lane >> 2, t = lane & 3;
  const half *query = q + blockIdx.x * 16 * 32;
  uint fq[2][4];
  for (int d = 0; d < 2; d++)
    for (int i = 0; i < 4; i++)
      fq[d][i] = *(const uint *)(query + (group + (i & 1) * 8) * 32 + d * 16 + (i >> 1) * 8 + 2 * t);
  float sum[4][4] = {}, most[2] = {-1e30f, -1e30f}, total[2] = {};
  for (int from = 0; from < keys; from += 16) {
    float s[2][4] = {};
    for (int j = 0; j < 2; j++)
      for (int d = 0; d < 2; d++) {
        const half *row = k + (from + 8 * j + group) * 32 + d * 16 + 2 * t;
        uint fk[2] = {*(const uint *)row, *(const uint *)(row + 8)};
        mma(s[j], fq[d], fk);
      }
    syncWarp();
    for (int i = lane; i < 64; i += 32) *(float4v *)&tile[i >> 2][(i & 3) * 8] = *(const float4v *)(v + (from + (i >> 2)) * 32 + (i & 3) * 8);
    syncWarp();
    uint fp[4];
    for (int h = 0; h < 2; h++) { // rows group and group + 8
      float top = most[h];
      for (int j = 0; j < 2; j++) top = fmaxf(top, fmaxf(s[j][2 * h], s[j][2 * h + 1]) * scale);
      top = fmaxf(top, shuffleXor(top, 1));
      top = fmaxf(top, shuffleXor(top, 2));
      float shrink = __nvvm_ex2_approx_f(most[h] - top);
      most[h] = top;
      total[h] *= shrink;
      for (int j = 0; j < 4; j++) sum[j][2 * h] *= shrink, sum[j][2 * h + 1] *= shrink;
      for (int j = 0; j < 2; j++) {
        float x = __nvvm_ex2_approx_f(s[j][2 * h] * scale - top), y = __nvvm_ex2_approx_f(s[j][2 * h + 1] * scale - top);
        total[h] += x + y;
        half2 pair = {(half)x, (half)y};
        fp[2 * j + h] = __builtin_bit_cast(uint, pair);
      }
    }
    for (int j = 0; j < 2; j++) {
      uint fv[4];
      loadTransposed(fv, sharedAddress(&tile[lane & 15][16 * j + (lane >> 4) * 8]));
      mma(sum[2 * j], fp, fv);
      mma(sum[2 * j + 1], fp, fv + 2);
    }
  }
  for (int h = 0; h < 2; h++) {
    total[h] += shuffleXor(total[h], 1);
    total[h] += shuffleXor(total[h], 2);
    for (int j = 0; j < 4; j++) {
      half2 pair = {(half)(sum[j][2 * h] / total[h]), (half)(sum[j][2 * h + 1] / total[h])};
      *(half2 *)(out + (blockIdx.x * 16 + group + 8 * h) * 32 + 8 * j + 2 * t) = pair;
    }
  }
}

// Numbers of a quantised network: A by rows, B by columns, k a multiple of 32; a warp
// makes 16 x 8.
KERNEL tensorBytes(const signed char *a, const uchar *b, int *c, int n, int k) {
  int lane = threadIdx.x, group = lane >> 2, t = lane & 3, top = blockIdx.y * 16, left = blockIdx.x * 8;
  int s[4] = {};
  for (int from = 0; from < k; from += 32) {
    const int *row = (const int *)(a + (top + group) * k + from + 4 * t), *column = (const int *)(b + (left + group) * k + from + 4 * t);
    asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
                 : "r"(row[0]), "r"(row[2 * k]), "r"(row[4]), "r"(row[2 * k + 4]), "r"(column[0]), "r"(column[4]));
  }
  for (int e = 0; e < 4; e++) c[(top + group + (e >> 1) * 8) * n + left + 2 * t + (e & 1)] = s[e];
}

// Floats through tf32, as frameworks multiply them: 16 x 8, k a multiple of 8.
KERNEL tensorFloats(const float *a, const float *b, float *c, int n, int k) {
  int lane = threadIdx.x, group = lane >> 2, t = lane & 3, top = blockIdx.y * 16, left = blockIdx.x * 8;
  float s[4] = {};
  auto convert = [](float x) {
    uint y;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
    return y;
  };
  for (int from = 0; from < k; from += 8) {
    const float *row = a + (top + group) * k + from + t;
    uint fa[4] = {convert(row[0]), convert(row[8 * k]), convert(row[4]), convert(row[8 * k + 4])};
    uint fb[2] = {convert(b[(from + t) * n + left + group]), convert(b[(from + t + 4) * n + left + group])};
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                 : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  }
  for (int e = 0; e < 4; e++) c[(top + group + (e >> 1) * 8) * n + left + 2 * t + (e & 1)] = s[e];
}

// nvcuda::wmma on halves: C = alpha * A * B + beta * C, B by columns.
KERNEL tensorWmma(const half *a, const half *b, float *c, int n, int k, float alpha, float beta) {
  int top = blockIdx.y * 16, left = blockIdx.x * 16;
  float sum[8] = {}, old[8];
  int fa[8], fb[8];
  for (int from = 0; from < k; from += 16) {
    __hmma_m16n16k16_ld_a(fa, (const int *)(a + top * k + from), k, 0);
    __hmma_m16n16k16_ld_b(fb, (const int *)(b + left * k + from), k, 1);
    __hmma_m16n16k16_mma_f32f32(sum, fa, fb, sum, 1, 0);
  }
  __hmma_m16n16k16_ld_c_f32(old, c + top * n + left, n, 0);
  for (int i = 0; i < 8; i++) sum[i] = alpha * sum[i] + beta * old[i];
  __hmma_m16n16k16_st_c_f32(c + top * n + left, sum, n, 0);
}

// nvcuda::wmma on bytes through shared memory, of 32 x 8.
KERNEL tensorWmmaBytes(const signed char *a, const signed char *b, int *c) {
  __shared__ __attribute__((aligned(32))) signed char ta[32 * 16], tb[16 * 16];
  __shared__ __attribute__((aligned(32))) int tc[32 * 8];
  for (int i = threadIdx.x; i < 512; i += 32) ta[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) tb[i / 8 * 16 + i % 8] = b[i];
  syncWarp();
  int fa[4], fb[1], sum[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  __imma_m32n8k16_ld_a_s8(fa, (const int *)ta, 16, 0);
  __imma_m32n8k16_ld_b_s8(fb, (const int *)tb, 16, 0);
  __imma_m32n8k16_mma_s8(sum, fa, fb, sum, 0, 0);
  __imma_m32n8k16_st_c_i32(tc, sum, 32, 1);
  syncWarp();
  for (int i = threadIdx.x; i < 256; i += 32) c[i] = tc[i];
}

// Doubles: a chain of fma.
KERNEL tensorDoubles(const double *a, const double *b, double *c, int n, int k) {
  int top = blockIdx.y * 8, left = blockIdx.x * 8;
  double sum[2] = {}, fa, fb;
  for (int from = 0; from < k; from += 4) {
    __dmma_m8n8k4_ld_a(&fa, a + top * k + from, k, 0);
    __dmma_m8n8k4_ld_b(&fb, b + from * n + left, n, 0);
    __dmma_m8n8k4_mma_f64(sum, &fa, &fb, sum, 0, 0);
  }
  __dmma_m8n8k4_st_c_f64(c + top * n + left, sum, n, 0);
}
