#include "solvers/scaled_lcp.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace stickslip {
namespace {

constexpr int kPasses = 3;
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
  column_largest_.reserve(size);
  entry_exponent_.reserve(size * size);
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

// Halves the largest exponent of every row and column, a few times (Ruiz' iteration in integers).
void ScaledLcp::equilibrate(const Lcp& lcp) {
  const auto n = static_cast<std::size_t>(n_);
  entry_exponent_.resize(n * n);
  for (std::size_t k = 0; k < n * n; ++k) entry_exponent_[k] = binaryExponent(lcp.N.data[k]);
  row_exponent_.assign(n, 0);
  column_exponent_.assign(n, 0);
  for (int pass = 0; pass < kPasses; ++pass) {
    column_largest_.assign(n, kZero);
    for (std::size_t i = 0; i < n; ++i) {
      int row_largest = kZero;
      for (std::size_t j = 0; j < n; ++j) {
        const int e = entry_exponent_[i * n + j] + row_exponent_[i] + column_exponent_[j];
        row_largest = std::max(row_largest, e);
        column_largest_[j] = std::max(column_largest_[j], e);
      }
      if (row_largest > kZero / 2) row_exponent_[i] -= row_largest / 2;
    }
    for (std::size_t j = 0; j < n; ++j)
      if (column_largest_[j] > kZero / 2) column_exponent_[j] -= column_largest_[j] / 2;
  }
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
