#include "cones/alart_curnier.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

using Kind = Cone::Kind;
using Point2 = std::array<double, 2>;

// u + d_u + eps d_p = 0 in one row.
void hold(const AlartCurnier& form, std::span<const double> u, int row, MatrixView S,
          std::span<double> rhs) {
  S(row, row) = 1 / form.eps;
  rhs[row] = -u[row] / form.eps;
}

void slideOnDisc(const AlartCurnier& form, std::span<const double> p, std::span<const double> y,
                 double length, MatrixView S, std::span<double> rhs) {
  const double a = y[0] / length, k = 1 / (1 - a * (1 - form.r * form.eps));
  std::array<double, kMostRows> e{};
  double along = 0;
  for (std::size_t i = 1; i < y.size(); ++i) {
    e[i] = y[i] / length;
    along += e[i] * p[i];
  }
  for (int i = 1; i < S.rows; ++i) {
    const double e_i = e[i];
    S(i, 0) = e_i / form.eps;
    for (int j = 1; j < S.rows; ++j) S(i, j) = k * a * form.r * ((i == j ? 1 : 0) - e_i * e[j]);
    rhs[i] = e_i * (p[0] - along + rhs[0]) - k * (p[i] - e_i * along);
  }
}

// The nearest point of the polygon D to x, outside of it: x is moved there, and `along` is the
// side's direction, or zero at a corner.
Point2 nearestOfConePolygon(int directions, Point2& x) {
  Point2 best{}, along{};
  double best_distance = INFINITY;
  Point2 a = polygonCorner(directions, 0);
  for (int k = 1; k <= directions; ++k) {
    const Point2 b = polygonCorner(directions, k % directions);
    const Point2 side{b[0] - a[0], b[1] - a[1]};
    const double length = math::hypot(side[0], side[1]);
    const double place = ((x[0] - a[0]) * side[0] + (x[1] - a[1]) * side[1]) / (length * length);
    const double t = std::clamp(place, 0.0, 1.0);
    const Point2 candidate{a[0] + t * side[0], a[1] + t * side[1]};
    const double distance = math::hypot(x[0] - candidate[0], x[1] - candidate[1]);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
      along = place > 0 && place < 1 ? Point2{side[0] / length, side[1] / length} : Point2{};
    }
    a = b;
  }
  x = best;
  return along;
}

bool insidePolygon(int directions, const Point2& x) {
  Point2 a = polygonCorner(directions, 0);
  for (int k = 1; k <= directions; ++k) {
    const Point2 b = polygonCorner(directions, k % directions);
    if ((b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]) < 0) return false;
    a = b;
  }
  return true;
}

void slideOnPolygon(const AlartCurnier& form, std::span<const double> p, std::span<const double> u,
                    const Point2& nearest, const Point2& along, MatrixView S,
                    std::span<double> rhs) {
  // m is the nearest point without its part along the side.
  const double part = nearest[0] * along[0] + nearest[1] * along[1];
  const Point2 m{nearest[0] - part * along[0], nearest[1] - part * along[1]};
  const double slip = along[0] * u[1] + along[1] * u[2];
  const double tangential = along[0] * p[1] + along[1] * p[2];
  for (int i = 1; i < 3; ++i) {
    const std::size_t k = i;
    S(i, 0) = m[k - 1] / form.eps;
    for (int j = 1; j < 3; ++j) S(i, j) = along[k - 1] * along[j - 1] / form.eps;
    rhs[k] = m[k - 1] * (p[0] + rhs[0]) - (p[k] - along[k - 1] * tangential) -
             along[k - 1] * slip / form.eps;
  }
}

// The rows of one set D from `first` on, where the nearest point of n D to y is `near`. `n_next` is
// n after the step as far as it is known, n_slope its derivative by u_n.
void slideOnShape(const AlartCurnier& form, const NearestFriction& near, int first, int rows,
                  double n_next, double n_slope, std::span<const double> p,
                  std::span<const double> u, MatrixView S, std::span<double> rhs) {
  const double k = 1 / (1 - near.share * (1 - form.r * form.eps));
  for (int i = 0; i < rows; ++i) {
    const auto a = static_cast<std::size_t>(i), row = static_cast<std::size_t>(first) + a;
    double along_p = 0, along_u = 0;
    for (int j = 0; j < rows; ++j) {
      const auto b = static_cast<std::size_t>(j), column = static_cast<std::size_t>(first) + b;
      along_p += near.along[a][b] * p[column];
      along_u += near.along[a][b] * u[column];
      S(first + i, first + j) = k * near.share * form.r * near.along[a][b];
    }
    if (n_slope > 0) S(first + i, 0) = near.growth[a] * n_slope;
    rhs[row] = near.growth[a] * n_next - p[row] + (1 - k * (1 - near.share)) * along_p -
               k * near.share * form.r * along_u;
  }
}

void linearizeSections(const Cone& cone, const AlartCurnier& form, std::span<const double> p,
                       std::span<const double> u, std::span<const double> y, MatrixView S,
                       std::span<double> rhs) {
  std::size_t first = 1;
  for (const FrictionShape& shape : cone.shapes) {
    const std::size_t rows = shape.rows;
    if (rows == 0) continue;
    slideOnShape(form, nearestFriction(shape, y[0], y.subspan(first, rows)),
                 static_cast<int>(first), shape.rows, p[0] + rhs[0], S(0, 0), p, u, S, rhs);
    first += rows;
  }
}

void linearizeFixed(const Cone& cone, const AlartCurnier& form, std::span<const double> p,
                    std::span<const double> u, MatrixView S, std::span<double> rhs) {
  FrictionVector y{};
  for (std::size_t k = 0; k < p.size(); ++k) y[k] = p[k] - form.r * u[k];
  const NearestFriction near =
      nearestFriction(cone.shapes[0], cone.radius, std::span(y).first(p.size()));
  slideOnShape(form, near, 0, S.rows, cone.radius, 0, p, u, S, rhs);
}

void linearizeContact(const Cone& cone, const AlartCurnier& form, std::span<const double> p,
                      std::span<const double> u, MatrixView S, std::span<double> rhs) {
  std::array<double, kMostRows> shifted{};
  const std::span<double> y = std::span(shifted).first(p.size());
  double square = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    y[k] = p[k] - form.r * u[k];
    square += k > 0 ? y[k] * y[k] : 0;
  }
  if (!(y[0] > 0)) {
    for (std::size_t k = 0; k < y.size(); ++k) rhs[k] = -p[k];
    return;
  }
  hold(form, u, 0, S, rhs);
  if (cone.kind == Kind::sections) return linearizeSections(cone, form, p, u, y, S, rhs);
  if (cone.kind == Kind::polygon) {
    Point2 x{y[1] / y[0], y[2] / y[0]};
    if (!insidePolygon(cone.directions, x)) {
      const Point2 along = nearestOfConePolygon(cone.directions, x);
      return slideOnPolygon(form, p, u, x, along, S, rhs);
    }
  } else if (square > y[0] * y[0]) {
    return slideOnDisc(form, p, y, std::sqrt(square), S, rhs);
  }
  for (int row = 1; row < S.rows; ++row) hold(form, u, row, S, rhs);
}

}  // namespace

void linearizeLaw(const Cone& cone, const AlartCurnier& form, std::span<const double> p,
                  std::span<const double> u, MatrixView S, std::span<double> rhs) {
  std::fill_n(S.data, S.rows * S.columns, 0.0);
  if (cone.kind == Kind::load_independent) return linearizeFixed(cone, form, p, u, S, rhs);
  if (cone.hasNormal()) return linearizeContact(cone, form, p, u, S, rhs);
  const double y = p[0] - form.r * u[0];
  if (cone.kind == Kind::interval && !(y > cone.lower && y < cone.upper))
    rhs[0] = std::clamp(y, cone.lower, cone.upper) - p[0];
  else
    hold(form, u, 0, S, rhs);
}

}  // namespace stickslip
