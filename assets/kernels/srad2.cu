// Speckle-reducing anisotropic diffusion, after srad_v2 of the Rodinia suite: the
// first kernel makes the four derivatives and the diffusion coefficient, the second
// moves the image by their divergence. CTAs of 16 x 16 threads; width and height are
// multiples of 16.
#include "burstscope.cuh"

#define TILE 16

extern "C" __global__ void srad2_derive(float *eastC, float *westC, float *northC, float *southC, const float *image,
                                        float *coefficient, uint width, uint height, float q0Squared) {
  __shared__ float tile[TILE][TILE];
  uint tx = threadIdx.x, ty = threadIdx.y;
  uint x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  uint i = y * width + x;

  // The image repeats its border outwards. Each thread loads its own pixel; those
  // on the rim of a tile load a neighbour from beyond it, too.
  float centre = image[i];
  float north = centre, south = centre, west = centre, east = centre;
  if (ty == 0 && y > 0)
    north = image[i - width];
  if (ty == TILE - 1 && y + 1 < height)
    south = image[i + width];
  if (tx == 0 && x > 0)
    west = image[i - 1];
  if (tx == TILE - 1 && x + 1 < width)
    east = image[i + 1];
  tile[ty][tx] = centre;
  __syncthreads();
  if (ty > 0)
    north = tile[ty - 1][tx];
  if (ty < TILE - 1)
    south = tile[ty + 1][tx];
  if (tx > 0)
    west = tile[ty][tx - 1];
  if (tx < TILE - 1)
    east = tile[ty][tx + 1];

  north -= centre;
  south -= centre;
  west -= centre;
  east -= centre;

  float inverse = __fdividef(1.0f, centre);
  float gradient = (north * north + south * south + west * west + east * east) * inverse * inverse;
  float laplacian = (north + south + west + east) * inverse;
  float numerator = 0.5f * gradient - 0.0625f * laplacian * laplacian;
  float denominator = 1.0f + 0.25f * laplacian;
  float qSquared = __fdividef(numerator, denominator * denominator);
  float c = __fdividef(1.0f, 1.0f + __fdividef(qSquared - q0Squared, q0Squared * (1.0f + q0Squared)));
  c = fminf(fmaxf(c, 0.0f), 1.0f);

  coefficient[i] = c;
  eastC[i] = east;
  westC[i] = west;
  northC[i] = north;
  southC[i] = south;
}

extern "C" __global__ void srad2_update(const float *eastC, const float *westC, const float *northC, const float *southC,
                                        float *image, const float *coefficient, uint width, uint height, float lambda) {
  __shared__ float tile[TILE][TILE];
  uint tx = threadIdx.x, ty = threadIdx.y;
  uint x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  uint i = y * width + x;

  float c = coefficient[i];
  float cSouth = c, cEast = c;
  if (ty == TILE - 1 && y + 1 < height)
    cSouth = coefficient[i + width];
  if (tx == TILE - 1 && x + 1 < width)
    cEast = coefficient[i + 1];
  float north = northC[i], south = southC[i], west = westC[i], east = eastC[i];
  float centre = image[i];
  tile[ty][tx] = c;
  __syncthreads();
  if (ty < TILE - 1)
    cSouth = tile[ty + 1][tx];
  if (tx < TILE - 1)
    cEast = tile[ty][tx + 1];

  float divergence = c * north + cSouth * south + c * west + cEast * east;
  image[i] = centre + 0.25f * lambda * divergence;
}
