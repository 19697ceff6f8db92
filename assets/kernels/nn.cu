// Nearest neighbour, after nn of the Rodinia suite: the Euclidean distance of every
// record to a target. The host picks the smallest ones.
#include "burstscope.cuh"

extern "C" __global__ void nn(const float2 *locations, float *distances, uint count, float latitude, float longitude) {
  // A two-dimensional grid holds more CTAs than the first machines took in x.
  uint i = (gridDim.x * blockIdx.y + blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float2 at = locations[i];
  float north = latitude - at.x;
  float east = longitude - at.y;
  distances[i] = sqrtf(north * north + east * east);
}
