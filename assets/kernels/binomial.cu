// European call options on a binomial tree, after binomialOptions of the CUDA SDK: one
// CTA an option, the values of the tree's nodes in shared memory, one step back in time
// for every barrier.
#include "burstscope.cuh"

extern __shared__ float nodes[]; // two rows of steps + 1

struct Option {
  float price, strike, logStep; // logStep: a move of the price is exp(+-logStep)
  float up, down;               // discounted probabilities
};

extern "C" __global__ void binomial(const Option *options, float *values, int steps) {
  Option o = options[blockIdx.x];
  float *from = nodes, *to = nodes + steps + 1;
  ROLLED for (int i = threadIdx.x; i <= steps; i += blockDim.x)
    from[i] = fmaxf(o.price * __expf(o.logStep * (2.0f * i - steps)) - o.strike, 0.0f);
  ROLLED for (int step = steps; step > 0; step--) {
    __syncthreads();
    ROLLED for (int i = threadIdx.x; i < step; i += blockDim.x)
      to[i] = o.up * from[i + 1] + o.down * from[i];
    float *swap = from;
    from = to;
    to = swap;
  }
  if (threadIdx.x == 0)
    values[blockIdx.x] = from[0];
}
