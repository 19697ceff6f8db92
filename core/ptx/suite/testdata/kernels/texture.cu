// Textures as the CUDA SDK and Rodinia use them. This compiler has no functions for them, so
// their instruction is written out.
#include "suite.cuh"

typedef u64 texture;
typedef uint uint4v __attribute__((ext_vector_type(4)));

INLINE float4v fetch4(texture t, float x, float y) {
  float4v v;
  asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(t), "f"(x), "f"(y));
  return v;
}

INLINE uint4v words4(texture t, float x, float y) {
  uint4v v;
  asm("tex.2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(t), "f"(x), "f"(y));
  return v;
}

INLINE float linear1(texture t, int i) {
  float x, y, z, w;
  asm("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5}];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(t), "r"(i));
  return x;
}

// simpleTexture of the SDK: a picture turned about its centre.
KERNEL rotatePicture(float *out, texture picture, int width, int height, float sine, float cosine) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float u = (float)x / (float)width - 0.5f, v = (float)y / (float)height - 0.5f;
  out[y * width + x] = fetch4(picture, u * cosine - v * sine + 0.5f, v * cosine + u * sine + 0.5f).x;
}

// boxFilter of the SDK: the mean of a row of colours, which are bytes and read as 0 to 1.
KERNEL boxRows(uint *out, texture colours, int width, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float4v sum = 0.0f;
  for (int i = -radius; i <= radius; i++) sum += fetch4(colours, (float)(x + i) + 0.5f, (float)y + 0.5f);
  sum *= 255.0f / (float)(2 * radius + 1);
  out[y * width + x] = (uint)sum.w << 24 | (uint)sum.z << 16 | (uint)sum.y << 8 | (uint)sum.x;
}

// kmeans of Rodinia: the nearest centre, with the features in linear memory.
KERNEL nearestCentre(int *out, texture features, const float *centres, int points, int clusters, int dimensions) {
  int point = globalIndex(), best = -1;
  if (point >= points) return;
  float least = 3.4e38f;
  for (int c = 0; c < clusters; c++) {
    float sum = 0.0f;
    for (int d = 0; d < dimensions; d++) {
      float difference = linear1(features, point + d * points) - centres[c * dimensions + d];
      sum += difference * difference;
    }
    if (sum < least) {
      least = sum;
      best = c;
    }
  }
  out[point] = best;
}

// mummergpu of Rodinia: steps along nodes of four words in a texture of two dimensions.
KERNEL followNodes(uint *out, texture nodes, uint width, uint steps) {
  uint at = globalIndex(), sum = 0;
  for (uint i = 0; i < steps; i++) {
    uint4v node = words4(nodes, (float)(at % width), (float)(at / width));
    sum = sum * 31 + node.w;
    at = node[sum & 1];
  }
  out[globalIndex()] = sum;
}
