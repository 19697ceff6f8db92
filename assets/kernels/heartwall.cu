// Points of a heart's wall followed through ultrasound frames, after heartwall of the
// Rodinia suite: one CTA a point looks for the place around the last one where the
// frame is most like the point's template.
#include "burstscope.cuh"

#define THREADS 256
#define HALF 12                      // the template reaches so far from its middle
#define SIDE (2 * HALF + 1)
#define SEARCH 10                    // and may move so far from one frame to the next
#define OFFSETS (2 * SEARCH + 1)
#define WINDOW (2 * (HALF + SEARCH) + 1)
#define CELLS (SIDE * SIDE)

static __device__ inline int clamped(int v, int count) { return v < 0 ? 0 : v < count ? v : count - 1; }

// What the points look like in the first frame.
extern "C" __global__ void heartwall_templates(const float *frame, int width, int height, const int *rows, const int *columns,
                                               float *templates) {
  float *pattern = templates + blockIdx.x * CELLS;
  int top = rows[blockIdx.x] - HALF, left = columns[blockIdx.x] - HALF;
  ROLLED for (int i = threadIdx.x; i < CELLS; i += THREADS)
    pattern[i] = frame[clamped(top + i / SIDE, height) * width + clamped(left + i % SIDE, width)]; APPROXIMATE(frame)
}

// A sum over the SIDE x SIDE cells whose upper left one is (x, y), from sums over all
// that lie above and to the left.
static __device__ inline float box(const float *total, int x, int y) {
  float sum = total[(y + SIDE - 1) * WINDOW + x + SIDE - 1];
  if (x > 0)
    sum -= total[(y + SIDE - 1) * WINDOW + x - 1];
  if (y > 0)
    sum -= total[(y - 1) * WINDOW + x + SIDE - 1];
  if (x > 0 && y > 0)
    sum += total[(y - 1) * WINDOW + x - 1];
  return sum;
}

extern "C" __global__ void heartwall_track(const float *frames, uint first, int width, int height, float *templates,
                                           float *windows, float *sums, float *squares, float *scores, int *rows, int *columns,
                                           int *trace, uint step) {
  __shared__ float best[THREADS];
  __shared__ int bestAt[THREADS];
  __shared__ float patternSum, patternSquares;
  uint point = blockIdx.x;
  int thread = threadIdx.x;
  const float *frame = frames + first;
  float *pattern = templates + point * CELLS;
  float *window = windows + point * WINDOW * WINDOW;
  float *total = sums + point * WINDOW * WINDOW;
  float *totalSquares = squares + point * WINDOW * WINDOW;
  float *score = scores + point * OFFSETS * OFFSETS;
  int row = rows[point], column = columns[point];

  int top = row - HALF - SEARCH, left = column - HALF - SEARCH;
  ROLLED for (int i = thread; i < WINDOW * WINDOW; i += THREADS)
    window[i] = frame[clamped(top + i / WINDOW, height) * width + clamped(left + i % WINDOW, width)]; APPROXIMATE(frame)
  __syncthreads();

  // Running sums down the columns; of the template by a thread of another warp.
  if (thread < WINDOW) {
    float sum = 0, square = 0;
    ROLLED for (int i = thread; i < WINDOW * WINDOW; i += WINDOW) {
      float v = window[i]; APPROXIMATE(window)
      total[i] = sum += v;
      totalSquares[i] = square += v * v;
    }
  } else if (thread == THREADS - 1) {
    float sum = 0, square = 0;
    ROLLED for (int i = 0; i < CELLS; i++) {
      sum += pattern[i]; APPROXIMATE(pattern)
      square += pattern[i] * pattern[i];
    }
    patternSum = sum;
    patternSquares = square;
  }
  __syncthreads();
  if (thread < WINDOW) { // along the rows
    float sum = 0, square = 0;
    ROLLED for (int i = thread * WINDOW; i < (thread + 1) * WINDOW; i++) {
      total[i] = sum += total[i]; APPROXIMATE(total)
      totalSquares[i] = square += totalSquares[i]; APPROXIMATE(totalSquares)
    }
  }
  __syncthreads();

  // The correlation at every offset, free of brightness and contrast.
  float most = -2;
  int mostAt = 0;
  float patternSpread = patternSquares - patternSum * patternSum * (1.0f / CELLS);
  ROLLED for (int o = thread; o < OFFSETS * OFFSETS; o += THREADS) {
    int x = o % OFFSETS, y = o / OFFSETS;
    float product = 0;
    ROLLED for (int v = 0; v < SIDE; v++)
      ROLLED for (int u = 0; u < SIDE; u++)
        product += pattern[v * SIDE + u] * window[(y + v) * WINDOW + x + u]; APPROXIMATE(pattern, window)
    float sum = box(total, x, y);
    float spread = box(totalSquares, x, y) - sum * sum * (1.0f / CELLS);
    float c = __fdividef(product - patternSum * sum * (1.0f / CELLS), sqrtf(fmaxf(spread * patternSpread, 1.0f)));
    score[o] = c;
    if (c > most) {
      most = c;
      mostAt = o;
    }
  }
  best[thread] = most;
  bestAt[thread] = mostAt;
  ROLLED for (int half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half && best[thread + half] > best[thread]) {
      best[thread] = best[thread + half];
      bestAt[thread] = bestAt[thread + half];
    }
  }
  __syncthreads();

  // The point moves, and the template takes a little of what is there.
  int moveX = bestAt[0] % OFFSETS, moveY = bestAt[0] / OFFSETS;
  ROLLED for (int i = thread; i < CELLS; i += THREADS)
    pattern[i] = 0.87f * pattern[i] + 0.13f * window[(moveY + i / SIDE) * WINDOW + moveX + i % SIDE]; APPROXIMATE(pattern, window)
  if (thread == 0) {
    row = clamped(row + moveY - SEARCH, height);
    column = clamped(column + moveX - SEARCH, width);
    rows[point] = row;
    columns[point] = column;
    trace[2 * (step * gridDim.x + point)] = row;
    trace[2 * (step * gridDim.x + point) + 1] = column;
  }
}
