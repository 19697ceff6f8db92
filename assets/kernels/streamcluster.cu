// What opening a centre would save, after streamcluster of the Rodinia suite: one
// thread a point. Coordinates lie dimension by dimension.
#include "burstscope.cuh"

struct alignas(8) Point {
  float weight;
  int unused;
  unsigned long long coordinates; // of the host
  long long centre;
  float cost;
};

// Point x is the candidate. A row of work has a column for every open centre and one for
// the candidate.
extern "C" __global__ void streamcluster(const Point *points, const float *coordinates, const int *table, float *work, uchar *moves,
                                         uint count, uint dimensions, uint x, uint centres) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float *row = work + i * (centres + 1);
  float distance = 0;
  ROLLED for (uint d = 0; d < dimensions; d++) {
    float apart = coordinates[d * count + i] - coordinates[d * count + x];
    distance += apart * apart;
  }
  float cost = distance * points[i].weight, now = points[i].cost;
  if (cost < now) {
    moves[i] = 1;
    row[centres] += cost - now;
  } else {
    row[table[points[i].centre]] += now - cost;
  }
}
