// Lines that equal a keyword, after StringMatch of the Mars suite: one thread for each
// piece of the text, byte by byte. Mars counts the lines in a first pass and lists them in
// a second.
#include "burstscope.cuh"

// The line that starts at a place, up to its end, is the keyword, up to its zero.
static __device__ bool equal(const uchar *text, const uchar *keyword, uint start, uint length, uint keywordLength) {
  if (length != keywordLength)
    return false;
  uint k = 0;
  ROLLED while (k < length && text[start + k] == keyword[k])
    k++;
  return k == length;
}

extern "C" __global__ void match_count(const uchar *text, const uchar *keyword, const uint *pieces, int *found, uint count,
                                       uint keywordLength) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint start = pieces[i], end = pieces[i + 1];
  int n = 0;
  ROLLED for (uint at = start; at < end; at++)
    if (text[at] == '\n') { APPROXIMATE(text)
      n += equal(text, keyword, start, at - start, keywordLength);
      start = at + 1;
    }
  found[i] = n;
}

// Ours marks the place where a line starts; Mars lists the places.
extern "C" __global__ void match_mark(const uchar *text, const uchar *keyword, const uint *pieces, uchar *hits, uint count,
                                      uint keywordLength) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint start = pieces[i], end = pieces[i + 1];
  ROLLED for (uint at = start; at < end; at++)
    if (text[at] == '\n') { APPROXIMATE(text)
      if (equal(text, keyword, start, at - start, keywordLength))
        hits[start] = 1;
      start = at + 1;
    }
}
