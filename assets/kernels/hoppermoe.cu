// The products of a mixture of experts: the tokens of each expert follow each other, and their number differs, so a tile may
// have rows of the next expert. Each CTA makes a tensor map of its own whose rows end with its expert, and the copy to
// memory leaves the others out: so do the grouped products of libraries.
#include "hoppergemm.cuh"
TARGET(sm_90a, ptx83)

struct InBF16 {
  BURSTSCOPE_MEMBER uint operator()(float low, float high, uint, uint) const { return toBF16x2(low, high); }
};

// Makes a map at `made` that differs in its address and its number of rows, by way of `place` in shared memory. A warp
// executes it.
BURSTSCOPE_BUILTIN void narrowMap(TensorMap *made, uint place, const TensorMap *from, const void *address, uint rows) {
  uint lane = threadIdx.x % 32;
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(place + 4 * lane), "r"(from->words[lane]) : "memory");
  syncWarp();
  if (lane == 0)
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;\n\t"
                 "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %2;" ::"r"(place),
                 "l"(address), "r"(rows)
                 : "memory");
  syncWarp();
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(made),
               "r"(place)
               : "memory");
}

// CTA (x, y) has tile x of all experts' rows and 64 columns. offsets[e] is the first row of expert e, maps has room for a map
// of each CTA.
extern "C" __global__ void __attribute__((launch_bounds(256, 1)))
hopper_moe(TensorMap, TensorMap, TensorMap, const uint *offsets, TensorMap *maps, unsigned char *out, uint experts, uint steps,
           uint columns) {
  static __shared__ Ring<> ring;
  alignas(128) static __shared__ unsigned char place[128];
  const TensorMap *x = MAP_ADDRESS("hopper_moe", 0), *w = MAP_ADDRESS("hopper_moe", 1), *whole = MAP_ADDRESS("hopper_moe", 2);
  uint tile = blockIdx.x, column = blockIdx.y * TILE, expert = 0, first = 0, rows = 0;
  ROLLED for (; expert < experts; expert++) {
    first = offsets[expert], rows = offsets[expert + 1] - first;
    uint tiles = (rows + TILE - 1) / TILE;
    if (tile < tiles)
      break;
    tile -= tiles;
  }
  if (expert == experts)
    return;
  prepare<1>(ring);
  if (threadIdx.x >= 128) {
    registersLess<24>();
    if (threadIdx.x == 128)
      ROLLED for (uint k = 0; k < steps; k++)
        fill<2, 1>(ring, k, x, w, k * ROW_BYTES, first + tile * TILE, expert * columns + column);
    return;
  }
  registersMore<240>();
  TensorMap *made = maps + blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x < 32)
    narrowMap(made, sharedAddress(place), whole, out + (unsigned long long)first * columns * 2, rows);
  float sum[32] = {};
  multiplySteps<GroupBF16, 1>(sum, ring, 0, steps);
  if (threadIdx.x == 0)
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(made) : "memory");
  storeTile(ring, made, tile * TILE, column, sum, InBF16{});
}
