// Five programs whose threads wait for each other: a grid barrier, a stream-K product of matrices, a persistent kernel
// with a queue of work, a radix sort with decoupled look-back, and a hash table with locks. What other CTAs write is
// read past L1 (volatile), so the programs are right where L1 is not coherent.
#include "burstscope.cuh"

#define THREADS 256

// All CTAs are resident (a cooperative launch). Each comes once in a round.
static __device__ void gridBarrier(uint *arrived, uint goal) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (LOOK(*arrived) < goal)
      ;
    __threadfence();
  }
  __syncthreads();
}

// Smooths a ring of numbers, step by step; every step needs its neighbours of the step before.
extern "C" __global__ void grid_barrier(uint *a, uint *b, uint *arrived, uint count, uint steps) {
  ROLLED for (uint step = 0; step < steps; step++) {
    for (uint i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
      uint left = LOOK(a[i == 0 ? count - 1 : i - 1]), right = LOOK(a[i + 1 == count ? 0 : i + 1]);
      b[i] = left + 2 * LOOK(a[i]) + right + step;
    }
    gridBarrier(arrived, gridDim.x * (step + 1));
    uint *other = a;
    a = b;
    b = other;
  }
}

#define TILE 16

// c = a * b^T of size x size floats. The steps of all tiles are divided among the CTAs evenly. The CTA with the first
// step of a tile waits for the CTAs with its further steps, adds their sums to its own and writes the tile.
extern "C" __global__ void stream_k(const float *a, const float *b, float *c, float *sums, uint *ready, uint size) {
  __shared__ float as[TILE][TILE + 1], bs[TILE][TILE + 1];
  uint x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  uint wide = size / TILE, all = wide * wide * wide;
  uint share = (all + gridDim.x - 1) / gridDim.x;
  uint step = blockIdx.x * share, end = step + share < all ? step + share : all;
  while (step < end) {
    uint tile = step / wide, stop = (tile + 1) * wide < end ? (tile + 1) * wide : end;
    uint row = tile / wide * TILE + y, column = tile % wide * TILE + x, first = step;
    float sum = 0;
    ROLLED for (; step < stop; step++) {
      as[y][x] = a[row * size + step % wide * TILE + x];
      bs[y][x] = b[(tile % wide * TILE + y) * size + step % wide * TILE + x];
      __syncthreads();
      for (uint k = 0; k < TILE; k++)
        sum += as[y][k] * bs[x][k];
      __syncthreads();
    }
    if (first % wide != 0) { // another CTA has the tile
      sums[blockIdx.x * THREADS + threadIdx.x] = sum;
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0)
        atomicExch((int *)&ready[blockIdx.x], 1);
      continue;
    }
    for (uint cta = blockIdx.x + 1, done = stop; done < (tile + 1) * wide; cta++, done += share) {
      while (LOOK(ready[cta]) == 0)
        ;
      __threadfence();
      sum += LOOK(sums[cta * THREADS + threadIdx.x]);
    }
    c[row * size + column] = sum;
  }
}

// Walks a binary tree whose nodes are found on the way: a CTA takes the next place of the queue, waits until a node
// stands there, works on it and appends its children. There are count nodes in all.
extern "C" __global__ void work_queue(uint *queue, uint *next, const uint *salts, uint *out, uint count) {
  __shared__ uint node;
  for (;;) {
    if (threadIdx.x == 0) {
      uint at = atomicAdd(&next[0], 1u), got = 0;
      if (at < count)
        while ((got = LOOK(queue[at])) == 0)
          ;
      node = got;
    }
    __syncthreads();
    uint n = node;
    __syncthreads();
    if (n == 0)
      return;
    uint v = n * 64 + threadIdx.x + salts[n - 1];
    ROLLED for (uint round = 0; round < 4 + n % 29; round++)
      v = v * 1664525u + 1013904223u;
    out[(n - 1) * blockDim.x + threadIdx.x] = v;
    if (threadIdx.x < 2 && 2 * n + threadIdx.x <= count) {
      uint place = atomicAdd(&next[1], 1u);
      atomicExch((int *)&queue[place], (int)(2 * n + threadIdx.x));
    }
  }
}

#define BINS 16
#define SUM 0x40000000u
#define TOTAL 0x80000000u

// Counts the digits of all keys.
extern "C" __global__ void radix_count(const uint *keys, uint *starts, uint count, uint shift) {
  __shared__ uint bins[BINS];
  if (threadIdx.x < BINS)
    bins[threadIdx.x] = 0;
  __syncthreads();
  for (uint i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS)
    atomicAdd(&bins[keys[i] >> shift & (BINS - 1)], 1u);
  __syncthreads();
  if (threadIdx.x < BINS)
    for (uint later = threadIdx.x + 1; later < BINS; later++)
      atomicAdd(&starts[later], bins[threadIdx.x]);
}

// Sorts by a digit, in one pass: a CTA publishes how many keys of each digit it has, looks back at the CTAs before it
// until one knows the total, and publishes its own (Merrill and Garland, Single-pass Parallel Prefix Scan with
// Decoupled Look-back, 2016).
extern "C" __global__ void radix_pass(const uint *keys, uint *sorted, const uint *starts, uint *states, uint *ticket,
                                      uint count, uint shift) {
  __shared__ uint tile, counts[THREADS / 32][BINS], base[BINS];
  if (threadIdx.x == 0)
    tile = atomicAdd(ticket, 1u);
  if (threadIdx.x < THREADS / 32 * BINS)
    counts[threadIdx.x / BINS][threadIdx.x % BINS] = 0;
  __syncthreads();
  uint i = tile * THREADS + threadIdx.x, warp = threadIdx.x / 32;
  uint key = i < count ? keys[i] : 0, digit = key >> shift & (BINS - 1);
  uint peers = __ballot_sync(~0u, i < count);
  if (i >= count)
    peers = 0;
  for (uint bit = 0; bit < 4; bit++) {
    uint set = __ballot_sync(~0u, digit >> bit & 1);
    peers &= digit >> bit & 1 ? set : ~set;
  }
  uint rank = __popc(peers & ((1u << threadIdx.x % 32) - 1));
  if (rank == 0 && peers != 0)
    counts[warp][digit] = __popc(peers);
  __syncthreads();
  if (threadIdx.x < BINS) {
    uint sum = 0, before = 0;
    for (uint w = 0; w < THREADS / 32; w++) {
      uint n = counts[w][threadIdx.x];
      counts[w][threadIdx.x] = sum;
      sum += n;
    }
    if (tile > 0) {
      atomicExch((int *)&states[tile * BINS + threadIdx.x], (int)(SUM | sum));
      uint at = tile;
      uint state;
      do {
        at--;
        while ((state = LOOK(states[at * BINS + threadIdx.x])) == 0)
          ;
        before += state & (SUM - 1);
      } while ((state & TOTAL) == 0);
    }
    atomicExch((int *)&states[tile * BINS + threadIdx.x], (int)(TOTAL | (before + sum)));
    base[threadIdx.x] = starts[threadIdx.x] + before;
  }
  __syncthreads();
  if (i < count)
    sorted[base[digit] + counts[warp][digit] + rank] = key;
}

// Puts keys into a table of chains. A lane holds the lock of a bucket while it changes the chain; lanes of a warp wait
// for each other.
extern "C" __global__ void lock_insert(const uint *keys, uint *locks, uint *heads, uint *nexts, uint *sums, uint count,
                                       uint buckets) {
  uint i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= count)
    return;
  uint key = keys[i], bucket = key * 2654435761u % buckets;
  while (atomicCAS(&locks[bucket], 0u, 1u) != 0)
    ;
  __threadfence();
  LOOK(nexts[i]) = LOOK(heads[bucket]);
  LOOK(heads[bucket]) = i + 1;
  LOOK(sums[bucket]) = LOOK(sums[bucket]) + key;
  __threadfence();
  atomicExch((int *)&locks[bucket], 0);
}

// Counts how often each key stands in its chain.
extern "C" __global__ void lock_find(const uint *keys, const uint *heads, const uint *nexts, uint *found, uint count,
                                     uint buckets) {
  uint i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= count)
    return;
  uint key = keys[i], n = 0;
  for (uint at = heads[key * 2654435761u % buckets]; at != 0; at = nexts[at - 1])
    n += keys[at - 1] == key;
  found[i] = n;
}
