// One step of training: weights are kept in f32, gradients come and weights leave in bf16. A
// thread takes two parameters.
#include "tensor.cuh"
TARGET(sm_80, ptx71)

extern "C" __global__ void sgd(float2 *master, float2 *momentum, const uint *gradient, uint *weight, float rate, float keep, uint pairs) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  float2 g = ofBF16x2(gradient[i]), m = momentum[i], w = master[i];
  m = {__builtin_fmaf(keep, m.x, g.x), __builtin_fmaf(keep, m.y, g.y)};
  w = {__builtin_fmaf(-rate, m.x, w.x), __builtin_fmaf(-rate, m.y, w.y)};
  momentum[i] = m;
  master[i] = w;
  weight[i] = toBF16x2(w.x, w.y);
}

// The weight after a step; first and second have the moments' bias taken out by the host's factors.
BURSTSCOPE_BUILTIN float stepped(float w, float first, float second, float rate, float decay) {
  return __builtin_fmaf(-rate, __builtin_fmaf(decay, w, first / (sqrtf(second) + 1e-8f)), w);
}

extern "C" __global__ void adam(float2 *master, float2 *first, float2 *second, const uint *gradient, uint *weight, float rate, float decay, float unbias1, float unbias2,
                                uint pairs) {
  const float keep1 = 0.9f, keep2 = 0.95f;
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  float2 g = ofBF16x2(gradient[i]), m = first[i], v = second[i], w = master[i];
  m = {__builtin_fmaf(keep1, m.x, (1 - keep1) * g.x), __builtin_fmaf(keep1, m.y, (1 - keep1) * g.y)};
  v = {__builtin_fmaf(keep2, v.x, (1 - keep2) * g.x * g.x), __builtin_fmaf(keep2, v.y, (1 - keep2) * g.y * g.y)};
  w = {stepped(w.x, m.x * unbias1, v.x * unbias2, rate, decay), stepped(w.y, m.y * unbias1, v.y * unbias2, rate, decay)};
  first[i] = m;
  second[i] = v;
  master[i] = w;
  weight[i] = toBF16x2(w.x, w.y);
}
