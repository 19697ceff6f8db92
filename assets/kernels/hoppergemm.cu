// The product of activations and weights as libraries compute it on sm_90a: two CTAs of a cluster have the same weights,
// and each copies one half of them to both.
#include "hoppergemm.cuh"
TARGET(sm_90a, ptx83)

// What the result is made of: two sums of a row of the tile.
struct InF16 {
  BURSTSCOPE_MEMBER uint operator()(float low, float high, uint, uint) const { return toF16x2(low, high); }
};
struct InBF16 {
  float scale = 1;
  BURSTSCOPE_MEMBER uint operator()(float low, float high, uint, uint) const { return toBF16x2(low * scale, high * scale); }
};
struct Scaled { // by the scales of a row and a column
  const float *x, *w;
  BURSTSCOPE_MEMBER uint operator()(int low, int high, uint row, uint column) const {
    return toF16x2((float)low * (x[row] * w[column]), (float)high * (x[row] * w[column + 1]));
  }
};
#define MAPS(name) MAP_ADDRESS(name, 0), MAP_ADDRESS(name, 1), MAP_ADDRESS(name, 2)
#define KERNEL extern "C" __global__ void __attribute__((launch_bounds(256, 1)))

// Launched in clusters of (2,1,1).
KERNEL hopper_gemm(TensorMap, TensorMap, TensorMap, uint steps) {
  tileOfPair<GroupF16, 2>(MAPS("hopper_gemm"), steps, InF16{});
}

KERNEL hopper_gemm_bf16(TensorMap, TensorMap, TensorMap, uint steps) {
  tileOfPair<GroupBF16, 2>(MAPS("hopper_gemm_bf16"), steps, InBF16{});
}

// In e4m3, with one scale for the result in bf16.
KERNEL hopper_gemm_fp8(TensorMap, TensorMap, TensorMap, uint steps, float scale) {
  tileOfPair<GroupE4M3, 1>(MAPS("hopper_gemm_fp8"), steps,
                           InBF16{scale});
}

// In bytes, with a scale for each row of both.
KERNEL hopper_gemm_int8(TensorMap, TensorMap, TensorMap, uint steps, const float *scaleX, const float *scaleW) {
  Scaled scaled = {scaleX + blockIdx.x * TILE, scaleW + blockIdx.y * TILE};
  tileOfPair<GroupS8, 1>(MAPS("hopper_gemm_int8"), steps, scaled);
}

// The sparse product: A is the weights, of which two of four are stored, and B the activations. `places` has two bits for
// each weight, a word for 32 columns.
struct Sparse {
  BURSTSCOPE_BUILTIN void multiply(float *d, unsigned long long a, unsigned long long b, uint places) {
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 {" GROUP_REGISTERS32 "}, %32, %33, %34, 0, 1, 1, 1, 0, 0;"
                 : GROUP_SUM32("+f", d)
                 : "l"(a), "l"(b), "r"(places));
  }
};

KERNEL hopper_gemm_sparse(TensorMap, TensorMap, TensorMap, uint steps, const uint *places) {
  static __shared__ Ring<2> ring;
  const TensorMap *w = MAP_ADDRESS("hopper_gemm_sparse", 0), *x = MAP_ADDRESS("hopper_gemm_sparse", 1);
  const TensorMap *out = MAP_ADDRESS("hopper_gemm_sparse", 2);
  int row = blockIdx.x * TILE, column = blockIdx.y * TILE;
  uint lane = threadIdx.x % 32, line = threadIdx.x / 32 * 16;
  prepare<2>(ring);
  if (threadIdx.x >= 128) {
    registersLess<24>();
    if (threadIdx.x == 128)
      ROLLED for (uint k = 0; k < steps; k++)
        fill<2, 2>(ring, k, w, x, k * ROW_BYTES, row, column);
  } else {
    registersMore<240>();
    float sum[32] = {};
    const uint *upper = places + (row + line + lane / 4) * 2 * steps, *lower = upper + 8 * 2 * steps;
    ROLLED for (uint k = 0; k < steps; k++) {
      uint s = k % STAGES, word[2];
      for (uint i = 0; i < 2; i++) { // lanes 0 and 1 of four have 16 columns of two rows each
        uint half = lane % 2 * 16;
        word[i] = (upper[2 * k + i] >> half & 0xffff) | (lower[2 * k + i] >> half) << 16;
      }
      settle(word);
      barrierWait(sharedAddress(ring.full) + 8 * s, k / STAGES % 2);
      groupFence();
      for (uint i = 0; i < 2; i++)
        Sparse::multiply(sum, tile64(sharedAddress(ring.a) + s * TILE_BYTES + 32 * i),
                         tile128(sharedAddress(ring.b) + s * TILE_BYTES * 2 + 64 * i), word[i]);
      groupCommit();
      groupWait<1>();
      if (k > 0)
        giveBack<2>(ring, k - 1);
    }
    groupWait<0>();
    settle(sum);
    for (uint j = 0; j < TILE / 16; j++) { // rows of the result are columns here
      const float *d = sum + 8 * j;
      storeMatricesAcross(sharedAddress(ring.out) + (16 * j + lane / 16 * 8 + lane % 8) * (TILE * 2) + 2 * line + lane / 8 % 2 * 16,
                          toF16x2(d[0], d[1]), toF16x2(d[2], d[3]), toF16x2(d[4], d[5]), toF16x2(d[6], d[7]));
    }
    fenceAsync();
    syncSome(1, 128);
    if (threadIdx.x == 0)
      storeBox(out, row, column, sharedAddress(ring.out));
  }
  clusterSync();
}

// Stream-K (Osama et al., PPoPP 2023): all CTAs take the same number of steps, whichever tiles they belong to. The CTA
// with the last step of a tile adds what the ones before it have left in `sums`; those began earlier, so it never waits for
// a CTA that has not begun.
KERNEL hopper_gemm_streamk(TensorMap, TensorMap, TensorMap, uint steps, uint wide, float *sums, uint *ready) {
  static __shared__ Ring<> ring;
  const TensorMap *x = MAP_ADDRESS("hopper_gemm_streamk", 0), *w = MAP_ADDRESS("hopper_gemm_streamk", 1);
  const TensorMap *out = MAP_ADDRESS("hopper_gemm_streamk", 2);
  uint all = wide * wide * steps, share = (all + gridDim.x - 1) / gridDim.x, cta = blockIdx.x;
  uint begin = cta * share < all ? cta * share : all, end = begin + share < all ? begin + share : all;
  prepare<1>(ring);
  if (threadIdx.x >= 128) {
    registersLess<24>();
    if (threadIdx.x == 128)
      ROLLED for (uint i = begin; i < end; i++)
        fill<2, 1>(ring, i - begin, x, w, i % steps * ROW_BYTES, i / steps / wide * TILE, i / steps % wide * TILE);
    return;
  }
  registersMore<240>();
  ROLLED for (uint at = begin; at < end;) {
    uint tile = at / steps, last = (tile + 1) * steps, stop = last < end ? last : end;
    float sum[32] = {};
    multiplySteps<GroupF16, 1>(sum, ring, at - begin, stop - begin);
    if (stop < last) { // another CTA has the tile
      UNROLLED for (uint i = 0; i < 32; i++)
        sums[(cta * 32 + i) * 128 + threadIdx.x] = sum[i];
      __threadfence();
      syncSome(1, 128);
      if (threadIdx.x == 0)
        atomicExch((int *)&ready[cta], 1);
    } else {
      uint first = tile * steps;
      ROLLED for (uint from = cta, done = begin; done > first; done -= share) {
        from--;
        while (LOOK(ready[from]) == 0)
          ;
        __threadfence();
        UNROLLED for (uint i = 0; i < 32; i++)
          sum[i] += LOOK(sums[(from * 32 + i) * 128 + threadIdx.x]);
      }
      storeTile(ring, out, tile / wide * TILE, tile % wide * TILE, sum, InF16{});
      syncSome(1, 128);
    }
    at = stop;
  }
}
