// Mass, centre and inertia of solids in closed form.
//
// Polygons and hulls are sums over triangles and tetrahedra with one corner at a point inside, for
// which the second moments of a simplex with corners 0, a, b, c and volume V are exact:
// integral of x x' = V/20 (a a' + b b' + c c' + (a+b+c)(a+b+c)'), and V/12 in the plane
// (A. M. Messner and G. Q. Taylor, "Algorithm 550: Solid polyhedron measures", ACM TOMS 6, 1980,
// compute the same integrals face by face).
#include "stickslip/mass_properties.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "collision/hull/hull_builder.hpp"
#include "model/shapes/shape.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

using std::numbers::pi;

// Of the surface of a shape that is given by its support function, and closer than this part of its
// extent they are one.
constexpr int kSurfacePoints = 1000;
constexpr double kSamePoint = 1e-9;

double trace(const Mat3& A) {
  return A.x.x + A.y.y + A.z.z;
}

// The inertia matrix that belongs to the second moments C, the integral of x x'.
Mat3 inertiaOf(const Mat3& C) {
  return trace(C) * Mat3{} + (-1.0) * C;
}

// Of a point mass about the origin.
Mat3 pointInertia(double mass, Vec3 r) {
  return inertiaOf(mass * outer(r, r));
}

MassProperties centred(double mass, Vec3 moments) {
  return {mass, {}, diagonal(moments)};
}

// Sums of simplices with one corner at `origin`.
class SolidSum {
 public:
  explicit SolidSum(Vec3 origin) : origin_(origin) {}

  void addTriangle(Vec3 a, Vec3 b) {
    a -= origin_;
    b -= origin_;
    add(cross(a, b).z / 2, a + b, outer(a, a) + outer(b, b), 3, 12);
  }
  void addTetrahedron(Vec3 a, Vec3 b, Vec3 c) {
    a -= origin_;
    b -= origin_;
    c -= origin_;
    add(dot(a, cross(b, c)) / 6, a + b + c, outer(a, a) + outer(b, b) + outer(c, c), 4, 20);
  }

  MassProperties properties(double density) const {
    const Vec3 center = (1 / volume_) * first_;
    const Mat3 second = second_ + (-volume_) * outer(center, center);
    return {density * volume_, origin_ + center, density * inertiaOf(second)};
  }

 private:
  void add(double volume, Vec3 corner_sum, const Mat3& corner_squares, double corners,
           double divisor) {
    volume_ += volume;
    first_ += (volume / corners) * corner_sum;
    second_ = second_ + (volume / divisor) * (corner_squares + outer(corner_sum, corner_sum));
  }

  Vec3 origin_;
  double volume_ = 0;
  Vec3 first_;
  Mat3 second_ = diagonal({});
};

MassProperties of(const Disk& s, double density) {
  const double mass = density * pi * s.radius * s.radius;
  return centred(mass, {mass * s.radius * s.radius / 4, mass * s.radius * s.radius / 4,
                        mass * s.radius * s.radius / 2});
}

MassProperties of(const PlanarBox& s, double density) {
  const double mass = density * s.width * s.height;
  const double xx = mass * s.width * s.width / 12, yy = mass * s.height * s.height / 12;
  return centred(mass, {yy, xx, xx + yy});
}

// A rectangle and two half disks, whose centres of mass lie 4 r / (3 pi) from the straight side.
MassProperties of(const PlanarCapsule& s, double density) {
  const MassProperties middle = of(PlanarBox{s.length, 2 * s.radius}, density);
  const MassProperties ends = of(Disk{s.radius}, density);
  const double out = 4 * s.radius / (3 * pi), half = s.length / 2;
  const double xx = ends.inertia.y.y + ends.mass * ((half + out) * (half + out) - out * out);
  const double yy = ends.inertia.x.x;
  return centred(middle.mass + ends.mass,
                 {middle.inertia.x.x + yy, middle.inertia.y.y + xx, middle.inertia.z.z + xx + yy});
}

MassProperties of(const Polygon& s, double density) {
  const auto vertex = [&](std::size_t i) { return Vec3{s.vertices[i].x, s.vertices[i].y, 0}; };
  SolidSum sum(vertex(0));
  for (std::size_t i = 1; i + 1 < s.vertices.size(); ++i) sum.addTriangle(vertex(i), vertex(i + 1));
  return sum.properties(density);
}

MassProperties of(const Sphere& s, double density) {
  const double mass = density * 4 * pi / 3 * s.radius * s.radius * s.radius;
  const double moment = 0.4 * mass * s.radius * s.radius;
  return centred(mass, {moment, moment, moment});
}

MassProperties of(const Cylinder& s, double density) {
  const double square = s.radius * s.radius;
  const double mass = density * pi * square * s.height;
  const double across = mass * (3 * square + s.height * s.height) / 12;
  return centred(mass, {across, across, mass * square / 2});
}

// A cylinder and two hemispheres, whose centres of mass lie 3 r / 8 from the flat side.
MassProperties of(const Capsule& s, double density) {
  const MassProperties middle = of(Cylinder{s.radius, s.length}, density);
  const MassProperties ends = of(Sphere{s.radius}, density);
  const double out = 3 * s.radius / 8, half = s.length / 2;
  const double across =
      middle.inertia.x.x + ends.inertia.x.x + ends.mass * ((half + out) * (half + out) - out * out);
  return centred(middle.mass + ends.mass, {across, across, middle.inertia.z.z + ends.inertia.z.z});
}

MassProperties of(const Box& s, double density) {
  const double mass = density * s.size.x * s.size.y * s.size.z;
  const Vec3 square{s.size.x * s.size.x, s.size.y * s.size.y, s.size.z * s.size.z};
  return centred(mass, {mass * (square.y + square.z) / 12, mass * (square.x + square.z) / 12,
                        mass * (square.x + square.y) / 12});
}

MassProperties of(const ConvexHull& s, double density) {
  const std::optional<Hull> hull = buildHull(s.points);
  assert(hull);
  const auto vertex = [&](int i) { return hull->vertices[i]; };
  SolidSum sum(hull->vertices[0]);
  for (const std::vector<int>& loop : hull->faces)
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
      sum.addTetrahedron(vertex(loop[0]), vertex(loop[i]), vertex(loop[i + 1]));
  return sum.properties(density);
}

// The hull of points of the surface; those of a polytope are its corners, again and again.
MassProperties of(const SupportShape& s, double density) {
  if (s.volume > 0) return {density * s.volume, s.center, density * s.inertia};
  ConvexHull hull;
  for (const Vec3& d : sphereDirections(kSurfacePoints)) {
    const Vec3 p = s.support(d) + s.radius * d;
    const bool is_known = std::any_of(hull.points.begin(), hull.points.end(), [&](const Vec3& q) {
      return norm(p - q) <= kSamePoint * s.extent;
    });
    if (!is_known) hull.points.push_back(p);
  }
  return of(hull, density);
}

// Half-planes, chains, half-spaces, height fields and meshes have no volume.
template <class Terrain>
MassProperties of(const Terrain&, double) {
  assert(false && "terrain has no mass");
  return {};
}

// One rotation of Jacobi's method: makes A(p, q) zero and applies the same rotation to V.
void rotate(double (&A)[3][3], double (&V)[3][3], int p, int q) {
  if (A[p][q] == 0) return;
  const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  const double t = std::copysign(1.0, theta) / (std::abs(theta) + math::hypot(theta, 1.0));
  const double c = 1 / math::hypot(t, 1.0), s = t * c;
  for (int k = 0; k < 3; ++k) {
    const double kp = A[k][p], kq = A[k][q];
    A[k][p] = c * kp - s * kq;
    A[k][q] = s * kp + c * kq;
  }
  for (int k = 0; k < 3; ++k) {
    const double pk = A[p][k], qk = A[q][k];
    A[p][k] = c * pk - s * qk;
    A[q][k] = s * pk + c * qk;
    const double vp = V[k][p], vq = V[k][q];
    V[k][p] = c * vp - s * vq;
    V[k][q] = s * vp + c * vq;
  }
  A[p][q] = A[q][p] = 0;
}

}  // namespace

PrincipalInertia principalInertia(const Mat3& inertia) {
  double A[3][3], V[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      A[i][j] = (inertia(i, j) + inertia(j, i)) / 2;
      V[i][j] = i == j ? 1 : 0;
    }
  // Converges quadratically; six sweeps reach rounding for any 3 x 3 matrix, ten are to spare.
  for (int sweep = 0; sweep < 10; ++sweep) {
    rotate(A, V, 0, 1);
    rotate(A, V, 0, 2);
    rotate(A, V, 1, 2);
  }
  int order[3] = {0, 1, 2};
  std::stable_sort(order, order + 3, [&](int i, int j) { return A[i][i] < A[j][j]; });
  const auto column = [&](int j) { return Vec3{V[0][j], V[1][j], V[2][j]}; };
  const Vec3 x = normalized(column(order[0])), y = normalized(column(order[1]));
  return {{A[order[0]][order[0]], A[order[1]][order[1]], A[order[2]][order[2]]},
          {x, y, normalized(cross(x, y))}};
}

MassProperties massProperties(const Shape& shape, double density) {
  return std::visit([&](const auto& s) { return of(s, density); }, shape);
}

MassProperties massProperties(std::span<const PlacedShape> shapes,
                              std::span<const double> densities) {
  assert(!shapes.empty() && shapes.size() == densities.size());
  std::vector<MassProperties> parts;
  MassProperties sum{0, {}, diagonal({})};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Pose& placement = shapes[i].placement;
    MassProperties part = massProperties(shapes[i].shape, densities[i]);
    part.center = placement.pointToWorld(part.center);
    part.inertia = placement.rotation * part.inertia * transposed(placement.rotation);
    parts.push_back(part);
    sum.mass += part.mass;
    sum.center += part.mass * part.center;
  }
  sum.center = (1 / sum.mass) * sum.center;
  for (const MassProperties& part : parts)
    sum.inertia = sum.inertia + part.inertia + pointInertia(part.mass, part.center - sum.center);
  return sum;
}

MassProperties massProperties(std::span<const PlacedShape> shapes,
                              std::span<const Material> materials) {
  std::vector<double> densities;
  for (const PlacedShape& placed : shapes)
    densities.push_back(placed.density > 0 ? placed.density : materials[placed.material].density);
  return massProperties(shapes, densities);
}

std::string problemOf(const MassProperties& properties, int dimension) {
  constexpr double kSlack = 1e-9;  // of the largest moment
  if (!std::isfinite(properties.mass) || !(properties.mass > 0))
    return "the mass must be finite and > 0";
  for (int i = 0; i < 3; ++i)
    if (!std::isfinite(properties.center[i])) return "the centre of mass must be finite";
  const Mat3& J = properties.inertia;
  if (dimension == 2)
    return std::isfinite(J(2, 2)) && J(2, 2) > 0 ? "" : "the inertia must be finite and > 0";
  double largest = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (!std::isfinite(J(i, j))) return "the inertia matrix must be finite";
      largest = std::max(largest, std::abs(J(i, j)));
    }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(J(i, j) - J(j, i)) > kSlack * largest)
        return "the inertia matrix must be symmetric";
  const Vec3 moments = principalInertia(J).moments;
  if (!(moments.x > 0)) return "the inertia matrix must be positive definite";
  if (moments.x + moments.y < (1 - kSlack) * moments.z)
    return "the principal moments of inertia must satisfy the triangle inequality: the largest is "
           "at most the sum of the other two";
  return {};
}

}  // namespace stickslip
