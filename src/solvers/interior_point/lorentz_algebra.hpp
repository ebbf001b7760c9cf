// The algebra of Lorentz cones x_0 >= |(x_1 ... x_N-1)|, of which friction cones are one kind:
// Jordan products, the hyperbolic norm, and how far a direction leads inside (Alizadeh & Goldfarb,
// "Second-order cone programming", 2003).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace stickslip {

template <std::size_t N>
using LorentzVector = std::array<double, N>;

template <std::size_t N>
double tangentialDot(const LorentzVector<N>& a, const LorentzVector<N>& b) {
  double sum = 0;
  for (std::size_t k = 1; k < N; ++k) sum += a[k] * b[k];
  return sum;
}

template <std::size_t N>
double tangentialNorm(const LorentzVector<N>& a) {
  return std::sqrt(tangentialDot(a, a));
}

template <std::size_t N>
LorentzVector<N> load(std::span<const double> x, std::size_t first) {
  LorentzVector<N> out;
  for (std::size_t k = 0; k < N; ++k) out[k] = x[first + k];
  return out;
}

// The root of x'J x of a point inside; of one that rounding has put on the boundary, nearly zero.
template <std::size_t N>
double hyperbolicNorm(const LorentzVector<N>& x) {
  const double side = tangentialNorm(x);
  const double least = std::numeric_limits<double>::epsilon() * x[0];
  return std::sqrt(std::max(x[0] - side, least) * (x[0] + side));
}

// a o b of the Jordan algebra.
template <std::size_t N>
LorentzVector<N> jordanProduct(const LorentzVector<N>& a, const LorentzVector<N>& b) {
  LorentzVector<N> out;
  out[0] = a[0] * b[0] + tangentialDot(a, b);
  for (std::size_t k = 1; k < N; ++k) out[k] = a[0] * b[k] + b[0] * a[k];
  return out;
}

// x with a o x = b, for a inside the cone.
template <std::size_t N>
LorentzVector<N> jordanQuotient(const LorentzVector<N>& b, const LorentzVector<N>& a) {
  const double norm = hyperbolicNorm(a);
  const double across = tangentialDot(a, b);
  LorentzVector<N> out;
  out[0] = (a[0] * b[0] - across) / (norm * norm);
  for (std::size_t k = 1; k < N; ++k) out[k] = (b[k] - a[k] * out[0]) / a[0];
  return out;
}

// How many times the way to the boundary x + d goes, seen from x inside the cone: <= 1 inside.
template <std::size_t N>
double boundaryRatio(const LorentzVector<N>& x, const LorentzVector<N>& d) {
  const double norm = hyperbolicNorm(x);
  const double along = (x[0] * d[0] - tangentialDot(x, d)) / norm;
  const double factor = (along + d[0]) / (x[0] / norm + 1);
  double square = 0;
  for (std::size_t k = 1; k < N; ++k) {
    const double part = d[k] - factor * x[k] / norm;
    square += part * part;
  }
  return (std::sqrt(square) - along) / norm;
}

template <std::size_t N>
void pushInside(LorentzVector<N>& x, double margin) {
  const double side = tangentialNorm(x);
  // The nearest point of the cone, then up.
  if (side > x[0]) {
    const double n = std::max(0.0, (x[0] + side) / 2);
    for (std::size_t k = 1; k < N; ++k) x[k] *= side > 0 ? n / side : 0;
    x[0] = n;
  }
  x[0] = std::max(x[0], tangentialNorm(x) + margin);
}

}  // namespace stickslip
