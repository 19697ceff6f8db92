// One sweep of a proxy: it reads in the order of the program that the proxy stands for, and writes words
// that compress as that program's data do (core/workload/programs/proxy.go).
#include "burstscope.cuh"

BURSTSCOPE_BUILTIN uint mixed(uint x) {
  x = (x ^ x >> 16) * 0x7feb352d;
  x = (x ^ x >> 15) * 0x846ca68b;
  return x ^ x >> 16;
}
BURSTSCOPE_BUILTIN uint folded(uint v) { return v; }
BURSTSCOPE_BUILTIN uint folded(uint4 v) { return (v.x + v.y) ^ (v.z + v.w); }

// A thread reads four words of list, and far taps times: stride elements apart, and up to reach elements
// further as list says. It then writes four words of out. An entry (32 words) belongs to one of four classes.
// shares holds their upper limits in 1/256 and in its upper byte the logarithm of the entries of a region,
// or 32 for stripes of eight entries. bits holds the random bits of a class: 255 are words of zero, more
// than 23 have no float around them.
template <typename T>
BURSTSCOPE_BUILTIN void sweep(const uint4 *list, const T *far, uint4 *out, uint listSize, uint farSize, uint outSize, uint first,
                              uint taps, uint stride, uint reach, uint work, uint shares, uint bits, uint epoch) {
  uint i = first + blockIdx.x * blockDim.x + threadIdx.x;
  uint x = mixed(folded(list[i % listSize]) + i);
  uint sum = 0;
  ROLLED for (uint t = 0; t < taps; t++) {
    uint jump = (unsigned long long)x * reach >> 32;
    sum += folded(far[(i + t * stride + jump) % farSize]);
    x = x * 1664525 + 1013904223;
  }
  x = mixed(x + sum);
  ROLLED for (uint k = 0; k < work; k++)
    x = x * 1664525 + 1013904223;
  uint at = i % outSize;
  uint entry = at >> 3;
  uint grain = shares >> 24;
  uint u = grain == 32 ? entry << 5 & 255 : mixed((entry >> grain) + epoch) & 255;
  uint k = (u >= (shares & 255)) + (u >= (shares >> 8 & 255)) + (u >= (shares >> 16 & 255));
  uint b = bits >> 8 * k & 255;
  uint base = b > 23 ? 0 : 0x3f800000;
  uint mask = b == 255 ? 0 : b > 23 ? ~0u : 0x7fffff & ~0u << (23 - b);
  uint shift = b > 23 ? 0 : 9;
  uint4 q;
  q.x = base | (x >> shift & mask);
  x = x * 1664525 + 1013904223;
  q.y = base | (x >> shift & mask);
  x = x * 1664525 + 1013904223;
  q.z = base | (x >> shift & mask);
  x = x * 1664525 + 1013904223;
  q.w = base | (x >> shift & mask);
  out[at] = q;
}

#define SWEEP(name, type)                                                                                               \
  extern "C" __global__ void name(const uint4 *list, const type *far, uint4 *out, uint listSize, uint farSize, uint outSize, \
                                  uint first, uint taps, uint stride, uint reach, uint work, uint shares,  \
                                  uint bits, uint epoch) {                                                              \
    sweep(list, far, out, listSize, farSize, outSize, first, taps, stride, reach, work, shares, bits, epoch);   \
  }
SWEEP(stream, uint4)
SWEEP(gather, uint)
