// Global alignment of two sequences, after nw of the Rodinia suite: one CTA of 16
// threads for a tile of 16 x 16, one launch for each diagonal of tiles, and within a
// tile one step for each diagonal of elements.
#include "burstscope.cuh"

#define TILE 16

static __device__ int larger(int a, int b) { return a > b ? a : b; }

// The tiles of a launch go up and to the right. The first row and column of the
// scores are borders.
extern "C" __global__ void needleman(const int *similarity, int *scores, int columns, int penalty, int firstX, int firstY) {
  __shared__ int score[TILE + 1][TILE + 1];
  __shared__ int alike[TILE][TILE];
  int t = threadIdx.x;
  int corner = columns * TILE * (firstY - (int)blockIdx.x) + TILE * (firstX + (int)blockIdx.x);
  ROLLED for (int row = 0; row < TILE; row++)
    alike[row][t] = similarity[corner + columns * (row + 1) + t + 1];
  if (t == 0)
    score[0][0] = scores[corner];
  score[t + 1][0] = scores[corner + columns * (t + 1)];
  score[0][t + 1] = scores[corner + t + 1];
  __syncthreads();
  ROLLED for (int diagonal = 0; diagonal < 2 * TILE - 1; diagonal++) {
    int row = diagonal - t;
    if (row >= 0 && row < TILE)
      score[row + 1][t + 1] =
          larger(score[row][t] + alike[row][t], larger(score[row + 1][t], score[row][t + 1]) - penalty);
    __syncthreads();
  }
  ROLLED for (int row = 0; row < TILE; row++)
    scores[corner + columns * (row + 1) + t + 1] = score[row + 1][t + 1];
}
