// What C++ does that is not arithmetic: calls, tables, structures, recursion,
// and operations of a warp.
#include "suite.cuh"

NOINLINE uint ackermann(uint m, uint n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
KERNEL recursionDeep(uint *out) { out[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x % 5); }

NOINLINE void hanoi(int n, int from, int to, int *moves, u64 *trace) {
  if (n == 0) return;
  hanoi(n - 1, from, 3 - from - to, moves, trace);
  *trace = *trace * 7 + from * 3 + to;
  ++*moves;
  hanoi(n - 1, 3 - from - to, to, moves, trace);
}
KERNEL recursionPointers(int *moves, u64 *trace) {
  int m = 0;
  u64 t = 1;
  hanoi(threadIdx.x % 7, 0, 2, &m, &t);
  moves[threadIdx.x] = m;
  trace[threadIdx.x] = t;
}

typedef int (*Operation)(int, int);
NOINLINE int add(int a, int b) { return a + b; }
NOINLINE int subtract(int a, int b) { return a - b; }
NOINLINE int multiply(int a, int b) { return a * b; }
NOINLINE int choose(int a, int b) { return a > b ? a : b; }
__device__ Operation operations[4] = {add, subtract, multiply, choose};
KERNEL functionTable(const uchar *program, int length, int *out) {
  int v = threadIdx.x;
  for (int i = 0; i < length; i++) v = operations[(program[i] + threadIdx.x) & 3](v, i + 1);
  out[threadIdx.x] = v;
}

// A machine with a stack, run by every thread with its own input.
KERNEL interpreter(const int *code, const int *input, int *out) {
  int stack[16], top = 0, steps = 0;
  for (int pc = 0; steps < 1000; steps++) {
    int op = code[pc++];
    switch (op) {
      case 0: stack[top++] = code[pc++]; break;
      case 1: stack[top++] = input[globalIndex()]; break;
      case 2: top--; stack[top - 1] += stack[top]; break;
      case 3: top--; stack[top - 1] -= stack[top]; break;
      case 4: top--; stack[top - 1] *= stack[top]; break;
      case 5: stack[top] = stack[top - 1]; top++; break;
      case 6: { int keep = stack[top - 1]; stack[top - 1] = stack[top - 2]; stack[top - 2] = keep; break; }
      case 7: top--; if (stack[top]) pc = code[pc]; else pc++; break;
      case 8: stack[top] = stack[top - 2]; top++; break;
      case 9: stack[top - 1] &= 0xffff; break;
      default: out[globalIndex()] = stack[top - 1]; return;
    }
  }
  out[globalIndex()] = -1;
}

struct Matrix {
  float m[3][3];
  double shift;
  short flags[3];
  uchar mode;
};
KERNEL structuresByValue(Matrix m, const float *in, float *out, uchar scale) {
  uint t = globalIndex();
  for (int i = 0; i < 3; i++) {
    float sum = (float)m.shift;
    for (int j = 0; j < 3; j++) sum += m.m[i][j] * in[t * 3 + j];
    out[t * 3 + i] = m.flags[(t + i) % 3] > 0 ? sum * (float)scale : sum - (float)m.mode;
  }
}

struct Shape {
  __device__ virtual int area() const { return 0; }
  int a, b;
};
struct Square : Shape {
  __device__ int area() const override { return a * a; }
};
struct Oblong : Shape {
  __device__ int area() const override { return a * b; }
};
struct Frame : Oblong {
  __device__ int area() const override { return Oblong::area() - (a - 2) * (b - 2); }
};
NOINLINE int areaOf(const Shape *s) { return s->area(); }
KERNEL virtualCalls(int *out) {
  Shape none;
  Square square;
  Oblong oblong;
  Frame frame;
  int t = threadIdx.x;
  Shape *s = t % 4 == 0 ? &none : t % 4 == 1 ? (Shape *)&square : t % 4 == 2 ? (Shape *)&oblong : &frame;
  s->a = t;
  s->b = t + 3;
  out[t] = areaOf(s);
}

// One array of dynamic shared memory, used as three of different types.
KERNEL carvedShared(const int *in, double *out) {
  extern __shared__ double room[];
  float *floats = (float *)(room + blockDim.x);
  ushort *shorts = (ushort *)(floats + blockDim.x);
  uint t = threadIdx.x, n = blockDim.x;
  room[t] = in[t] * 0.5;
  floats[t] = in[t] + 1;
  shorts[t] = in[t];
  syncBlock();
  out[t] = room[n - 1 - t] + floats[(t + 1) % n] + shorts[t ^ 1];
}

__device__ uint ticket = 100;
__device__ int levels[4][8] = {{1, 2, 3}, {4, 5}, {}, {6, 7, 8, 9, 10, 11, 12, 13}};
__constant__ double halves[5] = {0.5, 1.5, 2.5, 3.5, 4.5};
KERNEL globalTables(double *out, uint *drawn) {
  uint t = globalIndex();
  drawn[t] = atomicAdd(&ticket, 2u);
  out[t] = levels[t & 3][t >> 2 & 7] * halves[t % 5];
}

// A warp elects who writes, by votes under divergence.
KERNEL votes(const int *in, uint *out) {
  uint t = threadIdx.x, r;
  int v = in[t];
  if (v & 1) r = __nvvm_vote_ballot_sync(__nvvm_activemask(), v > 0);
  else r = ~__nvvm_vote_ballot_sync(__nvvm_activemask(), v > 10);
  r += __nvvm_vote_any_sync(fullMask, v == 77) ? 1 : 0;
  r += __nvvm_vote_all_sync(fullMask, v < 1000) ? 2 : 0;
  r += __nvvm_vote_uni_sync(fullMask, (int)(t >> 5)) ? 4 : 0;
  out[t] = r;
}

KERNEL barrierCounts(const int *in, int *out) {
  int v = in[threadIdx.x];
  int count = __nvvm_bar0_popc(v > 0), all = __nvvm_bar0_and(v > -1000), any = __nvvm_bar0_or(v == 12345);
  out[threadIdx.x] = count * 4 + (all != 0) * 2 + (any != 0);
}

// Warps hand over from one half of a block to the other by named barriers.
KERNEL pipeline(const int *in, int *out, int rounds) {
  __shared__ int slot[32];
  uint lane = threadIdx.x & 31;
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; r++) {
      slot[lane] = in[r * 32 + lane] * 3;
      __nvvm_barrier_sync_cnt(1, 64);
      __nvvm_barrier_sync_cnt(2, 64);
    }
  } else {
    for (int r = 0; r < rounds; r++) {
      __nvvm_barrier_sync_cnt(1, 64);
      out[r * 32 + lane] = slot[31 - lane] + 1;
      __nvvm_barrier_sync_cnt(2, 64);
    }
  }
}

// A matrix turned in the registers of a warp.
KERNEL shuffleTranspose(const int *in, int *out) {
  uint lane = threadIdx.x;
  int v[8];
  for (int i = 0; i < 8; i++) v[i] = in[i * 32 + lane];
  for (int i = 0; i < 8; i++) {
    int got = 0;
    for (int j = 0; j < 8; j++) {
      int w = __nvvm_shfl_sync_idx_i32(fullMask, v[j], (lane & 3) * 8 + i, 31);
      if ((lane >> 2) == j) got = w;
    }
    out[lane * 8 + i] = got;
  }
  int broadcast = __nvvm_shfl_sync_idx_i32(fullMask, v[0], 3, 0x181f);  // in groups of eight
  out[256 + lane] = broadcast;
}

#if __CUDA_ARCH__ >= 700
// Lanes with equal keys add once.
KERNEL matchKeys(const int *key, int *count, uint *masks) {
  uint t = globalIndex();
  uint same = __nvvm_match_any_sync_i32(fullMask, key[t]);
  if ((same & lowerLanes()) == 0) atomicAdd(&count[key[t]], __builtin_popcount(same));
  masks[t] = same;
  masks[t] ^= __nvvm_match_any_sync_i64(fullMask, (i64)key[t] << 33 | 5) << 1;
}
#endif

#if __CUDA_ARCH__ >= 800
KERNEL reduceInstruction(const int *in, int *out) {
  int v = in[threadIdx.x];
  out[0 * 32 + threadIdx.x] = __nvvm_redux_sync_add(v, fullMask);
  out[1 * 32 + threadIdx.x] = __nvvm_redux_sync_min(v, fullMask);
  out[2 * 32 + threadIdx.x] = __nvvm_redux_sync_max(v, fullMask);
  out[3 * 32 + threadIdx.x] = __nvvm_redux_sync_umax(v, fullMask);
  out[4 * 32 + threadIdx.x] = __nvvm_redux_sync_xor(v, fullMask);
  out[5 * 32 + threadIdx.x] = __nvvm_redux_sync_or(v, fullMask);
}
#endif

struct Row {
  int v[6];
  float f;
  signed char tail[3];
};
NOINLINE int pick(Row r, int i) { return r.v[i] + (int)r.f + r.tail[i % 3]; }
NOINLINE int change(Row r, int i) {
  r.v[i] += 5;
  int *p = r.v + (i * 3 % 6);
  *p ^= 9;
  return r.v[0] + r.v[5] * 3 + r.v[i];
}
NOINLINE int descend(Row r, int i) {
  if (i == 0) return r.v[0];
  Row next = r;
  next.v[i - 1] += r.v[i];
  return descend(next, i - 1) + r.v[i % 6];
}
KERNEL structuresToFunctions(int *out) {
  int t = threadIdx.x;
  Row r;
  for (int i = 0; i < 6; i++) r.v[i] = t * i;
  for (int i = 0; i < 3; i++) r.tail[i] = t - i;
  r.f = t;
  out[t] = pick(r, t % 6) + change(r, (t + 1) % 6) * 7 + descend(r, t % 6) * 11;
}
