// What kernels for sm_90a share: barriers in shared memory, copies with tensor maps, clusters and the products of
// warp groups. Names are those of PTX.
#pragma once
#include "tensor.cuh"

// Unrolls a loop: its array stays in registers.
#define UNROLLED _Pragma("unroll")

// A function of a struct.
#define BURSTSCOPE_MEMBER __device__ __inline__ __attribute__((always_inline, nodebug))

// A tensor map as a parameter. Nothing but its address is used, which clang 19 has no words for: the name of parameter n
// of a kernel is KERNEL_param_n in PTX.
struct alignas(64) TensorMap {
  uint words[32];
};
#define MAP_ADDRESS(kernel, n)                                                                                        \
  ({                                                                                                                  \
    const TensorMap *address;                                                                                         \
    asm("{\n\t.reg .b64 at;\n\tmov.b64 at, " kernel "_param_" #n ";\n\tcvta.param.u64 %0, at;\n\t}" : "=l"(address)); \
    address;                                                                                                          \
  })

BURSTSCOPE_BUILTIN uint sharedAddress(const void *p) {
  return (uint)(unsigned long long)(__attribute__((address_space(3))) const void *)p;
}
BURSTSCOPE_BUILTIN uint clusterRank() {
  uint rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
BURSTSCOPE_BUILTIN void clusterSync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

BURSTSCOPE_BUILTIN void barrierInit(uint barrier, uint arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
BURSTSCOPE_BUILTIN void barriersReady() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
BURSTSCOPE_BUILTIN void barrierExpect(uint barrier, uint bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
BURSTSCOPE_BUILTIN void barrierWait(uint barrier, uint parity) {
  asm volatile("{\n\t.reg .pred done;\nAGAIN:\n\tmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
               "@!done bra AGAIN;\n\t}" ::"r"(barrier), "r"(parity) : "memory");
}
// Arrives at the barrier at the same place of a CTA of the cluster.
BURSTSCOPE_BUILTIN void barrierArrive(uint barrier, uint rank) {
  asm volatile("{\n\t.reg .b32 there;\n\tmapa.shared::cluster.u32 there, %0, %1;\n\t"
               "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n\t}" ::"r"(barrier), "r"(rank) : "memory");
}

// Copies a box to shared memory; with a mask to the same place of each CTA that it names.
BURSTSCOPE_BUILTIN void copyBox(uint to, const TensorMap *map, int x, int y, uint barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
               "l"(map), "r"(x), "r"(y), "r"(barrier)
               : "memory");
}
BURSTSCOPE_BUILTIN void copyBox(uint to, const TensorMap *map, int x, int y, uint barrier, unsigned short mask) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
               "l"(map), "r"(x), "r"(y), "r"(barrier), "h"(mask)
               : "memory");
}
// Stores a box from shared memory, and waits.
BURSTSCOPE_BUILTIN void storeBox(const TensorMap *map, int x, int y, uint from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];\n\t"
               "cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::"l"(map),
               "r"(x), "r"(y), "r"(from)
               : "memory");
}
// Copies bytes to shared memory without a map, or from there, and waits.
BURSTSCOPE_BUILTIN void copyBytes(uint to, const void *from, uint bytes, uint barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(from), "r"(bytes),
               "r"(barrier)
               : "memory");
}
BURSTSCOPE_BUILTIN void storeBytes(void *to, uint from, uint bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\tcp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::"l"(to),
               "r"(from), "r"(bytes)
               : "memory");
}
// Stores two numbers at a place of another CTA of the cluster, and reports them to its barrier.
BURSTSCOPE_BUILTIN void tell(uint place, uint barrier, uint rank, float2 v) {
  asm volatile("{\n\t.reg .b32 place, barrier;\n\tmapa.shared::cluster.u32 place, %0, %2;\n\tmapa.shared::cluster.u32 barrier, %1, %2;\n\t"
               "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [place], {%3, %4}, [barrier];\n\t}" ::"r"(place),
               "r"(barrier), "r"(rank), "f"(v.x), "f"(v.y)
               : "memory");
}
BURSTSCOPE_BUILTIN void fenceAsync() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
// A barrier of some threads of the CTA.
BURSTSCOPE_BUILTIN void syncSome(uint number, uint threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
BURSTSCOPE_BUILTIN void syncWarp() { asm volatile("bar.warp.sync -1;" ::: "memory"); }
// Arrives at such a barrier without waiting.
BURSTSCOPE_BUILTIN void arriveSome(uint number, uint threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// The descriptor of a tile whose rows of 64 bytes lie along K, with that swizzle: eight rows are 512 bytes.
BURSTSCOPE_BUILTIN unsigned long long tile64(uint address) {
  return (unsigned long long)(address >> 4 & 0x3fff) | 1ull << 16 | (512ull >> 4) << 32 | 2ull << 62;
}
// The same for rows of 128 bytes. Where those lie along N, the next columns are `leading` bytes further.
BURSTSCOPE_BUILTIN unsigned long long tile128(uint address, uint leading = 16) {
  return (unsigned long long)(address >> 4 & 0x3fff) | (unsigned long long)(leading >> 4) << 16 | (1024ull >> 4) << 32 | 1ull << 62;
}
BURSTSCOPE_BUILTIN void groupFence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
BURSTSCOPE_BUILTIN void groupCommit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int OPEN> BURSTSCOPE_BUILTIN void groupWait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(OPEN) : "memory");
}
// Keeps the compiler from moving uses of a sum across the wait for it.
template <int N, class T> BURSTSCOPE_BUILTIN void settle(T (&d)[N]) {
  UNROLLED for (int i = 0; i < N; i++)
    asm volatile("" : "+r"(d[i])::"memory");
}
template <int N> BURSTSCOPE_BUILTIN void settle(float (&d)[N]) {
  UNROLLED for (int i = 0; i < N; i++)
    asm volatile("" : "+f"(d[i])::"memory");
}
#define GROUP_SUM(t, d, i) t(d[i]), t(d[i + 1]), t(d[i + 2]), t(d[i + 3]), t(d[i + 4]), t(d[i + 5]), t(d[i + 6]), t(d[i + 7])
#define GROUP_SUM32(t, d) GROUP_SUM(t, d, 0), GROUP_SUM(t, d, 8), GROUP_SUM(t, d, 16), GROUP_SUM(t, d, 24)
#define GROUP_REGISTERS32                                                                                              \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                             \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define GROUP_REGISTERS64                                                                                              \
  GROUP_REGISTERS32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "               \
                    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
// 64 rows of A by 64 columns of B, 32 bytes along K.
#define GROUP_UNIT(name, Type, constraint, instruction, scales)                                                        \
  struct name {                                                                                                        \
    typedef Type Sum;                                                                                                  \
    BURSTSCOPE_BUILTIN void multiply(Type *d, unsigned long long a, unsigned long long b) {                            \
      asm volatile("wgmma.mma_async.sync.aligned." instruction " {" GROUP_REGISTERS32 "}, %32, %33, 1" scales ";"      \
                   : GROUP_SUM32(constraint, d)                                                                        \
                   : "l"(a), "l"(b));                                                                                  \
    }                                                                                                                  \
  };
GROUP_UNIT(GroupF16, float, "+f", "m64n64k16.f32.f16.f16", ", 1, 1, 0, 0")
GROUP_UNIT(GroupBF16, float, "+f", "m64n64k16.f32.bf16.bf16", ", 1, 1, 0, 0")
GROUP_UNIT(GroupE4M3, float, "+f", "m64n64k32.f32.e4m3.e4m3", ", 1, 1")
GROUP_UNIT(GroupS8, int, "+r", "m64n64k32.s32.s8.s8", "")
// Stores four matrices of 8 x 8 halves; lane i has the address of row i%8 of matrix i/8.
BURSTSCOPE_BUILTIN void storeMatrices(uint address, uint a, uint b, uint c, uint d) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared::cta.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
}
// The same with rows and columns exchanged.
BURSTSCOPE_BUILTIN void storeMatricesAcross(uint address, uint a, uint b, uint c, uint d) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
}
template <int N> BURSTSCOPE_BUILTIN void registersLess() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N)); }
template <int N> BURSTSCOPE_BUILTIN void registersMore() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N)); }
