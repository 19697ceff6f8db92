// Softmax and RMS norm over rows that the CTAs of a cluster share: each has a piece in its shared memory, and they tell each
// other their sums there.
#include "hopper.cuh"
TARGET(sm_90a, ptx83)

#define CTAS 4                 // of a cluster
#define THREADS 256
#define PIECE (THREADS * 8)    // numbers of a row that a CTA has
#define PIECE_BYTES (PIECE * 2)

struct Piece {
  alignas(16) unsigned char numbers[PIECE_BYTES];
  float2 ofWarps[THREADS / 32], ofCTAs[CTAS];
  unsigned long long full, told;
};

BURSTSCOPE_BUILTIN void read8(float *v, uint from) {
  uint4 w;
  asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w) : "r"(from));
  const uint words[4] = {w.x, w.y, w.z, w.w};
  for (uint i = 0; i < 4; i++) {
    float2 f = ofF16x2(words[i]);
    v[2 * i] = f.x, v[2 * i + 1] = f.y;
  }
}

// Copies the CTA's piece, and returns the numbers of the thread.
BURSTSCOPE_BUILTIN void takePiece(float *v, Piece &piece, const unsigned char *rows) {
  uint full = sharedAddress(&piece.full), told = sharedAddress(&piece.told);
  if (threadIdx.x == 0) {
    barrierInit(full, 1);
    barrierInit(told, 1);
    barriersReady();
  }
  clusterSync();
  if (threadIdx.x == 0) {
    barrierExpect(told, (CTAS - 1) * 8);
    barrierExpect(full, PIECE_BYTES);
    copyBytes(sharedAddress(piece.numbers), rows + (unsigned long long)blockIdx.x * PIECE_BYTES, PIECE_BYTES, full);
  }
  barrierWait(full, 0);
  read8(v, sharedAddress(piece.numbers) + 16 * threadIdx.x);
}

// Two numbers of each thread become those of the row: `join` makes one pair of two.
template <class Join> BURSTSCOPE_BUILTIN float2 ofRow(float2 mine, Piece &piece, Join join) {
  uint thread = threadIdx.x, rank = clusterRank();
  for (int d = 16; d > 0; d /= 2)
    mine = join(mine, float2{ofLane(mine.x, d), ofLane(mine.y, d)});
  if (thread % 32 == 0)
    piece.ofWarps[thread / 32] = mine;
  __syncthreads();
  if (thread < CTAS) {
    mine = piece.ofWarps[0];
    for (uint i = 1; i < THREADS / 32; i++)
      mine = join(mine, piece.ofWarps[i]);
    if (thread == rank)
      piece.ofCTAs[rank] = mine;
    else
      tell(sharedAddress(&piece.ofCTAs[rank]), sharedAddress(&piece.told), thread, mine);
  }
  __syncthreads();
  barrierWait(sharedAddress(&piece.told), 0);
  mine = piece.ofCTAs[0];
  for (uint i = 1; i < CTAS; i++)
    mine = join(mine, piece.ofCTAs[i]);
  return mine;
}

// Stores the numbers of the CTA's threads.
BURSTSCOPE_BUILTIN void givePiece(const float *v, Piece &piece, unsigned char *rows) {
  uint at = sharedAddress(piece.numbers);
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(at + 16 * threadIdx.x), "r"(toF16x2(v[0], v[1])), "r"(toF16x2(v[2], v[3])),
               "r"(toF16x2(v[4], v[5])), "r"(toF16x2(v[6], v[7])) : "memory");
  fenceAsync();
  __syncthreads();
  if (threadIdx.x == 0)
    storeBytes(rows + (unsigned long long)blockIdx.x * PIECE_BYTES, at, PIECE_BYTES);
  clusterSync();
}

#define LOG2E 1.4426950408889634f

struct Greatest { // and the sum of the powers below it
  BURSTSCOPE_MEMBER float2 operator()(float2 a, float2 b) const {
    float most = fmaxf(a.x, b.x);
    return {most, a.y * exp2f((a.x - most) * LOG2E) + b.y * exp2f((b.x - most) * LOG2E)};
  }
};
struct Sum {
  BURSTSCOPE_MEMBER float2 operator()(float2 a, float2 b) const { return {a.x + b.x, 0}; }
};

// Launched in clusters of (4,1,1), one for each row.
extern "C" __global__ void __attribute__((launch_bounds(THREADS, 4)))
hopper_softmax(const unsigned char *x, unsigned char *out) {
  static __shared__ Piece piece;
  float v[8];
  takePiece(v, piece, x);
  float2 mine = {v[0], 0};
  for (uint i = 1; i < 8; i++)
    mine.x = fmaxf(mine.x, v[i]);
  for (uint i = 0; i < 8; i++)
    mine.y += exp2f((v[i] - mine.x) * LOG2E);
  float2 row = ofRow(mine, piece, Greatest{});
  for (uint i = 0; i < 8; i++)
    v[i] = exp2f((v[i] - row.x) * LOG2E) / row.y;
  givePiece(v, piece, out);
}

extern "C" __global__ void __attribute__((launch_bounds(THREADS, 4)))
hopper_rmsnorm(const unsigned char *x, const uint4 *weights, unsigned char *out) {
  static __shared__ Piece piece;
  float v[8];
  takePiece(v, piece, x);
  float2 mine = {0, 0};
  for (uint i = 0; i < 8; i++)
    mine.x += v[i] * v[i];
  float scale = 1 / sqrtf(ofRow(mine, piece, Sum{}).x * (1.0f / (CTAS * PIECE)) + 1e-5f);
  uint4 w = weights[clusterRank() * THREADS + threadIdx.x];
  const uint words[4] = {w.x, w.y, w.z, w.w};
  for (uint i = 0; i < 4; i++) {
    float2 f = ofF16x2(words[i]);
    v[2 * i] *= scale * f.x, v[2 * i + 1] *= scale * f.y;
  }
  givePiece(v, piece, out);
}
