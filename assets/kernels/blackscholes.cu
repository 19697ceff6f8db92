// European options by the Black-Scholes closed form, after the BlackScholes
// sample of the CUDA SDK: one option per iteration of a grid-stride loop.
#include "burstscope.cuh"

// Cumulative normal distribution: Abramowitz and Stegun, Handbook of Mathematical
// Functions, 26.2.17; its error is below 7.5e-8.
static __device__ float cumulativeNormal(float d) {
  const float rsqrt2Pi = 0.3989422804014327f;
  float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  float tail = rsqrt2Pi * __expf(-0.5f * d * d) *
               (k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void blackscholes(float *call, float *put, const float *stockPrice, const float *optionStrike,
                                        const float *optionYears, float riskFree, float volatility, uint count) {
  for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    float price = stockPrice[i];
    float strike = optionStrike[i];
    float years = optionYears[i];

    float deviation = volatility * sqrtf(years);
    float d1 = __fdividef(__logf(__fdividef(price, strike)) + (riskFree + 0.5f * volatility * volatility) * years, deviation);
    float d2 = d1 - deviation;
    float n1 = cumulativeNormal(d1);
    float n2 = cumulativeNormal(d2);
    float discounted = strike * __expf(-riskFree * years);

    call[i] = price * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - price * (1.0f - n1);
  }
}
