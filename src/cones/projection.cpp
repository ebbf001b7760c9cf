#include "cones/projection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

using Kind = Cone::Kind;
using Point3 = std::array<double, 3>;

void setIdentity(int rows, double* D) {
  std::fill_n(D, rows * rows, 0.0);
  for (int k = 0; k < rows; ++k) D[k * (rows + 1)] = 1;
}

void projectPlanar(const double* x, double* y, double* D) {
  const double a = (x[0] + x[1]) / 2, b = (x[0] - x[1]) / 2;
  const double on_a = a > 0 ? 0.5 : 0, on_b = b > 0 ? 0.5 : 0;
  y[0] = std::max(a, 0.0) + std::max(b, 0.0);
  y[1] = std::max(a, 0.0) - std::max(b, 0.0);
  D[0] = D[3] = on_a + on_b;
  D[1] = D[2] = on_a - on_b;
}

// D = ((1, w'), (w, (1 + x_n / |x_t|) 1 - x_n / |x_t| w w')) / 2, w = x_t / |x_t|, between the
// cone and its polar.
void projectLorentz(int rows, const double* x, double* y, double* D) {
  double square = 0;
  for (int k = 1; k < rows; ++k) square += x[k] * x[k];
  const double side = std::sqrt(square);
  if (side <= x[0]) {
    std::copy_n(x, rows, y);
    return setIdentity(rows, D);
  }
  if (side <= -x[0]) {
    std::fill_n(y, rows, 0.0);
    std::fill_n(D, rows * rows, 0.0);
    return;
  }
  const double n = (x[0] + side) / 2, ratio = x[0] / side;
  y[0] = n;
  D[0] = 0.5;
  for (int i = 1; i < rows; ++i) {
    const double w = x[i] / side;
    y[i] = n * w;
    D[i] = D[i * rows] = w / 2;
    for (int j = 1; j < rows; ++j)
      D[i * rows + j] = ((i == j ? 1 + ratio : 0) - ratio * w * x[j] / side) / 2;
  }
}

double dot3(const Point3& a, const Point3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void setOuter(const Point3& unit, double sign, double* D) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) D[3 * i + j] += sign * unit[i] * unit[j];
}

// The polygon has its corners' mirror planes, and the point next to x is on the same side of each
// of them: only the face and the edge of the sector in which x is come into question.
void projectPolygon(int directions, const double* x, double* y, double* D) {
  const double width = 2 * std::numbers::pi / directions;
  const double angle = math::atan2(x[2], x[1]);
  const double face_angle = width * (std::floor(angle / width) + 0.5);
  const double edge_angle = width * std::round(angle / width);
  const Point3 point{x[0], x[1], x[2]};
  // Inward normal of the face, and the edge.
  const auto [half_side, apothem] = math::sinCos(width / 2);
  const double length = std::sqrt(1 + apothem * apothem);
  const auto [face_sine, face_cosine] = math::sinCos(face_angle);
  const Point3 normal{apothem / length, -face_cosine / length, -face_sine / length};
  const auto [edge_sine, edge_cosine] = math::sinCos(edge_angle);
  const Point3 edge{std::sqrt(0.5), edge_cosine * std::sqrt(0.5), edge_sine * std::sqrt(0.5)};
  const double height = dot3(point, normal);
  if (height >= 0) {
    std::copy_n(x, 3, y);
    return setIdentity(3, D);
  }
  // On the face as long as the foot is within its sector, half of the width to both sides.
  const double across = -face_sine * x[1] + face_cosine * x[2];
  const double foot_n = x[0] - height * normal[0];
  if (foot_n > 0 && std::abs(across) <= foot_n * half_side) {
    for (std::size_t k = 0; k < 3; ++k) y[k] = x[k] - height * normal[k];
    setIdentity(3, D);
    return setOuter(normal, -1, D);
  }
  const double along = std::max(0.0, dot3(point, edge));
  for (std::size_t k = 0; k < 3; ++k) y[k] = along * edge[k];
  std::fill_n(D, 9, 0.0);
  if (along > 0) setOuter(edge, 1, D);
}

// dn = (dx_n + sum growth_g.dx_g) / (1 + sum |growth_g|^2), dP_g = growth_g dn + share_g T_g dx_g;
// zero where K shrinks to its corner.
void projectSections(const Cone& cone, const double* x, double* y, double* D) {
  const std::size_t rows = cone.rows;
  const NearestSections near = nearestSections(cone, {x, rows});
  std::fill_n(D, rows * rows, 0.0);
  std::fill_n(y, rows, 0.0);
  if (!(near.n > 0)) return;
  y[0] = near.n;
  std::array<double, kMostRows> v{1};
  double square = 1;
  std::size_t first = 1;
  for (std::size_t g = 0; g < kMostSections; ++g) {
    const NearestFriction& friction = near.friction[g];
    const std::size_t count = cone.shapes[g].rows;
    for (std::size_t i = 0; i < count; ++i) {
      y[first + i] = friction.point[i];
      v[first + i] = friction.growth[i];
      square += friction.growth[i] * friction.growth[i];
      for (std::size_t j = 0; j < count; ++j)
        D[(first + i) * rows + first + j] = friction.share * friction.along[i][j];
    }
    first += count;
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j) D[i * rows + j] += v[i] * v[j] / square;
}

void projectFixed(const Cone& cone, const double* x, double* y, double* D) {
  const std::size_t rows = cone.rows;
  const NearestFriction near = nearestFriction(cone.shapes[0], cone.radius, {x, rows});
  for (std::size_t i = 0; i < rows; ++i) {
    y[i] = near.point[i];
    for (std::size_t j = 0; j < rows; ++j) D[i * rows + j] = near.share * near.along[i][j];
  }
}

void projectRow(double lower, double upper, const double* x, double* y, double* D) {
  y[0] = std::clamp(x[0], lower, upper);
  D[0] = x[0] > lower && x[0] < upper ? 1 : 0;
}

}  // namespace

void projectWithDerivative(const Cone& cone, const double* x, double* y, double* D) {
  switch (cone.kind) {
    case Kind::lorentz:
      if (cone.rows == 1) return projectRow(0, HUGE_VAL, x, y, D);
      if (cone.rows == 2) return projectPlanar(x, y, D);
      return projectLorentz(cone.rows, x, y, D);
    case Kind::polygon:
      return projectPolygon(cone.directions, x, y, D);
    case Kind::sections:
      return projectSections(cone, x, y, D);
    case Kind::load_independent:
      return projectFixed(cone, x, y, D);
    case Kind::interval:
      return projectRow(cone.lower, cone.upper, x, y, D);
    case Kind::joint:
      std::copy_n(x, cone.rows, y);
      return setIdentity(cone.rows, D);
  }
}

}  // namespace stickslip
