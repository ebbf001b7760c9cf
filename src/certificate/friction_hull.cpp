#include "certificate/friction_hull.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip::certificate {
namespace {

// A point is beyond the plane through x, at right angles to x, if the cosine of its direction from
// x says more than rounding.
constexpr double kBeyond = 1e-14;
// Part of a vector that is left beside others if it depends on them.
constexpr double kNewDirection = 1e-12;
// An x that is nothing but rounding.
constexpr double kZero = 1e-16;

double dotOf(const Friction& a, const Friction& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

double sizeOf(const Friction& a) {
  double most = 0, square = 0;
  for (const double part : a) most = std::max(most, std::abs(part));
  if (!(most > 0)) return 0;
  for (const double part : a) square += part / most * (part / most);
  return most * std::sqrt(square);
}

Friction apart(const Friction& a, const Friction& b) {
  Friction out;
  for (std::size_t k = 0; k < a.size(); ++k) out[k] = a[k] - b[k];
  return out;
}

// Wolfe's corral: points in general position, of which x is a combination with weights > 0.
struct Corral {
  std::size_t count = 0;
  std::array<Friction, kFrictionRows + 1> point;
  std::array<double, kFrictionRows + 1> weight{};

  Friction sum() const {
    Friction x{};
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < x.size(); ++k) x[k] += weight[i] * point[i][k];
    return x;
  }
  void drop(std::size_t i) {
    for (--count; i < count; ++i) {
      point[i] = point[i + 1];
      weight[i] = weight[i + 1];
    }
  }
};

// Weights, of sum one, of the shortest vector of the plane through all points: sides from the first
// one are made orthogonal, and back substitution gives their shares. False if they are dependent.
bool weightsOfPlane(const Corral& corral, std::array<double, kFrictionRows + 1>& weight) {
  std::array<Friction, kFrictionRows> q;
  std::array<Friction, kFrictionRows> R{};
  std::array<double, kFrictionRows> right{};
  const std::size_t n = corral.count - 1;
  Friction rest = corral.point[0];
  for (std::size_t i = 0; i < n; ++i) {
    Friction side = apart(corral.point[i + 1], corral.point[0]);
    const double whole = sizeOf(side);
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t k = 0; k < i; ++k) {
        const double along = dotOf(q[k], side);
        R[k][i] += along;
        for (std::size_t j = 0; j < side.size(); ++j) side[j] -= along * q[k][j];
      }
    R[i][i] = sizeOf(side);
    if (!(R[i][i] > kNewDirection * whole)) return false;
    for (std::size_t j = 0; j < side.size(); ++j) q[i][j] = side[j] / R[i][i];
    right[i] = -dotOf(q[i], rest);
    for (std::size_t j = 0; j < side.size(); ++j) rest[j] += right[i] * q[i][j];
  }
  weight[0] = 1;
  for (std::size_t i = n; i-- > 0;) {
    double share = right[i];
    for (std::size_t k = i + 1; k < n; ++k) share -= R[i][k] * weight[k + 1];
    weight[i + 1] = share / R[i][i];
  }
  for (std::size_t i = 1; i <= n; ++i) weight[0] -= weight[i];
  return true;
}

// To the shortest vector of the plane, or as far as no weight gets negative: points without weight
// leave.
bool settleCorral(Corral& corral) {
  while (true) {
    std::array<double, kFrictionRows + 1> to{};
    if (!weightsOfPlane(corral, to)) return false;
    double step = 1;
    std::size_t first = corral.count;
    for (std::size_t i = 0; i < corral.count; ++i) {
      if (to[i] > 0) continue;
      const double now = corral.weight[i], until = now > 0 ? now / (now - to[i]) : 0;
      if (first < corral.count && !(until < step)) continue;
      step = until;
      first = i;
    }
    for (std::size_t i = 0; i < corral.count; ++i)
      corral.weight[i] += step * (to[i] - corral.weight[i]);
    if (first == corral.count) return true;
    corral.drop(first);
    if (corral.count == 1) {
      corral.weight[0] = 1;
      return true;
    }
  }
}

}  // namespace

Friction shortestOfHull(std::span<const Friction> points) {
  Corral corral;
  double largest = 0;
  std::size_t start = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    largest = std::max(largest, sizeOf(points[k]));
    if (sizeOf(points[k]) < sizeOf(points[start])) start = k;
  }
  corral.point[0] = points[start];
  corral.weight[0] = 1;
  corral.count = 1;
  Friction x = points[start];
  for (std::size_t step = 0; step < 8 * points.size(); ++step) {
    const double length = sizeOf(x);
    if (!(length > kZero * largest) || corral.count > kFrictionRows) break;
    std::size_t best = points.size();
    double most = kBeyond;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Friction way = apart(x, points[k]);
      const double far = sizeOf(way);
      if (!(far > 0)) continue;
      const double cosine = dotOf(x, way) / (length * far);
      if (!(cosine > most)) continue;
      most = cosine;
      best = k;
    }
    if (best == points.size()) break;
    Corral next = corral;
    next.point[next.count] = points[best];
    next.weight[next.count++] = 0;
    if (!settleCorral(next) || !(sizeOf(next.sum()) < length)) break;
    corral = next;
    x = corral.sum();
  }
  return x;
}

bool addIndependent(const Friction& vector, std::array<Friction, kFrictionRows>& basis,
                    std::size_t& count) {
  Friction rest = vector;
  const double whole = sizeOf(vector);
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t i = 0; i < count; ++i) {
      const double along = dotOf(basis[i], rest);
      for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= along * basis[i][k];
    }
  const double length = sizeOf(rest);
  if (count == basis.size() || !(length > 1e-9 * whole)) return false;
  for (double& part : rest) part /= length;
  basis[count++] = rest;
  return true;
}

}  // namespace stickslip::certificate
