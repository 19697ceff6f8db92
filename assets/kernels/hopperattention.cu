// Attention as FlashAttention-3 computes it (Shah et al., NeurIPS 2024): a warp group fills a ring of keys and values with
// copies by tensor maps, and two others have 64 queries each. They take turns at the matrix units: while one computes its
// softmax, the other multiplies, and the scores of the next keys are under way while the last ones weigh their values.
#include "hopper.cuh"
TARGET(sm_90a, ptx83)

#define ROWS 64    // queries of a warp group
#define KEYS 128   // of a step
#define STAGES 2   // of the ring
#define BOX_BYTES (ROWS * 128) // 64 numbers of 64 queries
#define KEY_BOX_BYTES (KEYS * 128)

template <int PARTS> struct Tiles { // PARTS boxes of 64 columns
  alignas(1024) unsigned char query[2][PARTS * BOX_BYTES];
  alignas(1024) unsigned char key[STAGES][PARTS * KEY_BOX_BYTES], value[STAGES][PARTS * KEY_BOX_BYTES];
  unsigned long long queryFull, keyFull[STAGES], keyEmpty[STAGES], valueFull[STAGES], valueEmpty[STAGES];
};

template <int PARTS, int BYTES>
BURSTSCOPE_BUILTIN void copyRows(uint to, const TensorMap *map, int row, uint barrier) {
  for (int p = 0; p < PARTS; p++)
    copyBox(to + p * BYTES, map, 64 * p, row, barrier);
}
#define GROUP_SUM64(d)                                                                                                 \
  GROUP_SUM32("+f", d), GROUP_SUM("+f", d, 32), GROUP_SUM("+f", d, 40), GROUP_SUM("+f", d, 48), GROUP_SUM("+f", d, 56)

// The first products of the scores do not add: the sum need not be zero.
BURSTSCOPE_BUILTIN void scoresStep(float *d, unsigned long long q, unsigned long long k, bool adds) {
  asm volatile("{\n\t.reg .pred adds;\n\tsetp.ne.s32 adds, %66, 0;\n\t"
               "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" GROUP_REGISTERS64 "}, %64, %65, adds, 1, 1, 0, 0;\n\t}"
               : GROUP_SUM64(d)
               : "l"(q), "l"(k), "r"((int)adds));
}
template <int PARTS> BURSTSCOPE_BUILTIN void scores(float (&d)[64], uint query, uint key) {
  groupFence();
  UNROLLED for (int i = 0; i < 4 * PARTS; i++) {
    int box = i / 4, at = i % 4 * 32;
    scoresStep(d, tile128(query + box * BOX_BYTES + at), tile128(key + box * KEY_BOX_BYTES + at), i > 0);
  }
  groupCommit();
}

// Adds the values, whose columns lie along the rows of a tile, each weighed by its share.
BURSTSCOPE_BUILTIN void weigh(float (&d)[32], const uint *p, unsigned long long v) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" GROUP_REGISTERS32 "}, {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
               : GROUP_SUM32("+f", d)
               : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "l"(v));
}
BURSTSCOPE_BUILTIN void weigh(float (&d)[64], const uint *p, unsigned long long v) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" GROUP_REGISTERS64 "}, {%64, %65, %66, %67}, %68, 1, 1, 1, 1;"
               : GROUP_SUM64(d)
               : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "l"(v));
}
template <int PARTS> BURSTSCOPE_BUILTIN void weighAll(float (&d)[32 * PARTS], const uint (&p)[32], uint value) {
  groupFence();
  UNROLLED for (uint i = 0; i < KEYS / 16; i++) // 16 rows; the next 64 columns are a box further
    weigh(d, p + 4 * i, tile128(value + i * 2048, KEY_BOX_BYTES));
  groupCommit();
}

// A running softmax of two rows of a thread.
struct Running {
  float most[2] = {-1e30f, -1e30f}, sum[2] = {}, kept[2];
  // Makes shares of the scores, and says in `kept` what the shares before have to be multiplied with.
  BURSTSCOPE_MEMBER void shares(float (&s)[64], float scale) {
    float shift[2];
    UNROLLED for (uint r = 0; r < 2; r++) {
      float before = most[r];
      UNROLLED for (uint i = 0; i < 32; i++)
        most[r] = fmaxf(most[r], s[i / 2 * 4 + 2 * r + i % 2]);
      most[r] = largestOf(most[r], 4);
      kept[r] = exp2f((before - most[r]) * scale);
      sum[r] *= kept[r];
      shift[r] = -most[r] * scale;
    }
    UNROLLED for (uint i = 0; i < 64; i++) {
      uint r = i / 2 % 2;
      s[i] = exp2f(__builtin_fmaf(s[i], scale, shift[r]));
      sum[r] += s[i];
    }
  }
};
// The shares of a step as an operand in registers.
BURSTSCOPE_BUILTIN void pack(uint (&p)[32], const float (&s)[64]) {
  UNROLLED for (uint i = 0; i < 32; i++)
    p[i] = toF16x2(s[2 * i], s[2 * i + 1]);
}

// What the threads of a CTA share.
template <int PARTS> struct Attention {
  Tiles<PARTS> &tiles;
  uint steps, keyFull, keyEmpty, valueFull, valueEmpty, queryFull;

  BURSTSCOPE_MEMBER Attention(Tiles<PARTS> &t, uint n) : tiles(t), steps(n) {
    keyFull = sharedAddress(t.keyFull), keyEmpty = sharedAddress(t.keyEmpty);
    valueFull = sharedAddress(t.valueFull), valueEmpty = sharedAddress(t.valueEmpty);
    queryFull = sharedAddress(&t.queryFull);
  }
  BURSTSCOPE_MEMBER void prepare() {
    if (threadIdx.x == 0) {
      barrierInit(queryFull, 1);
      for (uint s = 0; s < STAGES; s++) {
        barrierInit(keyFull + 8 * s, 1);
        barrierInit(valueFull + 8 * s, 1);
        barrierInit(keyEmpty + 8 * s, 8);
        barrierInit(valueEmpty + 8 * s, 8);
      }
      barriersReady();
    }
    __syncthreads();
  }
  BURSTSCOPE_MEMBER void fill(const TensorMap *query, const TensorMap *key, const TensorMap *value, int first, int token) {
    barrierExpect(queryFull, 2 * PARTS * BOX_BYTES);
    for (uint g = 0; g < 2; g++)
      copyRows<PARTS, BOX_BYTES>(sharedAddress(tiles.query[g]), query, first + token + ROWS * g, queryFull);
    ROLLED for (uint j = 0; j < steps; j++) {
      uint s = j % STAGES, parity = (j / STAGES + 1) % 2;
      barrierWait(keyEmpty + 8 * s, parity);
      barrierExpect(keyFull + 8 * s, PARTS * KEY_BOX_BYTES);
      copyRows<PARTS, KEY_BOX_BYTES>(sharedAddress(tiles.key[s]), key, first + KEYS * j, keyFull + 8 * s);
      barrierWait(valueEmpty + 8 * s, parity);
      barrierExpect(valueFull + 8 * s, PARTS * KEY_BOX_BYTES);
      copyRows<PARTS, KEY_BOX_BYTES>(sharedAddress(tiles.value[s]), value, first + KEYS * j, valueFull + 8 * s);
    }
  }
  BURSTSCOPE_MEMBER void begin(float (&s)[64], uint query, uint j) {
    barrierWait(keyFull + 8 * (j % STAGES), j / STAGES % 2);
    scores<PARTS>(s, query, sharedAddress(tiles.key[j % STAGES]));
  }
  BURSTSCOPE_MEMBER void add(float (&sum)[32 * PARTS], const uint (&p)[32], uint j) {
    barrierWait(valueFull + 8 * (j % STAGES), j / STAGES % 2);
    weighAll<PARTS>(sum, p, sharedAddress(tiles.value[j % STAGES]));
  }
  BURSTSCOPE_MEMBER void giveBack(uint empty, uint j) {
    if (threadIdx.x % 32 == 0)
      barrierArrive(empty + 8 * (j % STAGES), 0);
  }
};

// Takes the scores away of the keys behind a thread's rows, `row` and eight more.
BURSTSCOPE_BUILTIN void mask(float (&s)[64], int key, int row) {
  UNROLLED for (int i = 0; i < 64; i++)
    if (key + i / 4 * 8 + (int)threadIdx.x % 4 * 2 + i % 2 > row + i / 2 % 2 * 8)
      s[i] = -1e30f;
}

// Stores the rows of a warp group, in the place of its queries, with the swizzle of 128 bytes.
template <int PARTS> BURSTSCOPE_BUILTIN void storeRows(const TensorMap *out, int row, uint tile, const float *sum) {
  uint lane = threadIdx.x % 32, line = threadIdx.x % 128 / 32 * 16 + lane % 16;
  UNROLLED for (uint j = 0; j < 4 * PARTS; j++) { // 16 columns each
    const float *d = sum + 8 * j;
    uint place = j % 4 * 2 + lane / 16;
    storeMatrices(tile + j / 4 * BOX_BYTES + line * 128 + (place ^ line % 8) * 16, toF16x2(d[0], d[1]), toF16x2(d[2], d[3]),
                  toF16x2(d[4], d[5]), toF16x2(d[6], d[7]));
  }
  fenceAsync();
  syncSome(4 + threadIdx.x / 128, 128);
  if (threadIdx.x % 128 == 0)
    for (int p = 0; p < PARTS; p++)
      storeBox(out, 64 * p, row, tile + p * BOX_BYTES);
}

template <int PARTS>
BURSTSCOPE_BUILTIN void attend(const TensorMap *query, const TensorMap *key, const TensorMap *value, const TensorMap *out,
                               uint tokens, uint causal, float scale) {
  static __shared__ Tiles<PARTS> tiles;
  int first = blockIdx.y * tokens, token = blockIdx.x * 2 * ROWS;
  uint steps = causal ? blockIdx.x + 1 : tokens / KEYS, group = threadIdx.x / 128;
  Attention<PARTS> a(tiles, steps);
  a.prepare();
  if (group == 2) {
    registersLess<24>();
    if (threadIdx.x == 256)
      a.fill(query, key, value, first, token);
    return;
  }
  registersMore<240>();
  uint mine = sharedAddress(tiles.query) + group * PARTS * BOX_BYTES;
  int block = token + group * ROWS, row = block + threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4;
  float s[64], sum[32 * PARTS];
  UNROLLED for (uint i = 0; i < 32 * PARTS; i++)
    sum[i] = 0;
  uint p[32] = {};
  Running running;
  barrierWait(a.queryFull, 0);
  if (group == 1)
    arriveSome(2, 256); // group 0 has the first turn; its barrier is 2
  ROLLED for (uint j = 0; j < steps; j++) {
    syncSome(2 + group, 256);
    a.begin(s, mine, j);
    if (j > 0)
      a.add(sum, p, j - 1);
    arriveSome(3 - group, 256);
    if (j > 0)
      groupWait<1>();
    else
      groupWait<0>();
    settle(s);
    a.giveBack(a.keyEmpty, j);
    if (causal && (int)(j * KEYS + KEYS) > block)
      mask(s, j * KEYS, row);
    running.shares(s, scale);
    groupWait<0>();
    settle(sum);
    settle(p);
    if (j > 0)
      a.giveBack(a.valueEmpty, j - 1);
    UNROLLED for (uint i = 0; i < 32 * PARTS; i++)
      sum[i] *= running.kept[i / 2 % 2];
    pack(p, s);
  }
  syncSome(2 + group, 256);
  a.add(sum, p, steps - 1);
  if (group == 0)
    arriveSome(3, 256);
  groupWait<0>();
  settle(sum);
  settle(p);
  float share[2];
  UNROLLED for (uint r = 0; r < 2; r++)
    share[r] = 1 / sumOf(running.sum[r], 4);
  UNROLLED for (uint i = 0; i < 32 * PARTS; i++)
    sum[i] *= share[i / 2 % 2];
  storeRows<PARTS>(out, first + block, mine, sum);
}

#define KERNEL(name, PARTS)                                                                                            \
  extern "C" __global__ void __attribute__((launch_bounds(384, 1)))                                                    \
  name(TensorMap, TensorMap, TensorMap, TensorMap, uint tokens, uint causal, float scale) {                            \
    attend<PARTS>(MAP_ADDRESS(#name, 0), MAP_ADDRESS(#name, 1), MAP_ADDRESS(#name, 2), MAP_ADDRESS(#name, 3), tokens,  \
                  causal, scale);                                                                                      \
  }
KERNEL(hopper_attention_64, 1)
KERNEL(hopper_attention_128, 2)
