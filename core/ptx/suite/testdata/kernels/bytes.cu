// Tables, text and whole numbers.
#include "suite.cuh"

constexpr uint empty = 0xffffffffu;

INLINE uint mix(uint k) {
  k ^= k >> 16;
  k *= 0x85ebca6bu;
  k ^= k >> 13;
  k *= 0xc2b2ae35u;
  return k ^ k >> 16;
}

// Open addressing: the key that wins a slot keeps it.
KERNEL hashInsert(const uint *key, const uint *value, uint *slotKey, uint *slotValue, uint slots, int n) {
  uint i = globalIndex();
  if (i >= n) return;
  for (uint at = mix(key[i]) & (slots - 1);; at = (at + 1) & (slots - 1)) {
    uint old = atomicCAS(&slotKey[at], empty, key[i]);
    if (old == empty || old == key[i]) {
      atomicAdd(&slotValue[at], value[i]);
      return;
    }
  }
}

KERNEL hashLookUp(const uint *key, const uint *slotKey, const uint *slotValue, uint slots, uint *out) {
  uint k = key[globalIndex()], found = empty;
  for (uint at = mix(k) & (slots - 1); slotKey[at] != empty; at = (at + 1) & (slots - 1))
    if (slotKey[at] == k) {
      found = slotValue[at];
      break;
    }
  out[globalIndex()] = found;
}

// Lists of equal remainders, pushed with 64-bit compare and swap of (count, head).
KERNEL pushLists(const uint *key, u64 *head, int *next, int lists) {
  uint i = globalIndex();
  u64 *h = &head[key[i] % lists];
  u64 seen = *h;
  for (;;) {
    next[i] = (int)(uint)seen - 1;
    u64 old = atomicCAS(h, seen, ((seen >> 32) + 1) << 32 | (i + 1));
    if (old == seen) return;
    seen = old;
  }
}

KERNEL histogramShared(const uchar *in, uint *out, int n) {
  __shared__ uint bins[256];
  for (uint i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  syncBlock();
  for (uint i = globalIndex(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
  syncBlock();
  for (uint i = threadIdx.x; i < 256; i += blockDim.x)
    if (bins[i]) atomicAdd(&out[i], bins[i]);
}

KERNEL findText(const uchar *text, int n, const uchar *pattern, int length, int *place, int *count) {
  int i = globalIndex();
  if (i + length > n) return;
  for (int j = 0; j < length; j++)
    if (pattern[j] != '?' && text[i + j] != pattern[j]) return;
  place[atomicAdd(count, 1)] = i;
}

KERNEL sieve(uchar *composite, int n) {
  int p = globalIndex() + 2;
  if (p * p > n) return;
  for (int d = 2; d * d <= p; d++)
    if (p % d == 0) return;
  for (int m = p * p; m <= n; m += p) composite[m] = 1;
}

__constant__ uint crcTable[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                  0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                  0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
KERNEL crc32(const uchar *in, int each, uint *out) {
  const uchar *p = in + globalIndex() * each;
  uint c = ~0u;
  for (int i = 0; i < each; i++) {
    c ^= p[i];
    c = c >> 4 ^ crcTable[c & 15];
    c = c >> 4 ^ crcTable[c & 15];
  }
  out[globalIndex()] = ~c;
}

__constant__ char alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
KERNEL base64(const uchar *in, uint *out) {
  uint i = globalIndex();
  uint v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2], text = 0;
  for (int k = 0; k < 4; k++) text |= (uint)(uchar)alphabet[v >> (18 - 6 * k) & 63] << 8 * k;
  out[i] = text;
}

KERNEL fnv64(const uchar *in, const int *begin, u64 *out) {
  uint t = globalIndex();
  u64 h = 14695981039346656037ull;
  for (int i = begin[t]; i < begin[t + 1]; i++) h = (h ^ in[i]) * 1099511628211ull;
  out[t] = h;
}

NOINLINE u64 multiplyModulo(u64 a, u64 b, u64 m) {
  u64 r = 0;
  for (; b; b >>= 1) {
    if (b & 1) r = r >= m - a ? r - (m - a) : r + a;
    a = a >= m - a ? a - (m - a) : a + a;
  }
  return r;
}
KERNEL powerModulo(const u64 *base, const u64 *exponent, const u64 *modulus, u64 *out) {
  uint t = globalIndex();
  u64 m = modulus[t], b = base[t] % m, r = 1 % m;
  for (u64 e = exponent[t]; e; e >>= 1) {
    if (e & 1) r = multiplyModulo(r, b, m);
    b = multiplyModulo(b, b, m);
  }
  out[t] = r;
}

// Products of 128 bits, and a Montgomery-like fold.
KERNEL wideProducts(const u64 *a, const u64 *b, u64 *out) {
  uint t = globalIndex();
  unsigned __int128 p = (unsigned __int128)a[t] * b[t];
  __int128 q = (__int128)(i64)a[t] * (i64)b[t];
  p += (unsigned __int128)a[t] << 37;
  q -= b[t];
  out[4 * t] = (u64)p;
  out[4 * t + 1] = (u64)(p >> 64);
  out[4 * t + 2] = (u64)q;
  out[4 * t + 3] = (u64)(q >> 64);
}

KERNEL greatestDivisor(const u64 *a, const u64 *b, u64 *out) {
  u64 x = a[globalIndex()], y = b[globalIndex()];
  while (y) {
    u64 r = x % y;
    x = y;
    y = r;
  }
  out[globalIndex()] = x;
}

KERNEL bitTricks(const uint *in, const u64 *in64, uint *out) {
  uint t = globalIndex(), x = in[t];
  u64 y = in64[t];
  uint r = __builtin_popcount(x);
  r = r * 31 + (x ? __builtin_clz(x) : 32);
  r = r * 31 + __builtin_bitreverse32(x);
  r = r * 31 + __builtin_ffs(x);
  r = r * 31 + __builtin_popcountll(y);
  r = r * 31 + (y ? __builtin_clzll(y) : 64);
  r = r * 31 + (uint)(__builtin_bitreverse64(y) >> 17);
  r = r * 31 + (y ? __builtin_ctzll(y) : 64);
  r = r * 31 + __builtin_bswap32(x);
  r = r * 31 + (uint)(__builtin_bswap64(y) >> 5);
  r = r * 31 + __builtin_rotateleft32(x, t & 31);
  r = r * 31 + (uint)__builtin_rotateleft64(y, t);
  r = r * 31 + (uint)(((int)x << 7) >> 13);
  r = r * 31 + (uint)((i64)(y << 9) >> 40);
  r = r * 31 + __builtin_abs((int)x) + ((int)x < 0 ? 5 : (int)x > 1000 ? 7 : 9);
  out[t] = r;
}

// Saturating bytes four at a time, and their sum of absolute differences.
KERNEL packedBytes(const uint *a, const uint *b, uint *sum, uint *differences) {
  uint t = globalIndex(), x = a[t], y = b[t], r = 0, d = 0;
  for (int k = 0; k < 32; k += 8) {
    uint p = x >> k & 255, q = y >> k & 255, s = p + q;
    r |= (s > 255 ? 255 : s) << k;
    d += p > q ? p - q : q - p;
  }
  sum[t] = r;
  differences[t] = d;
}

KERNEL xorshift(uint *state, uint *out, int rounds) {
  uint t = globalIndex(), x = state[t], sum = 0;
  for (int i = 0; i < rounds; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    sum += x;
  }
  state[t] = x;
  out[t] = sum;
}

INLINE uint pcg(u64 &state) {
  u64 old = state;
  state = old * 6364136223846793005ull + 1442695040888963407ull;
  uint x = (uint)((old >> 18 ^ old) >> 27);
  return __builtin_rotateright32(x, (uint)(old >> 59));
}
KERNEL monteCarloPi(uint *hits, int rounds) {
  u64 state = globalIndex() * 2654435761ull + 12345;
  int inside = 0;
  for (int i = 0; i < rounds; i++) {
    float x = (float)(pcg(state) >> 8) * 0x1p-24f, y = (float)(pcg(state) >> 8) * 0x1p-24f;
    inside += x * x + y * y < 1.0f;
  }
  for (uint d = 16; d; d >>= 1) inside += shuffleDown(inside, d);
  if ((threadIdx.x & 31) == 0) atomicAdd(hits, (uint)inside);
}

KERNEL collatz(int *out) {
  u64 n = globalIndex() + 1;
  int steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    steps++;
  }
  out[globalIndex()] = steps;
}

KERNEL dates(const int *days, int *out) {
  int z = days[globalIndex()] + 719468;
  int era = (z >= 0 ? z : z - 146096) / 146097;
  uint dayOfEra = z - era * 146097;
  uint year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
  uint day = dayOfEra - (365 * year + year / 4 - year / 100), month = (5 * day + 2) / 153;
  int y = (int)year + era * 400 + (month >= 10), m = month < 10 ? month + 3 : month - 9;
  out[globalIndex()] = y * 10000 + m * 100 + (int)(day - (153 * month + 2) / 5 + 1);
}
