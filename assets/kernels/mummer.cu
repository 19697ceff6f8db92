// Maximal matches of many short strings of DNA with a long one, after mummergpu of the
// Rodinia suite: every thread walks a string down the suffix tree of the reference,
// from each of its places where a match of the least length fits.
#include "burstscope.cuh"

// A node: the part [x, y) of the reference that its edge spells, where the string from
// the root begins (z), how long that string is (w). Its children by the first base of
// their edges, 0 for none, as no edge leads to the root.
extern "C" __global__ void mummer(const uint4 *nodes, const uint *children, const uchar *reference, const uchar *queries,
                                  uint length, uint least, int *matchLength, int *matchPlace, uint count) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const uchar *query = queries + i * length;
  ROLLED for (uint from = 0; from + least <= length; from++) {
    uint node = 0, at = from, place = 0;
    bool whole = true; // the last edge was followed to its end
    ROLLED while (whole && at < length) {
      uint base = (query[at] >> 1) & 3; // A C T G
      node = children[4 * node + base];
      if (node == 0)
        break;
      uint4 edge = nodes[node];
      uint j = edge.x;
      ROLLED do {
        j++;
        at++;
      } while (j < edge.y && at < length && reference[j] == query[at]);
      whole = j == edge.y;
      place = edge.z;
    }
    matchLength[from * count + i] = at - from;
    matchPlace[from * count + i] = place;
  }
}
