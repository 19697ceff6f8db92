// Log analysis by map, sort and reduce, after PageViewCount and PageViewRank of the
// Mars suite. A pair is a key and the place of an address or a word in the text.
#include "burstscope.cuh"

#define FIELDS 3 // date, time and client stand before the address

// Key: the FNV-1a hash of a line's address.
extern "C" __global__ void pageview_map_addresses(const uchar *text, const uint *lines, uint2 *pairs, uint count) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint at = lines[i];
  ROLLED for (uint field = 0; field < FIELDS; at++)
    field += text[at] == ' ';
  uint start = at, key = 2166136261u;
  ROLLED for (uchar c = text[at]; c != '\n'; c = text[++at])
    key = (key ^ c) * 16777619u;
  pairs[i] = {key, start};
}

// Key: the count behind a line's address, inverted so that large ones come first.
extern "C" __global__ void pageview_map_counts(const uchar *text, const uint *lines, uint2 *pairs, uint count) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint start = lines[i], at = start, views = 0;
  ROLLED while (text[at++] != ' ') {
  }
  ROLLED for (uchar c = text[at]; c != '\n'; c = text[++at])
    views = views * 10 + (c - '0');
  pairs[i] = {~views, start};
}

// One pass of a bitonic sort: pairs that lie distance apart, ascending where the run's
// bit of the place is 0.
extern "C" __global__ void pageview_sort(uint2 *pairs, uint distance, uint run) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  uint low = 2 * i - (i & (distance - 1)), high = low + distance;
  uint2 a = pairs[low], b = pairs[high];
  bool descends = a.x > b.x || (a.x == b.x && a.y > b.y);
  if (descends == ((low & run) == 0)) {
    pairs[low] = b;
    pairs[high] = a;
  }
}

// The first pair of every key counts its equals by looking for the last.
extern "C" __global__ void pageview_reduce(const uint2 *pairs, int *views, uint count) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint key = pairs[i].x;
  if (i > 0 && pairs[i - 1].x == key)
    return;
  uint low = i + 1, high = count; // the first pair of another key is in [low, high]
  ROLLED while (low < high) {
    uint middle = (low + high) / 2;
    if (pairs[middle].x == key)
      low = middle + 1;
    else
      high = middle;
  }
  views[i] = low - i;
}

// The lines of Mars: an address, a tab, and a client and a cookie or a count.
// Key: the FNV-1a hash of the address.
extern "C" __global__ void pageview_map_visits(const uchar *text, const uint *lines, uint2 *pairs, uint count) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint start = lines[i], at = start, key = 2166136261u;
  ROLLED for (uchar c = text[at]; c != '\t'; c = text[++at])
    key = (key ^ c) * 16777619u;
  pairs[i] = {key, start};
}

// Key: the count, inverted.
extern "C" __global__ void pageview_map_ranks(const uchar *text, const uint *lines, uint2 *pairs, uint count) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint start = lines[i], at = start, views = 0;
  ROLLED while (text[at++] != '\t') {
  }
  ROLLED for (uchar c = text[at]; c != '\n'; c = text[++at])
    views = views * 10 + (c - '0');
  pairs[i] = {~views, start};
}

// WordCount of the suite: a thread counts the words of at least six letters in a piece of
// the text, and later lists them.
#define WORD_LEAST 6

static __device__ bool letter(uchar c) { return c >= 'A' && c <= 'Z'; }

extern "C" __global__ void pageview_count_words(const uchar *text, const uint *pieces, uint *counts, uint count) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint words = 0, length = 0;
  ROLLED for (uint at = pieces[i], end = pieces[i + 1]; at < end; at++) {
    length = letter(text[at]) ? length + 1 : 0;
    words += length == WORD_LEAST;
  }
  counts[i] = words;
}

// Where the words of each piece go: one thread adds up.
extern "C" __global__ void pageview_place_words(const uint *counts, uint *places, uint count) {
  if (threadIdx.x != 0)
    return;
  uint sum = 0;
  ROLLED for (uint i = 0; i < count; i++) {
    places[i] = sum;
    sum += counts[i];
  }
}

// Key: the FNV-1a hash of a word.
extern "C" __global__ void pageview_map_words(const uchar *text, const uint *pieces, const uint *places, uint2 *pairs, uint count) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  uint place = places[i], key = 2166136261u, length = 0;
  ROLLED for (uint at = pieces[i], end = pieces[i + 1]; at < end; at++) {
    uchar c = text[at];
    if (letter(c)) {
      key = (key ^ c) * 16777619u;
      length++;
    } else {
      if (length >= WORD_LEAST)
        pairs[place++] = {key, at - length};
      key = 2166136261u;
      length = 0;
    }
  }
}
