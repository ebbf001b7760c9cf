#include "solvers/scaled_lcp.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace stickslip {
namespace {

// Exponent that stands for zero: far below every real one, far from overflow.
constexpr int kZero = -1'000'000;

int binaryExponent(double x) {
  const int biased = static_cast<int>((std::bit_cast<std::uint64_t>(x) >> 52) & 0x7ff);
  return biased == 0 ? kZero : biased - 1023;
}

// x * 2^exponent; the common case by constructing the factor from its bits.
double shift(double x, int exponent) {
  if (exponent > -1000 && exponent < 1000)
    return x * std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  return std::ldexp(x, exponent);
}

}  // namespace

void ScaledLcp::reserve(int n) {
  const auto size = static_cast<std::size_t>(n);
  N_.reserve(size * size);
  q_.reserve(size);
  row_exponent_.reserve(size);
  column_exponent_.reserve(size);
}

void ScaledLcp::scale(const Lcp& lcp) {
  n_ = lcp.size();
  const auto n = static_cast<std::size_t>(n_);
  equilibrate(lcp);
  q_.resize(n);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    q_[i] = shift(lcp.q[i], row_exponent_[i]);
    largest = std::max(largest, std::abs(q_[i]));
  }
  q_exponent_ = largest > 0 ? -binaryExponent(largest) : 0;
  N_.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    q_[i] = shift(q_[i], q_exponent_);
    for (std::size_t j = 0; j < n; ++j)
      N_[i * n + j] = shift(lcp.N.data[i * n + j], row_exponent_[i] + column_exponent_[j]);
  }
}

// Rows by their largest entries, then columns by what is left: a matrix whose entries are all of
// one size up to the units of its rows and columns comes out with entries of that size.
void ScaledLcp::equilibrate(const Lcp& lcp) {
  const auto n = static_cast<std::size_t>(n_);
  row_exponent_.assign(n, 0);
  column_exponent_.assign(n, kZero);
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = lcp.N.data + i * n;
    int largest = kZero;
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, binaryExponent(row[j]));
    if (largest > kZero) row_exponent_[i] = -largest;
    for (std::size_t j = 0; j < n; ++j)
      column_exponent_[j] =
          std::max(column_exponent_[j], binaryExponent(row[j]) + row_exponent_[i]);
  }
  // What remains of a column of zeros is far below any real exponent.
  for (int& exponent : column_exponent_) exponent = exponent > kZero / 2 ? -exponent : 0;
}

double ScaledLcp::slack(int i, std::span<const double> z_scaled) const {
  const std::span<const double> N = row(i);
  double w = q(i);
  for (std::size_t j = 0; j < N.size(); ++j) w += N[j] * z_scaled[j];
  return w;
}

double ScaledLcp::residual(std::span<const double> z_scaled) const {
  double worst = 0;
  for (int i = 0; i < n_; ++i) {
    const double z = z_scaled[static_cast<std::size_t>(i)], w = slack(i, z_scaled);
    if (!std::isfinite(z) || !std::isfinite(w)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, std::abs(std::min(z, w)));
  }
  return worst;
}

void ScaledLcp::unscale(std::span<const double> z_scaled, std::span<double> z) const {
  for (std::size_t j = 0; j < z.size(); ++j)
    z[j] = shift(z_scaled[j], column_exponent_[j] - q_exponent_);
}

}  // namespace stickslip
