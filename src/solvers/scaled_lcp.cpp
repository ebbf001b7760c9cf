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
constexpr int kUnset = 1'000'000;
// Exponents of largest entries that need no scaling.
constexpr int kBalanced = 3;
constexpr int kSweeps = 3;
// Violations are measured in their own row, within this factor of the whole problem: a row whose
// terms are smaller than that is rounding of the larger ones, and where huge terms cancel in a row
// a violation must still be small beside max|q'|.
constexpr double kRowToAll = 1e-4;

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
  entry_exponent_.reserve(size * size);
  queue_.reserve(2 * size);
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

// True, with all scales 1, if every row and column that is not zero has its largest entry near 1.
bool ScaledLcp::isBalanced(const Lcp& lcp) {
  const auto n = static_cast<std::size_t>(n_);
  row_exponent_.assign(n, 0);
  column_exponent_.assign(n, kZero);  // here: the largest exponent of each column
  const auto is_near_one = [](int largest) {
    return largest == kZero || (largest >= -kBalanced && largest <= kBalanced);
  };
  bool balanced = true;
  for (std::size_t i = 0; i < n; ++i) {
    int largest = kZero;
    for (std::size_t j = 0; j < n; ++j) {
      const int e = binaryExponent(lcp.N.data[i * n + j]);
      largest = std::max(largest, e);
      column_exponent_[j] = std::max(column_exponent_[j], e);
    }
    balanced = balanced && is_near_one(largest);
  }
  for (int& largest : column_exponent_) {
    balanced = balanced && is_near_one(largest);
    largest = 0;
  }
  return balanced;
}

void ScaledLcp::equilibrate(const Lcp& lcp) {
  if (isBalanced(lcp)) return;
  const auto n = static_cast<std::size_t>(n_);
  entry_exponent_.resize(n * n);
  for (std::size_t k = 0; k < n * n; ++k) entry_exponent_[k] = binaryExponent(lcp.N.data[k]);
  row_exponent_.assign(n, kUnset);
  column_exponent_.assign(n, kUnset);
  for (int i = 0; i < n_; ++i)
    if (row_exponent_[static_cast<std::size_t>(i)] == kUnset) walkFrom(i);
  for (int& exponent : column_exponent_)
    if (exponent == kUnset) exponent = 0;  // a column of zeros
  for (int sweep = 0; sweep < kSweeps; ++sweep) evenOut();
}

void ScaledLcp::walkFrom(int row) {
  const auto n = static_cast<std::size_t>(n_);
  row_exponent_[static_cast<std::size_t>(row)] = 0;
  queue_.assign(1, row);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const int at = queue_[next];
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = at >= 0 ? static_cast<std::size_t>(at) : k;
      const std::size_t j = at >= 0 ? k : static_cast<std::size_t>(-1 - at);
      int& reached = at >= 0 ? column_exponent_[j] : row_exponent_[i];
      if (exponent(i, j) == kZero || reached != kUnset) continue;
      reached = -exponent(i, j) - (at >= 0 ? row_exponent_[i] : column_exponent_[j]);
      queue_.push_back(at >= 0 ? -1 - static_cast<int>(j) : static_cast<int>(i));
    }
  }
}

// Shifts every row, then every column, by the mean exponent of its entries.
void ScaledLcp::evenOut() {
  const auto n = static_cast<std::size_t>(n_);
  for (const bool rows : {true, false})
    for (std::size_t a = 0; a < n; ++a) {
      int sum = 0, count = 0;
      for (std::size_t b = 0; b < n; ++b) {
        const std::size_t i = rows ? a : b, j = rows ? b : a;
        if (exponent(i, j) == kZero) continue;
        sum += exponent(i, j) + row_exponent_[i] + column_exponent_[j];
        ++count;
      }
      if (count > 0) (rows ? row_exponent_ : column_exponent_)[a] -= sum / count;
    }
}

double ScaledLcp::slack(int i, std::span<const double> z_scaled) const {
  const std::span<const double> N = row(i);
  double w = q(i);
  for (std::size_t j = 0; j < N.size(); ++j) w += N[j] * z_scaled[j];
  return w;
}

double ScaledLcp::residual(std::span<const double> z_scaled) const {
  const double z_largest = *std::max_element(z_scaled.begin(), z_scaled.end());
  double worst = 0;
  for (int i = 0; i < n_; ++i) {
    const double z = z_scaled[static_cast<std::size_t>(i)];
    const std::span<const double> N = row(i);
    double w = q(i), size = std::abs(w), N_largest = 0;
    for (std::size_t j = 0; j < N.size(); ++j) {
      const double term = N[j] * z_scaled[j];
      w += term;
      size += std::abs(term);
      N_largest = std::max(N_largest, std::abs(N[j]));
    }
    if (!std::isfinite(z) || !std::isfinite(w)) return std::numeric_limits<double>::infinity();
    const double violation = std::abs(std::min(z, w));
    const double floor = kRowToAll * (1 + N_largest * z_largest);
    worst = std::max({worst, violation / (size + floor), kRowToAll * violation});
  }
  return worst;
}

void ScaledLcp::unscale(std::span<const double> z_scaled, std::span<double> z) const {
  for (std::size_t j = 0; j < z.size(); ++j)
    z[j] = shift(z_scaled[j], column_exponent_[j] - q_exponent_);
}

}  // namespace stickslip
