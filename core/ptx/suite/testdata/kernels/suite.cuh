// What the kernels of this suite use beyond burstscope.cuh.
#pragma once
#include "burstscope.cuh"

#define KERNEL extern "C" __global__ void
#define NOINLINE __device__ __attribute__((noinline))
#define INLINE BURSTSCOPE_BUILTIN

typedef unsigned short ushort;
typedef long long i64;
typedef unsigned long long u64;
typedef float float4v __attribute__((ext_vector_type(4)));
typedef int int2v __attribute__((ext_vector_type(2)));

constexpr uint fullMask = 0xffffffffu;

INLINE void syncBlock() { __nvvm_bar_sync(0); }
INLINE void syncWarp() { __nvvm_bar_warp_sync(fullMask); }
INLINE void fenceGrid() { __nvvm_membar_gl(); }
INLINE uint globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

INLINE float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
INLINE int atomicMax(int *p, int v) { return __nvvm_atom_max_gen_i(p, v); }
INLINE u64 atomicCAS(u64 *p, u64 compare, u64 v) {
  return (u64)__nvvm_atom_cas_gen_ll((i64 *)p, (i64)compare, (i64)v);
}
INLINE uint atomicExch(uint *p, uint v) { return (uint)__nvvm_atom_xchg_gen_i((int *)p, (int)v); }
INLINE uint atomicOr(uint *p, uint v) { return (uint)__nvvm_atom_or_gen_i((int *)p, (int)v); }

INLINE int shuffleDown(int v, uint d) { return __nvvm_shfl_sync_down_i32(fullMask, v, d, 31); }
INLINE float shuffleDown(float v, uint d) { return __nvvm_shfl_sync_down_f32(fullMask, v, d, 31); }
INLINE int shuffleUp(int v, uint d) { return __nvvm_shfl_sync_up_i32(fullMask, v, d, 0); }
INLINE int shuffleXor(int v, uint d) { return __nvvm_shfl_sync_bfly_i32(fullMask, v, d, 31); }
INLINE float shuffleXor(float v, uint d) { return __nvvm_shfl_sync_bfly_f32(fullMask, v, d, 31); }
INLINE int shuffle(int v, uint lane) { return __nvvm_shfl_sync_idx_i32(fullMask, v, lane, 31); }
INLINE uint ballot(bool p) { return __nvvm_vote_ballot_sync(fullMask, p); }

INLINE int least(int a, int b) { return a < b ? a : b; }
INLINE int most(int a, int b) { return a > b ? a : b; }
INLINE uint lowerLanes() { return __nvvm_read_ptx_sreg_lanemask_lt(); }
