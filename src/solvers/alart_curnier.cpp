#include "solvers/alart_curnier.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

using Kind = ContactItem::Kind;
using Point = std::array<double, 2>;

// omega + d_omega + eps d_pi = 0 in one row.
void hold(const AlartCurnier& form, std::span<const double> omega, int row, MatrixView S,
          std::span<double> rhs) {
  S(row, row) = 1 / form.eps;
  rhs[static_cast<std::size_t>(row)] = -omega[static_cast<std::size_t>(row)] / form.eps;
}

void slideOnDisc(const AlartCurnier& form, std::span<const double> pi, std::span<const double> y,
                 double length, MatrixView S, std::span<double> rhs) {
  const double a = y[0] / length, k = 1 / (1 - a * (1 - form.r * form.eps));
  std::array<double, kMostRows> e{};
  double along = 0;
  for (std::size_t i = 1; i < y.size(); ++i) {
    e[i] = y[i] / length;
    along += e[i] * pi[i];
  }
  for (int i = 1; i < S.rows; ++i) {
    const double e_i = e[static_cast<std::size_t>(i)];
    S(i, 0) = e_i / form.eps;
    for (int j = 1; j < S.rows; ++j)
      S(i, j) = k * a * form.r * ((i == j ? 1 : 0) - e_i * e[static_cast<std::size_t>(j)]);
    rhs[static_cast<std::size_t>(i)] =
        e_i * (pi[0] - along + rhs[0]) - k * (pi[static_cast<std::size_t>(i)] - e_i * along);
  }
}

// The nearest point of the polygon D to x, outside of it: x is moved there, and `along` is the
// side's direction, or zero at a corner.
Point nearestOfPolygon(int directions, Point& x) {
  Point best{}, along{};
  double best_distance = INFINITY;
  Point a = polygonCorner(directions, 0);
  for (int k = 1; k <= directions; ++k) {
    const Point b = polygonCorner(directions, k % directions);
    const Point side{b[0] - a[0], b[1] - a[1]};
    const double length = math::hypot(side[0], side[1]);
    const double place = ((x[0] - a[0]) * side[0] + (x[1] - a[1]) * side[1]) / (length * length);
    const double t = std::clamp(place, 0.0, 1.0);
    const Point candidate{a[0] + t * side[0], a[1] + t * side[1]};
    const double distance = math::hypot(x[0] - candidate[0], x[1] - candidate[1]);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
      along = place > 0 && place < 1 ? Point{side[0] / length, side[1] / length} : Point{};
    }
    a = b;
  }
  x = best;
  return along;
}

bool insidePolygon(int directions, const Point& x) {
  Point a = polygonCorner(directions, 0);
  for (int k = 1; k <= directions; ++k) {
    const Point b = polygonCorner(directions, k % directions);
    if ((b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]) < 0) return false;
    a = b;
  }
  return true;
}

void slideOnPolygon(const AlartCurnier& form, std::span<const double> pi,
                    std::span<const double> omega, const Point& nearest, const Point& along,
                    MatrixView S, std::span<double> rhs) {
  // m is the nearest point without its part along the side.
  const double part = nearest[0] * along[0] + nearest[1] * along[1];
  const Point m{nearest[0] - part * along[0], nearest[1] - part * along[1]};
  const double slip = along[0] * omega[1] + along[1] * omega[2];
  const double tangential = along[0] * pi[1] + along[1] * pi[2];
  for (int i = 1; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    S(i, 0) = m[k - 1] / form.eps;
    for (int j = 1; j < 3; ++j)
      S(i, j) = along[k - 1] * along[static_cast<std::size_t>(j - 1)] / form.eps;
    rhs[k] = m[k - 1] * (pi[0] + rhs[0]) - (pi[k] - along[k - 1] * tangential) -
             along[k - 1] * slip / form.eps;
  }
}

// The rows of one set D from `first` on, where the nearest point of n D to y is `near`. `n_next` is
// n after the step as far as it is known, n_slope its derivative by omega_n.
void slideOnShape(const AlartCurnier& form, const NearestFriction& near, int first, int rows,
                  double n_next, double n_slope, std::span<const double> pi,
                  std::span<const double> omega, MatrixView S, std::span<double> rhs) {
  const double k = 1 / (1 - near.share * (1 - form.r * form.eps));
  for (int i = 0; i < rows; ++i) {
    const auto a = static_cast<std::size_t>(i), row = static_cast<std::size_t>(first) + a;
    double along_pi = 0, along_omega = 0;
    for (int j = 0; j < rows; ++j) {
      const auto b = static_cast<std::size_t>(j), column = static_cast<std::size_t>(first) + b;
      along_pi += near.along[a][b] * pi[column];
      along_omega += near.along[a][b] * omega[column];
      S(first + i, first + j) = k * near.share * form.r * near.along[a][b];
    }
    if (n_slope > 0) S(first + i, 0) = near.growth[a] * n_slope;
    rhs[row] = near.growth[a] * n_next - pi[row] + (1 - k * (1 - near.share)) * along_pi -
               k * near.share * form.r * along_omega;
  }
}

void linearizeSections(const ContactItem& item, const AlartCurnier& form,
                       std::span<const double> pi, std::span<const double> omega,
                       std::span<const double> y, MatrixView S, std::span<double> rhs) {
  std::size_t first = 1;
  for (const FrictionShape& shape : item.shapes) {
    const auto rows = static_cast<std::size_t>(shape.rows);
    if (rows == 0) continue;
    slideOnShape(form, nearestFriction(shape, y[0], y.subspan(first, rows)),
                 static_cast<int>(first), shape.rows, pi[0] + rhs[0], S(0, 0), pi, omega, S, rhs);
    first += rows;
  }
}

void linearizeFixed(const ContactItem& item, const AlartCurnier& form, std::span<const double> pi,
                    std::span<const double> omega, MatrixView S, std::span<double> rhs) {
  FrictionVector y{};
  for (std::size_t k = 0; k < pi.size(); ++k) y[k] = pi[k] - form.r * omega[k];
  const NearestFriction near =
      nearestFriction(item.shapes[0], item.radius, std::span(y).first(pi.size()));
  slideOnShape(form, near, 0, S.rows, item.radius, 0, pi, omega, S, rhs);
}

void linearizeContact(const ContactItem& item, const AlartCurnier& form, std::span<const double> pi,
                      std::span<const double> omega, MatrixView S, std::span<double> rhs) {
  std::array<double, kMostRows> shifted{};
  const std::span<double> y = std::span(shifted).first(pi.size());
  double square = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    y[k] = pi[k] - form.r * omega[k];
    square += k > 0 ? y[k] * y[k] : 0;
  }
  if (!(y[0] > 0)) {
    for (std::size_t k = 0; k < y.size(); ++k) rhs[k] = -pi[k];
    return;
  }
  hold(form, omega, 0, S, rhs);
  if (item.kind == Kind::sections) return linearizeSections(item, form, pi, omega, y, S, rhs);
  if (item.kind == Kind::polygon) {
    Point x{y[1] / y[0], y[2] / y[0]};
    if (!insidePolygon(item.directions, x)) {
      const Point along = nearestOfPolygon(item.directions, x);
      return slideOnPolygon(form, pi, omega, x, along, S, rhs);
    }
  } else if (square > y[0] * y[0]) {
    return slideOnDisc(form, pi, y, std::sqrt(square), S, rhs);
  }
  for (int row = 1; row < S.rows; ++row) hold(form, omega, row, S, rhs);
}

}  // namespace

void linearizeLaw(const ContactItem& item, const AlartCurnier& form, std::span<const double> pi,
                  std::span<const double> omega, MatrixView S, std::span<double> rhs) {
  std::fill_n(S.data, S.rows * S.columns, 0.0);
  if (item.kind == Kind::fixed) return linearizeFixed(item, form, pi, omega, S, rhs);
  if (item.hasNormal()) return linearizeContact(item, form, pi, omega, S, rhs);
  const double y = pi[0] - form.r * omega[0];
  if (item.kind == Kind::interval && !(y > item.lower && y < item.upper))
    rhs[0] = std::clamp(y, item.lower, item.upper) - pi[0];
  else
    hold(form, omega, 0, S, rhs);
}

}  // namespace stickslip
