// A portfolio of swaptions under the LIBOR market model, after the LIBOR sample of the
// CUDA SDK: one thread a path of the simulated forward rates, which are too many for
// registers and live in local memory. The second kernel keeps all states of its path
// and goes back through them for the sensitivity to the last rate.
#include "burstscope.cuh"

#define RATES 40
#define STEPS 20 // time steps until the options end
#define OPTIONS 15
#define DELTA 0.25f // years between two rates

static __constant__ int maturity[OPTIONS] = {2, 2, 2, 4, 4, 4, 10, 10, 10, 14, 14, 14, 20, 20, 20};
static __constant__ float swapRate[OPTIONS] = {0.045f, 0.05f, 0.055f, 0.045f, 0.05f, 0.055f, 0.045f, 0.05f,
                                               0.055f, 0.045f, 0.05f, 0.055f, 0.045f, 0.05f, 0.055f};
#define INITIAL_RATE 0.05f

// One time step: rates behind n move by their volatility and a normal number.
static __device__ inline void advance(float *rate, const float *lambda, float normal, int n) {
  float shock = 0.5f * normal; // sqrt(DELTA) * normal
  float drift = 0;
  ROLLED for (int i = n + 1; i < RATES; i++) {
    float lam = lambda[i - n - 1];
    float con = DELTA * lam;
    drift += __fdividef(con * rate[i], 1.0f + DELTA * rate[i]);
    rate[i] *= __expf(lam * drift + lam * (shock - 0.5f * con));
  }
}

// The discounted value of the options. With bar, also its derivatives by the rates.
static __device__ inline float portfolio(const float *rate, float *bar) {
  float bond[RATES], annuity[RATES];
  float b = 1, s = 0;
  ROLLED for (int n = STEPS; n < RATES; n++) {
    b = __fdividef(b, 1.0f + DELTA * rate[n]);
    s += DELTA * b;
    bond[n] = b;
    annuity[n] = s;
  }
  float discount = 1;
  ROLLED for (int n = 0; n < STEPS; n++)
    discount = __fdividef(discount, 1.0f + DELTA * rate[n]);
  if (bar)
    ROLLED for (int n = STEPS; n < RATES; n++)
      bar[n] = 0;
  float value = 0;
  float annuityBar[RATES];
  if (bar)
    ROLLED for (int n = STEPS; n < RATES; n++)
      annuityBar[n] = 0;
  ROLLED for (int o = 0; o < OPTIONS; o++) {
    int m = maturity[o] + STEPS - 1;
    float swap = bond[m] + swapRate[o] * annuity[m] - 1.0f;
    if (swap < 0) {
      value -= 100.0f * swap;
      if (bar) {
        bar[m] -= 100.0f * discount;
        annuityBar[m] -= 100.0f * swapRate[o] * discount;
      }
    }
  }
  if (bar) {
    float bondBar = 0, sumBar = 0;
    ROLLED for (int n = RATES - 1; n >= STEPS; n--) {
      float inverse = __fdividef(1.0f, 1.0f + DELTA * rate[n]);
      sumBar += annuityBar[n];
      bondBar += bar[n] + DELTA * sumBar;
      bar[n] = -DELTA * bond[n] * inverse * bondBar;
      bondBar *= inverse;
    }
    ROLLED for (int n = 0; n < STEPS; n++)
      bar[n] = -__fdividef(DELTA * value * discount, 1.0f + DELTA * rate[n]);
  }
  return value * discount;
}

extern "C" __global__ void libor_value(const float *normals, const float *lambda, float *value, uint paths) {
  uint path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths)
    return;
  float rate[RATES];
  ROLLED for (int i = 0; i < RATES; i++)
    rate[i] = INITIAL_RATE;
  ROLLED for (int n = 0; n < STEPS; n++)
    advance(rate, lambda, normals[n * paths + path], n);
  value[path] = portfolio(rate, nullptr);
}

extern "C" __global__ void libor_adjoint(const float *normals, const float *lambda, float *value, float *sensitivity, uint paths) {
  uint path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths)
    return;
  float rate[RATES], bar[RATES];
  float history[STEPS + 1][RATES];
  ROLLED for (int i = 0; i < RATES; i++)
    history[0][i] = rate[i] = INITIAL_RATE;
  ROLLED for (int n = 0; n < STEPS; n++) {
    advance(rate, lambda, normals[n * paths + path], n);
    ROLLED for (int i = n + 1; i < RATES; i++)
      history[n + 1][i] = rate[i];
  }
  value[path] = portfolio(rate, bar);
  ROLLED for (int n = STEPS - 1; n >= 0; n--) {
    float driftBar = 0;
    ROLLED for (int i = RATES - 1; i > n; i--) {
      float lam = lambda[i - n - 1];
      float before = history[n][i], after = history[n + 1][i];
      driftBar += lam * after * bar[i];
      float inverse = __fdividef(1.0f, 1.0f + DELTA * before);
      bar[i] = __fdividef(after, before) * bar[i] + driftBar * DELTA * lam * inverse * inverse;
    }
  }
  sensitivity[path] = bar[RATES - 1];
}
