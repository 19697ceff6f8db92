// One training step of a layered neural network with 16 hidden units, after backprop
// of the Rodinia suite. CTAs of 16 x 16 threads, one per 16 inputs. Index 0 of every
// layer is its bias, so weights have 17 columns.
#include "burstscope.cuh"

#define UNITS 16
#define COLUMNS (UNITS + 1)

// Products of 16 inputs and their weights, summed to one partial sum per hidden unit.
extern "C" __global__ void backprop_forward(const float *input, const float *weights, float *partialSum) {
  __shared__ float inputs[UNITS];
  __shared__ float products[UNITS][UNITS];
  uint tx = threadIdx.x, ty = threadIdx.y;
  uint row = blockIdx.y * UNITS + ty + 1;

  float weight = weights[row * COLUMNS + tx + 1]; APPROXIMATE(weights)
  if (tx == 0)
    inputs[ty] = input[row]; APPROXIMATE(input)
  __syncthreads();
  products[ty][tx] = weight * inputs[ty];
  __syncthreads();
  for (uint half = 1; half < UNITS; half *= 2) {
    if (ty % (2 * half) == 0)
      products[ty][tx] += products[ty + half][tx];
    __syncthreads();
  }
  if (tx == 0)
    partialSum[blockIdx.y * UNITS + ty] = products[0][ty];
}

static __device__ float squashed(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }

// What Rodinia leaves to the host, by one CTA: the hidden units from the partial
// sums of all rows, the one output unit behind them, and the error of each hidden
// unit for a given target.
extern "C" __global__ void backprop_hidden(const float *partialSum, uint rows, const float *weights, const float *outputWeights,
                                           float target, float *hidden, float *delta) {
  __shared__ float sums[UNITS][UNITS];
  uint tx = threadIdx.x, ty = threadIdx.y;

  float sum = 0;
  for (uint row = ty; row < rows; row += UNITS)
    sum += partialSum[row * UNITS + tx];
  sums[ty][tx] = sum;
  __syncthreads();
  for (uint half = UNITS / 2; half > 0; half /= 2) {
    if (ty < half)
      sums[ty][tx] += sums[ty + half][tx];
    __syncthreads();
  }
  float unit = squashed(weights[tx + 1] + sums[0][tx]); // row 0 holds the weights of the bias
  if (ty == 1)
    sums[1][tx] = unit;
  __syncthreads();

  float output = outputWeights[0];
  for (uint j = 0; j < UNITS; j++)
    output += sums[1][j] * outputWeights[j + 1];
  output = squashed(output);
  float outputDelta = output * (1.0f - output) * (target - output);
  if (ty != 0)
    return;
  hidden[tx + 1] = unit;
  delta[tx + 1] = unit * (1.0f - unit) * outputDelta * outputWeights[tx + 1];
  if (tx == 0)
    hidden[0] = 1.0f;
}

// Every weight moves along its gradient, with momentum.
extern "C" __global__ void backprop_adjust(const float *delta, const float *input, float *weights, float *previous) {
  const float eta = 0.3f, momentum = 0.3f;
  uint tx = threadIdx.x, ty = threadIdx.y;
  uint row = blockIdx.y * UNITS + ty + 1;
  uint i = row * COLUMNS + tx + 1;

  float step = eta * delta[tx + 1] * input[row] + momentum * previous[i]; APPROXIMATE(delta, input, previous)
  weights[i] += step; APPROXIMATE(weights)
  previous[i] = step;
  if (ty == 0 && blockIdx.y == 0) { // the weights of the bias, whose input is 1
    float bias = eta * delta[tx + 1] + momentum * previous[tx + 1]; APPROXIMATE(delta, previous)
    weights[tx + 1] += bias; APPROXIMATE(weights)
    previous[tx + 1] = bias;
  }
}
