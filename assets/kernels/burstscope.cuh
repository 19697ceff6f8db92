// The part of CUDA C++ that our kernels use, declared for clang without a CUDA
// toolkit (-nocudainc -nocudalib). Everything maps to an intrinsic of clang's
// NVPTX back end. Functions are nodebug, so that the lines of an inlined helper
// count as the line of the kernel that called it.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define BURSTSCOPE_BUILTIN static __device__ __inline__ __attribute__((always_inline, nodebug))

typedef unsigned int uint;
typedef unsigned char uchar;

// A vector whose components are special registers, as threadIdx.x.
#define BURSTSCOPE_INDEX(type, sreg)                                                                          \
  struct type {                                                                                               \
    __declspec(property(get = readX)) uint x;                                                                 \
    __declspec(property(get = readY)) uint y;                                                                 \
    BURSTSCOPE_BUILTIN uint readX() { return __nvvm_read_ptx_sreg_##sreg##_x(); }                             \
    BURSTSCOPE_BUILTIN uint readY() { return __nvvm_read_ptx_sreg_##sreg##_y(); }                             \
  };
BURSTSCOPE_INDEX(ThreadIndex, tid)
BURSTSCOPE_INDEX(BlockIndex, ctaid)
BURSTSCOPE_INDEX(BlockSize, ntid)
BURSTSCOPE_INDEX(GridSize, nctaid)
extern const __device__ ThreadIndex threadIdx;
extern const __device__ BlockIndex blockIdx;
extern const __device__ BlockSize blockDim;
extern const __device__ GridSize gridDim;

struct alignas(8) float2 {
  float x, y;
};
struct alignas(8) uint2 {
  uint x, y;
};
struct alignas(16) uint4 {
  uint x, y, z, w;
};
struct alignas(16) float4 {
  float x, y, z, w;
};

// Keeps a loop a loop: unrolled, its PTX would be many times longer.
#define ROLLED _Pragma("clang loop unroll(disable)")

// Says which loads of its line may get predicted values (RFVP): those through the named
// pointers. kernels_test.go puts .pragma "approximate" in front of them in the PTX.
#define APPROXIMATE(...)

// The approximate functions are what nvcc -use_fast_math would emit.
BURSTSCOPE_BUILTIN float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
BURSTSCOPE_BUILTIN float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; }
BURSTSCOPE_BUILTIN float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
BURSTSCOPE_BUILTIN float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
BURSTSCOPE_BUILTIN float fabsf(float x) { return __builtin_fabsf(x); }
BURSTSCOPE_BUILTIN float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
BURSTSCOPE_BUILTIN float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
BURSTSCOPE_BUILTIN float rintf(float x) { return __builtin_rintf(x); }

BURSTSCOPE_BUILTIN int atomicAdd(int *at, int v) { return __nvvm_atom_add_gen_i(at, v); }
BURSTSCOPE_BUILTIN int atomicMin(int *at, int v) { return __nvvm_atom_min_gen_i(at, v); }
BURSTSCOPE_BUILTIN int atomicExch(int *at, int v) { return __nvvm_atom_xchg_gen_i(at, v); }
BURSTSCOPE_BUILTIN uint atomicAdd(uint *at, uint v) { return (uint)__nvvm_atom_add_gen_i((int *)at, (int)v); }
BURSTSCOPE_BUILTIN uint atomicCAS(uint *at, uint is, uint v) {
  return (uint)__nvvm_atom_cas_gen_i((int *)at, (int)is, (int)v);
}
BURSTSCOPE_BUILTIN void __threadfence() { __nvvm_membar_gl(); }
BURSTSCOPE_BUILTIN uint __ballot_sync(uint lanes, bool p) { return __nvvm_vote_ballot_sync(lanes, p); }
BURSTSCOPE_BUILTIN uint __popc(uint v) { return (uint)__builtin_popcount(v); }

// LOOK is a place in memory that other CTAs change: it is read and written past L1.
template <class T> BURSTSCOPE_BUILTIN volatile T &LOOK(T &at) { return at; }
