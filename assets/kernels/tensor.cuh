// What kernels on f16, bf16, fp8 and int8 data share: conversions, sums over a warp, and the
// matrix instructions. clang knows no type for most of the formats, so numbers travel in words
// of 32 bits, the lower one first.
#pragma once
#include "burstscope.cuh"

// The device that the PTX is made for, and the version of PTX that has what it needs:
// kernels_test.go reads them.
#define TARGET(device, version)

BURSTSCOPE_BUILTIN float ofF16(uint bits) {
  unsigned short low = bits;
  _Float16 value;
  __builtin_memcpy(&value, &low, 2);
  return value;
}
BURSTSCOPE_BUILTIN float2 ofF16x2(uint pair) { return {ofF16(pair), ofF16(pair >> 16)}; }
BURSTSCOPE_BUILTIN float2 ofBF16x2(uint pair) { return {__builtin_bit_cast(float, pair << 16), __builtin_bit_cast(float, pair & 0xffff0000)}; }

BURSTSCOPE_BUILTIN uint toF16x2(float low, float high) {
  uint pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}
BURSTSCOPE_BUILTIN uint toBF16x2(float low, float high) {
  uint pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}
// Two numbers e4m3 as a pair of f16, which holds them exactly.
BURSTSCOPE_BUILTIN uint ofE4M3x2(uint pair) {
  uint halves;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"((unsigned short)pair));
  return halves;
}

BURSTSCOPE_BUILTIN float exp2f(float x) { return __nvvm_ex2_approx_f(x); }
BURSTSCOPE_BUILTIN float ofLane(float v, int distance) {
  return __builtin_bit_cast(float, __nvvm_shfl_sync_bfly_i32(~0u, __builtin_bit_cast(int, v), distance, 31));
}
// Over the lanes that differ in bits below `lanes`; every lane gets the result.
BURSTSCOPE_BUILTIN float sumOf(float v, int lanes = 32) {
  for (int d = lanes / 2; d > 0; d /= 2)
    v += ofLane(v, d);
  return v;
}
BURSTSCOPE_BUILTIN float largestOf(float v, int lanes = 32) {
  for (int d = lanes / 2; d > 0; d /= 2)
    v = fmaxf(v, ofLane(v, d));
  return v;
}

// One matrix instruction: 16 rows of A by 8 rows of B, 32 bytes of each.
#define MATRIX_UNIT(name, Type, constraint, instruction)                                                         \
  struct name {                                                                                                  \
    typedef Type Sum;                                                                                            \
    BURSTSCOPE_BUILTIN void multiply(Type *d, const uint *a, uint b0, uint b1) {                                  \
      asm(instruction " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                          \
          : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]), "+" constraint(d[3])               \
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));                                       \
    }                                                                                                            \
  };
MATRIX_UNIT(UnitF16, float, "f", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
MATRIX_UNIT(UnitBF16, float, "f", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
MATRIX_UNIT(UnitS8, int, "r", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32")
MATRIX_UNIT(UnitE4M3, float, "f", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32")
