#include "cones/cone.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

using ConeKind = Cone::Kind;
using Point = std::array<double, 3>;

double tangentialNorm(std::span<const double> x) {
  if (x.size() == 2) return std::abs(x[1]);
  double square = 0;
  for (std::size_t k = 1; k < x.size(); ++k) square += x[k] * x[k];
  return std::sqrt(square);
}

void projectOnCone(std::span<double> x) {
  if (x.size() == 1) {
    x[0] = std::max(x[0], 0.0);
    return;
  }
  const double side = tangentialNorm(x);
  if (side <= x[0]) return;
  if (side <= -x[0]) {
    std::fill(x.begin(), x.end(), 0.0);
    return;
  }
  const double n = (x[0] + side) / 2, ratio = n / side;
  x[0] = n;
  for (std::size_t k = 1; k < x.size(); ++k) x[k] *= ratio;
}

double dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Point edge(int directions, int k) {
  const std::array<double, 2> corner = polygonCorner(directions, k);
  return {1, corner[0], corner[1]};
}

// The point of the face between two edges next to x, as far as it is one with weights >= 0.
bool nearestOfFace(const Point& a, const Point& b, const Point& x, Point& nearest) {
  const double aa = dot(a, a), ab = dot(a, b), bb = dot(b, b), ax = dot(a, x), bx = dot(b, x);
  const double determinant = aa * bb - ab * ab;
  const double s = (bb * ax - ab * bx) / determinant, t = (aa * bx - ab * ax) / determinant;
  if (!(s >= 0 && t >= 0)) return false;
  for (std::size_t k = 0; k < 3; ++k) nearest[k] = s * a[k] + t * b[k];
  return true;
}

// Normals of faces point outwards; a and b are neighbouring edges, anticlockwise.
bool isOutside(const Point& a, const Point& b, const Point& x) {
  const Point normal{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                     a[0] * b[1] - a[1] * b[0]};
  return dot(normal, x) < 0;
}

// Faces first: the point next to x is on one of those that x is outside of, or on an edge, or zero.
void projectOnPolygonCone(int directions, std::span<double> x) {
  const Point point{x[0], x[1], x[2]};
  Point best{};
  double best_distance = dot(point, point);
  bool inside = true;
  const auto offer = [&](const Point& candidate) {
    const Point gap{point[0] - candidate[0], point[1] - candidate[1], point[2] - candidate[2]};
    if (dot(gap, gap) >= best_distance) return;
    best_distance = dot(gap, gap);
    best = candidate;
  };
  Point a = edge(directions, 0);
  for (int k = 1; k <= directions; ++k) {
    const Point b = edge(directions, k % directions);
    if (isOutside(a, b, point)) {
      inside = false;
      Point nearest;
      if (nearestOfFace(a, b, point, nearest)) offer(nearest);
    }
    const double along = dot(a, point) / dot(a, a);
    if (along > 0) offer({along * a[0], along * a[1], along * a[2]});
    a = b;
  }
  if (!inside) std::copy(best.begin(), best.end(), x.begin());
}

void projectOnSections(const Cone& cone, std::span<double> x) {
  const NearestSections nearest = nearestSections(cone, x);
  x[0] = nearest.n;
  std::size_t row = 1;
  for (std::size_t g = 0; g < kMostSections; ++g)
    for (std::size_t k = 0; k < static_cast<std::size_t>(cone.shapes[g].rows); ++k)
      x[row++] = nearest.friction[g].point[k];
}

double sectionSlip(const Cone& cone, std::span<const double> u) {
  double sum = 0;
  std::size_t first = 1;
  for (const FrictionShape& shape : cone.shapes) {
    const std::size_t rows = shape.rows;
    if (rows > 0) sum += frictionPower(shape, u.subspan(first, rows));
    first += rows;
  }
  return sum;
}

}  // namespace

// n - x_n - sum (y_g - P_g).growth_g, half of the derivative of the squared distance, increases
// with n in linear pieces: Newton's method within a bracket, from zero, ends after as many steps as
// there are pieces on the way.
NearestSections nearestSections(const Cone& cone, std::span<const double> x) {
  constexpr int kMostSteps = 100;
  NearestSections out;
  const auto misfit = [&](double n, double& slope) {
    double sum = n - x[0];
    slope = 1;
    std::size_t first = 1;
    for (std::size_t g = 0; g < kMostSections; ++g) {
      const std::size_t rows = cone.shapes[g].rows;
      if (rows == 0) continue;
      out.friction[g] = nearestFriction(cone.shapes[g], n, x.subspan(first, rows));
      const NearestFriction& near = out.friction[g];
      for (std::size_t k = 0; k < rows; ++k) {
        sum -= (x[first + k] - near.point[k]) * near.growth[k];
        slope += near.growth[k] * near.growth[k];
      }
      first += rows;
    }
    return sum;
  };
  // The misfit is known up to the rounding of its terms, and n with it.
  double size = 0;
  for (const double part : x) size = std::max(size, std::abs(part));
  const double rounding = 2 * std::numeric_limits<double>::epsilon() * size;
  double slope = 1;
  out.n = std::max(x[0], 0.0);
  if (out.n > 0 && misfit(out.n, slope) == 0 && slope == 1) return out;
  out.n = 0;
  double low = 0, high = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMostSteps; ++step) {
    const double error = misfit(out.n, slope);
    (error < 0 ? low : high) = out.n;
    double next = out.n - error / slope;
    if (!(next >= low && next <= high)) next = low + (high - low) / 2;
    if (!(std::abs(next - out.n) > rounding)) break;
    out.n = next;
  }
  return out;
}

void project(const Cone& cone, std::span<double> x) {
  switch (cone.kind) {
    case ConeKind::lorentz:
      return projectOnCone(x);
    case ConeKind::polygon:
      return projectOnPolygonCone(cone.directions, x);
    case ConeKind::sections:
      return projectOnSections(cone, x);
    case ConeKind::load_independent: {
      const NearestFriction nearest = nearestFriction(cone.shapes[0], cone.radius, x);
      std::copy_n(nearest.point.begin(), x.size(), x.begin());
      return;
    }
    case ConeKind::interval:
      x[0] = std::clamp(x[0], cone.lower, cone.upper);
      return;
    case ConeKind::joint:
      return;
  }
}

double slipOf(const Cone& cone, Law law, std::span<const double> u) {
  if (law == Law::relaxed) return 0;
  switch (cone.kind) {
    case ConeKind::lorentz:
      return u.size() == 1 ? 0 : tangentialNorm(u);
    case ConeKind::polygon:
      return frictionPower({2, cone.directions}, u.subspan(1));
    case ConeKind::sections:
      return sectionSlip(cone, u);
    default:
      return 0;
  }
}

void naturalMap(const Cone& cone, Law law, std::span<const double> p, std::span<const double> u,
                std::span<double> out) {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = p[k] - u[k];
  out[0] -= slipOf(cone, law, u);
  project(cone, out);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = p[k] - out[k];
}

namespace {

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

double dot3(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void setOuter(const Point& unit, double sign, double* D) {
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
  const Point point{x[0], x[1], x[2]};
  // Inward normal of the face, and the edge.
  const auto [half_side, apothem] = math::sinCos(width / 2);
  const double length = std::sqrt(1 + apothem * apothem);
  const auto [face_sine, face_cosine] = math::sinCos(face_angle);
  const Point normal{apothem / length, -face_cosine / length, -face_sine / length};
  const auto [edge_sine, edge_cosine] = math::sinCos(edge_angle);
  const Point edge{std::sqrt(0.5), edge_cosine * std::sqrt(0.5), edge_sine * std::sqrt(0.5)};
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
    case ConeKind::lorentz:
      if (cone.rows == 1) return projectRow(0, HUGE_VAL, x, y, D);
      if (cone.rows == 2) return projectPlanar(x, y, D);
      return projectLorentz(cone.rows, x, y, D);
    case ConeKind::polygon:
      return projectPolygon(cone.directions, x, y, D);
    case ConeKind::sections:
      return projectSections(cone, x, y, D);
    case ConeKind::load_independent:
      return projectFixed(cone, x, y, D);
    case ConeKind::interval:
      return projectRow(cone.lower, cone.upper, x, y, D);
    case ConeKind::joint:
      std::copy_n(x, cone.rows, y);
      return setIdentity(cone.rows, D);
  }
}

}  // namespace stickslip
