// The product of activations and weights in f16 as libraries compute it on sm_90a: a ring of tiles that one warp group
// fills with copies by tensor maps, and that the other multiplies. Two CTAs of a cluster have the same weights: each
// copies one half of them to both.
#include "hopper.cuh"
TARGET(sm_90a, ptx83)

#define TILE 64  // rows and columns of the result
#define DEEP 32  // along K, 64 bytes
#define STAGES 4 // of the ring
#define TILE_BYTES (TILE * DEEP * 2)

struct Ring {
  alignas(1024) unsigned char x[STAGES][TILE_BYTES], w[STAGES][TILE_BYTES];
  alignas(1024) unsigned char out[TILE * TILE * 2];
  unsigned long long full[STAGES], empty[STAGES];
};

// Launched in clusters of (2,1,1).
extern "C" __global__ void __attribute__((launch_bounds(256, 1)))
hopper_gemm(TensorMap, TensorMap, TensorMap, uint steps) {
  static __shared__ Ring ring;
  const TensorMap *x = MAP_ADDRESS("hopper_gemm", 0), *w = MAP_ADDRESS("hopper_gemm", 1);
  const TensorMap *out = MAP_ADDRESS("hopper_gemm", 2);
  uint rank = clusterRank(), thread = threadIdx.x;
  uint full = sharedAddress(ring.full), empty = sharedAddress(ring.empty);
  uint tileX = sharedAddress(ring.x), tileW = sharedAddress(ring.w), tileOut = sharedAddress(ring.out);
  int row = blockIdx.x * TILE, column = blockIdx.y * TILE;
  if (thread == 0) {
    for (uint s = 0; s < STAGES; s++) {
      barrierInit(full + 8 * s, 1);
      barrierInit(empty + 8 * s, 8); // the warps of both CTAs
    }
    barriersReady();
  }
  clusterSync();
  if (thread >= 128) {
    registersLess<24>();
    if (thread == 128) {
      ROLLED for (uint k = 0; k < steps; k++) {
        uint s = k % STAGES, round = k / STAGES;
        barrierWait(empty + 8 * s, (round + 1) % 2);
        barrierExpect(full + 8 * s, 2 * TILE_BYTES);
        copyBox(tileX + s * TILE_BYTES, x, k * DEEP, row, full + 8 * s);
        copyBox(tileW + s * TILE_BYTES + rank * (TILE_BYTES / 2), w, k * DEEP, column + rank * (TILE / 2), full + 8 * s, 3);
      }
    }
  } else {
    registersMore<240>();
    float sum[32] = {};
    ROLLED for (uint k = 0; k < steps; k++) {
      uint s = k % STAGES;
      barrierWait(full + 8 * s, k / STAGES % 2);
      groupFence();
      for (uint i = 0; i < DEEP / 16; i++)
        groupMultiplyF16(sum, tile64(tileX + s * TILE_BYTES + 32 * i), tile64(tileW + s * TILE_BYTES + 32 * i));
      groupCommit();
      groupWait<1>();
      if (k > 0 && thread % 32 < 2)
        barrierArrive(empty + 8 * ((k - 1) % STAGES), thread % 32);
    }
    groupWait<0>();
    uint lane = thread % 32, line = thread / 32 * 16 + lane % 16;
    for (uint j = 0; j < 4; j++) { // 16 columns each
      const float *d = sum + 8 * j;
      storeMatrices(tileOut + line * (TILE * 2) + 32 * j + lane / 16 * 16, toF16x2(d[0], d[1]), toF16x2(d[2], d[3]),
                    toF16x2(d[4], d[5]), toF16x2(d[6], d[7]));
    }
    fenceAsync();
    syncSome(1, 128);
    if (thread == 0)
      storeBox(out, column, row, tileOut);
  }
  clusterSync();
}
