// The step of k-means that takes its time, after kmeans of the Rodinia suite: the
// nearest of some centres for every object. A thread reads the features of its object
// one after the other, once for every centre, so that neighbouring threads are a whole
// object apart and only a cache can join their reads.
#include "burstscope.cuh"

extern "C" __global__ void kmeans(const float *features, const float *centres, int *membership, uint objects, uint width,
                                  uint clusters) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= objects)
    return;
  int best = 0;
  float least = 3.40282347e+38f;
  ROLLED for (uint c = 0; c < clusters; c++) {
    float distance = 0;
    ROLLED for (uint f = 0; f < width; f++) {
      float d = features[i * width + f] - centres[c * width + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      best = (int)c;
    }
  }
  membership[i] = best;
}

// Turns the features round: object by object becomes feature by feature.
extern "C" __global__ void kmeans_transpose(const float *rows, float *columns, uint objects, uint width) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= objects)
    return;
  ROLLED for (uint f = 0; f < width; f++)
    columns[f * objects + i] = rows[i * width + f];
}

// kmeans for features in columns: neighbouring threads read neighbouring words.
extern "C" __global__ void kmeans_columns(const float *features, const float *centres, int *membership, uint objects, uint width,
                                          uint clusters) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= objects)
    return;
  int best = 0;
  float least = 3.40282347e+38f;
  ROLLED for (uint c = 0; c < clusters; c++) {
    float distance = 0;
    ROLLED for (uint f = 0; f < width; f++) {
      float d = features[f * objects + i] - centres[c * width + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      best = (int)c;
    }
  }
  membership[i] = best;
}
