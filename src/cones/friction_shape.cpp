#include "cones/friction_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/dense/nonnegative_fit.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

using FrictionPoint = FrictionVector;

// A point that is nearer to a hull than this part of its distance from zero is inside.
constexpr double kInside = 1e-14;

// Of balls, polygons and bipyramids, which have up to three rows.
double product(const FrictionPoint& a, const FrictionPoint& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

FrictionPoint combine(double s, const FrictionPoint& a, double t, const FrictionPoint& b) {
  return {s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]};
}

double wholeProduct(const FrictionPoint& a, const FrictionPoint& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

FrictionPoint load(std::span<const double> x) {
  FrictionPoint out{};
  std::copy(x.begin(), x.end(), out.begin());
  return out;
}

// T of a point that follows y in all directions but e, or along t alone.
void followAcross(const FrictionPoint& e, std::size_t rows, NearestFriction& out) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j) out.along[i][j] = (i == j ? 1 : 0) - e[i] * e[j];
}

void followAlong(const FrictionPoint& t, NearestFriction& out) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) out.along[i][j] = t[i] * t[j];
}

NearestFriction inside(const FrictionPoint& y, std::size_t rows) {
  NearestFriction out;
  out.point = y;
  out.share = 1;
  followAcross({}, rows, out);
  return out;
}

NearestFriction atCorner(const FrictionPoint& corner, double n) {
  NearestFriction out;
  out.growth = corner;
  for (std::size_t k = 0; k < corner.size(); ++k) out.point[k] = n * corner[k];
  return out;
}

NearestFriction nearestOfBall(std::size_t rows, double n, const FrictionPoint& y) {
  const double length = std::sqrt(product(y, y));
  if (length <= n) return inside(y, rows);
  NearestFriction out = atCorner({y[0] / length, y[1] / length, y[2] / length}, n);
  out.share = n / length;
  if (rows > 1) followAcross(out.growth, rows, out);
  return out;
}

// The side of the polygon under y, and half of its width: the polygon has the mirror planes of its
// corners and sides, and the point next to y is on the same side of each of them.
struct Side {
  FrictionPoint a;
  FrictionPoint b;
};

Side sideUnder(int directions, const FrictionPoint& y) {
  const double width = 2 * std::numbers::pi / directions;
  const int k = static_cast<int>(std::floor(math::atan2(y[1], y[0]) / width));
  const int first = ((k % directions) + directions) % directions;
  const auto a = polygonCorner(directions, first);
  const auto b = polygonCorner(directions, (first + 1) % directions);
  return {{a[0], a[1], 0}, {b[0], b[1], 0}};
}

// The point next to y of the edge from n p to n q.
NearestFriction nearestOfEdge(const FrictionPoint& p, const FrictionPoint& q, double n,
                              const FrictionPoint& y) {
  const FrictionPoint edge = combine(1, q, -1, p);
  const double length = std::sqrt(product(edge, edge));
  const FrictionPoint t{edge[0] / length, edge[1] / length, edge[2] / length};
  const double place = product(t, y) - n * product(t, p);
  if (!(place > 0)) return atCorner(p, n);
  if (!(place < n * length)) return atCorner(q, n);
  NearestFriction out;
  out.growth = combine(1, p, -product(p, t), t);
  out.point = combine(n, out.growth, product(t, y), t);
  out.share = 1;
  followAlong(t, out);
  return out;
}

NearestFriction nearestOfPolygon(int directions, double n, const FrictionPoint& y) {
  const auto [a, b] = sideUnder(directions, y);
  const FrictionPoint middle = combine(0.5, a, 0.5, b);
  if (product(middle, y) <= n * product(middle, middle)) return inside(y, 2);
  return nearestOfEdge(a, b, n, y);
}

// The faces are (x.middle) / |middle|^2 + |x_3| = n. With y_3 >= 0 only one of them, and its edges,
// come into question.
NearestFriction nearestOfUpperFace(const Side& side, double n, const FrictionPoint& y) {
  const FrictionPoint middle = combine(0.5, side.a, 0.5, side.b);
  const double reach = product(middle, middle);
  const FrictionPoint normal{middle[0] / reach, middle[1] / reach, 1};
  const double height = product(normal, y) - n, square = product(normal, normal);
  if (height <= 0) return inside(y, 3);
  const FrictionPoint foot = combine(1, y, -height / square, normal);
  const FrictionPoint across = combine(0.5, side.b, -0.5, side.a);
  const double place = product(foot, across) / product(across, across);
  if (foot[2] >= 0 && std::abs(place) <= n - foot[2]) {
    NearestFriction out;
    out.point = foot;
    out.growth = combine(1 / square, normal, 0, normal);
    out.share = 1;
    const double length = std::sqrt(square);
    followAcross({normal[0] / length, normal[1] / length, normal[2] / length}, 3, out);
    return out;
  }
  const FrictionPoint top{0, 0, 1};
  NearestFriction best;
  double least = INFINITY;
  for (const auto& [p, q] : {std::pair{side.a, side.b}, {side.a, top}, {side.b, top}}) {
    const NearestFriction candidate = nearestOfEdge(p, q, n, y);
    const FrictionPoint apart = combine(1, y, -1, candidate.point);
    if (!(product(apart, apart) < least)) continue;
    least = product(apart, apart);
    best = candidate;
  }
  return best;
}

NearestFriction nearestOfBipyramid(int directions, double n, FrictionPoint y) {
  const double sign = y[2] < 0 ? -1 : 1;
  y[2] *= sign;
  NearestFriction out = nearestOfUpperFace(sideUnder(directions, y), n, y);
  out.point[2] *= sign;
  out.growth[2] *= sign;
  for (std::size_t k : {0, 1}) {
    out.along[k][2] *= sign;
    out.along[2][k] *= sign;
  }
  return out;
}

FrictionPoint cornerOf(const FrictionDirections& given, int k) {
  return load(given[k]);
}

void addAlong(const FrictionPoint& t, NearestFriction& out) {
  for (std::size_t i = 0; i < t.size(); ++i)
    for (std::size_t j = 0; j < t.size(); ++j) out.along[i][j] += t[i] * t[j];
}

FrictionPoint projected(const NearestFriction& near, const FrictionPoint& y) {
  FrictionPoint out{};
  for (std::size_t i = 0; i < y.size(); ++i) out[i] = wholeProduct(near.along[i], y);
  return out;
}

// On the face of these corners, which is flat: T projects on their differences.
NearestFriction onFace(const FrictionDirections& given, const NonnegativeFit& weights, double n,
                       const FrictionPoint& y) {
  NearestFriction out;
  const FrictionPoint first = cornerOf(given, weights.column[0]);
  for (int i = 1; i < weights.count; ++i) {
    FrictionPoint side = cornerOf(given, weights.column[i]);
    for (std::size_t k = 0; k < side.size(); ++k) side[k] -= first[k];
    for (int pass = 0; pass < 2; ++pass) {
      const FrictionPoint known = projected(out, side);
      for (std::size_t k = 0; k < side.size(); ++k) side[k] -= known[k];
    }
    const double length = std::sqrt(wholeProduct(side, side));
    if (!(length > 0)) continue;
    for (double& part : side) part /= length;
    addAlong(side, out);
  }
  out.share = weights.count > 1 ? 1 : 0;
  const FrictionPoint along = projected(out, first), of_y = projected(out, y);
  for (std::size_t k = 0; k < first.size(); ++k) {
    out.growth[k] = first[k] - along[k];
    out.point[k] = n * out.growth[k] + of_y[k];
  }
  return out;
}

// The shortest vector of the hull of n d_k - y has the weights of min |sum w_k (n d_k - y)|^2 +
// s^2 (1 - sum w_k)^2, w >= 0, up to their sum: for given ratios of the weights the minimum over
// their sum grows with the length of the vector.
NearestFriction nearestOfGiven(const FrictionDirections& given, double n, const FrictionPoint& y) {
  NearestFriction whole;
  for (const FrictionPoint& t : given.span()) addAlong(t, whole);
  const FrictionPoint within = projected(whole, y);
  const double s = n + std::sqrt(wholeProduct(y, y));
  std::array<FitColumn, FrictionDirections::kMost> columns;
  for (int k = 0; k < given.count(); ++k) {
    const FrictionPoint corner = cornerOf(given, k);
    FitColumn& column = columns[k];
    for (std::size_t i = 0; i < corner.size(); ++i) column[i] = n * corner[i] - within[i];
    column.back() = s;
  }
  FitColumn right{};
  right.back() = s;
  const std::size_t count = given.count();
  const NonnegativeFit weights = fitNonnegative(std::span(columns).first(count), right);
  double distance = 0;
  for (std::size_t i = 0; i + 1 < kMostFitRows; ++i)
    distance = math::hypot(distance, weights.rest[i]);
  if (distance <= kInside * s) {
    whole.point = within;
    whole.share = 1;
    return whole;
  }
  return onFace(given, weights, n, within);
}

// Where n D leaves zero: the corner that goes farthest along y.
FrictionPoint farthest(const FrictionShape& shape, const FrictionPoint& y) {
  if (shape.given != nullptr) {
    FrictionPoint best = cornerOf(*shape.given, 0);
    for (int k = 1; k < shape.directions; ++k)
      if (wholeProduct(cornerOf(*shape.given, k), y) > wholeProduct(best, y))
        best = cornerOf(*shape.given, k);
    return best;
  }
  if (shape.directions == 0) {
    const double length = std::sqrt(product(y, y));
    return length > 0 ? combine(1 / length, y, 0, y) : FrictionPoint{};
  }
  const auto [a, b] = sideUnder(shape.directions, y);
  const FrictionPoint& corner = product(a, y) > product(b, y) ? a : b;
  if (shape.rows == 2 || product(corner, y) >= std::abs(y[2])) return corner;
  return {0, 0, std::copysign(1.0, y[2])};
}

}  // namespace

std::array<double, 2> polygonCorner(int directions, int k) {
  const double angle = 2 * std::numbers::pi * k / directions;
  return {math::cos(angle), math::sin(angle)};
}

NearestFriction nearestFriction(const FrictionShape& shape, double n, std::span<const double> y) {
  const FrictionPoint point = load(y);
  if (!(n > 0)) return atCorner(farthest(shape, point), 0);
  if (shape.given != nullptr) return nearestOfGiven(*shape.given, n, point);
  if (shape.directions == 0) return nearestOfBall(y.size(), n, point);
  if (shape.rows == 2) return nearestOfPolygon(shape.directions, n, point);
  return nearestOfBipyramid(shape.directions, n, point);
}

double frictionPower(const FrictionShape& shape, std::span<const double> u) {
  double most = 0;
  if (shape.directions == 0) {
    for (const double x : u) most += x * x;
    return std::sqrt(most);
  }
  if (shape.given != nullptr) {
    for (int k = 0; k < shape.directions; ++k)
      most = std::max(most, -wholeProduct(cornerOf(*shape.given, k), load(u)));
    return most;
  }
  for (int k = 0; k < shape.directions; ++k) {
    const std::array<double, 2> corner = polygonCorner(shape.directions, k);
    most = std::max(most, -(corner[0] * u[0] + corner[1] * u[1]));
  }
  return shape.rows == 3 ? std::max(most, std::abs(u[2])) : most;
}

}  // namespace stickslip
