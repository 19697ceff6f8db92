// Do two triangles in space intersect? After jmeint of the AxBench suite, by the
// interval test of T. Moeller, A Fast Triangle-Triangle Intersection Test, Journal
// of Graphics Tools 2(2), 1997. One thread per pair; corners are x y z triples.
#include "burstscope.cuh"

struct Point {
  float x, y, z;
};

static __device__ Point load(const float *points, uint i) { return {points[3 * i], points[3 * i + 1], points[3 * i + 2]}; }

static __device__ Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

static __device__ Point cross(Point a, Point b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static __device__ float dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// A corner this near to the other plane lies in it; keeps rounding out of the sign tests.
static __device__ float snapped(float distance) { return fabsf(distance) < 1e-6f ? 0.0f : distance; }

struct Flat {
  float x, y;
};

// Which side of the line from a to b the point p lies on.
static __device__ float side(Flat a, Flat b, Flat p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); }

static __device__ bool edgesCross(Flat a, Flat b, Flat c, Flat d) {
  float c1 = side(a, b, c), d1 = side(a, b, d), a1 = side(c, d, a), b1 = side(c, d, b);
  return c1 * d1 <= 0 && a1 * b1 <= 0;
}

static __device__ bool inside(Flat p, Flat a, Flat b, Flat c) {
  float ab = side(a, b, p), bc = side(b, c, p), ca = side(c, a, p);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

static __device__ Flat projected(Point p, int dropped) {
  return dropped == 0 ? Flat{p.y, p.z} : dropped == 1 ? Flat{p.x, p.z} : Flat{p.x, p.y};
}

// Both triangles lie in one plane: look at them along the axis nearest its normal.
static __device__ bool coplanarIntersect(Point normal, Point v0, Point v1, Point v2, Point u0, Point u1, Point u2) {
  float ax = fabsf(normal.x), ay = fabsf(normal.y), az = fabsf(normal.z);
  int dropped = ax > ay ? (ax > az ? 0 : 2) : (ay > az ? 1 : 2);
  Flat v[3] = {projected(v0, dropped), projected(v1, dropped), projected(v2, dropped)};
  Flat u[3] = {projected(u0, dropped), projected(u1, dropped), projected(u2, dropped)};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (edgesCross(v[i], v[(i + 1) % 3], u[j], u[(j + 1) % 3]))
        return true;
  return inside(v[0], u[0], u[1], u[2]) || inside(u[0], v[0], v[1], v[2]);
}

struct Interval {
  float low, high;
};

// Where a triangle cuts the line in which the planes meet. p are its corners along
// that line, d their distances from the other plane: not all on one side, not all 0.
static __device__ Interval cut(float p0, float p1, float p2, float d0, float d1, float d2) {
  // Corner 0 becomes the one that is alone on its side.
  int alone = d0 * d1 > 0 ? 2 : d0 * d2 > 0 ? 1 : d1 * d2 > 0 || d0 != 0 ? 0 : d1 != 0 ? 1 : 2;
  if (alone == 1) {
    float p = p0, d = d0;
    p0 = p1, d0 = d1, p1 = p, d1 = d;
  } else if (alone == 2) {
    float p = p0, d = d0;
    p0 = p2, d0 = d2, p2 = p, d2 = d;
  }
  float a = p0 + (p1 - p0) * __fdividef(d0, d0 - d1);
  float b = p0 + (p2 - p0) * __fdividef(d0, d0 - d2);
  return {fminf(a, b), fmaxf(a, b)};
}

static __device__ bool intersect(Point v0, Point v1, Point v2, Point u0, Point u1, Point u2) {
  Point n1 = cross(v1 - v0, v2 - v0);
  float c1 = dot(n1, v0);
  float du0 = snapped(dot(n1, u0) - c1), du1 = snapped(dot(n1, u1) - c1), du2 = snapped(dot(n1, u2) - c1);
  if (du0 * du1 > 0 && du0 * du2 > 0)
    return false; // u lies on one side of v

  Point n2 = cross(u1 - u0, u2 - u0);
  float c2 = dot(n2, u0);
  float dv0 = snapped(dot(n2, v0) - c2), dv1 = snapped(dot(n2, v1) - c2), dv2 = snapped(dot(n2, v2) - c2);
  if (dv0 * dv1 > 0 && dv0 * dv2 > 0)
    return false;

  if ((du0 == 0 && du1 == 0 && du2 == 0) || (dv0 == 0 && dv1 == 0 && dv2 == 0))
    return coplanarIntersect(n1, v0, v1, v2, u0, u1, u2);

  // Positions along the line are those along its largest axis.
  Point line = cross(n1, n2);
  float ax = fabsf(line.x), ay = fabsf(line.y), az = fabsf(line.z);
  int axis = ax >= ay ? (ax >= az ? 0 : 2) : (ay >= az ? 1 : 2);
  auto along = [axis](Point p) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; };
  Interval v = cut(along(v0), along(v1), along(v2), dv0, dv1, dv2);
  Interval u = cut(along(u0), along(u1), along(u2), du0, du1, du2);
  return v.low <= u.high && u.low <= v.high;
}

extern "C" __global__ void jmeint(const float *v0, const float *v1, const float *v2, const float *u0, const float *u1,
                                  const float *u2, uchar *hit, uint count) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    hit[i] = intersect(load(v0, i), load(v1, i), load(v2, i), load(u0, i), load(u1, i), load(u2, i));
}
