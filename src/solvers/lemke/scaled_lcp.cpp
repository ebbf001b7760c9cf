#include "solvers/lemke/scaled_lcp.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "solvers/lemke/lemke_settings.hpp"

namespace stickslip {
namespace {

// Exponent that stands for zero: far below every real one, far from overflow.
constexpr int kZero = -1'000'000;
constexpr int kUnset = 1'000'000;
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

// What a violation in a row is compared with at least.
double floorOf(const double* N, std::span<const double> z) {
  double N_largest = 0, z_largest = 0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    N_largest = std::max(N_largest, std::abs(N[j]));
    z_largest = std::max(z_largest, z[j]);
  }
  return kLemke.row_to_all * (1 + N_largest * z_largest);
}

}  // namespace

void ScaledLcp::reserve(int n) {
  const std::size_t size = n;
  N_.reserve(size * size);
  q_.reserve(size);
  column_largest_.reserve(size);
  row_exponent_.reserve(size);
  column_exponent_.reserve(size);
  entry_exponent_.reserve(size * size);
  queue_.reserve(2 * size);
}

void ScaledLcp::scale(const Lcp& lcp) {
  n_ = lcp.size();
  const std::size_t n = n_;
  matrix_ = lcp.N.data;
  row_exponent_.assign(n, 0);
  column_exponent_.assign(n, 0);
  balanced_ = isBalanced();
  if (!balanced_) equilibrate(lcp);
  q_.resize(n);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    q_[i] = row_exponent_[i] == 0 ? lcp.q[i] : shift(lcp.q[i], row_exponent_[i]);
    largest = std::max(largest, std::abs(q_[i]));
  }
  q_exponent_ = largest > 0 ? -binaryExponent(largest) : 0;
  q_largest_ = shift(largest, q_exponent_);
  for (double& q : q_) q = shift(q, q_exponent_);
}

// True if every row and column that is not zero has its largest entry near 1.
bool ScaledLcp::isBalanced() {
  const std::size_t n = n_;
  column_largest_.assign(n, 0.0);
  double* column = column_largest_.data();
  bool balanced = true;
  const auto look = [&](double largest) {
    balanced = balanced && (largest == 0 ||
                            (largest >= kLemke.least_balanced && largest < kLemke.most_balanced));
  };
  for (const double* entry = matrix_; entry != matrix_ + n * n; entry += n) {
    double even = 0, odd = 0;
    std::size_t j = 0;
    for (; j + 2 <= n; j += 2) {
      const double a = std::abs(entry[j]), b = std::abs(entry[j + 1]);
      even = a > even ? a : even;
      odd = b > odd ? b : odd;
      column[j] = a > column[j] ? a : column[j];
      column[j + 1] = b > column[j + 1] ? b : column[j + 1];
    }
    if (j < n) {
      const double a = std::abs(entry[j]);
      even = a > even ? a : even;
      column[j] = a > column[j] ? a : column[j];
    }
    look(std::max(even, odd));
  }
  for (const double largest : column_largest_) look(largest);
  return balanced;
}

void ScaledLcp::equilibrate(const Lcp& lcp) {
  const std::size_t n = n_;
  entry_exponent_.resize(n * n);
  for (std::size_t k = 0; k < n * n; ++k) entry_exponent_[k] = binaryExponent(lcp.N.data[k]);
  row_exponent_.assign(n, kUnset);
  column_exponent_.assign(n, kUnset);
  for (int i = 0; i < n_; ++i)
    if (row_exponent_[i] == kUnset) walkFrom(i);
  for (int& exponent : column_exponent_)
    if (exponent == kUnset) exponent = 0;  // a column of zeros
  for (int pass = 0; pass < kLemke.scaling_passes; ++pass) evenOut();
  N_.resize(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      N_[i * n + j] = shift(lcp.N.data[i * n + j], row_exponent_[i] + column_exponent_[j]);
  matrix_ = N_.data();
}

void ScaledLcp::walkFrom(int row) {
  const std::size_t n = n_;
  row_exponent_[row] = 0;
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
  const std::size_t n = n_;
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

double ScaledLcp::slack(int i, std::span<const double> z_scaled,
                        std::span<const int> support) const {
  const double* N = row(i).data();
  double w = q(i);
  for (const int j : support) w += N[j] * z_scaled[j];
  return w;
}

double ScaledLcp::residual(std::span<const double> z_scaled) {
  const std::size_t n = z_scaled.size();
  double worst = 0;
  worst_pair_ = 0;
  const double* N = matrix_;
  for (std::size_t i = 0; i < n; ++i, N += n) {
    const double z = z_scaled[i];
    double w = q_[i], size = std::abs(w);
    for (std::size_t j = 0; j < n; ++j) {
      const double term = N[j] * z_scaled[j];
      w += term;
      size += std::abs(term);
    }
    if (!std::isfinite(z) || !std::isfinite(w)) return std::numeric_limits<double>::infinity();
    const double violation = std::abs(std::min(z, w));
    if (violation == 0) continue;
    worst_pair_ = std::max(worst_pair_, violation);
    worst =
        std::max({worst, violation / (size + floorOf(N, z_scaled)), kLemke.row_to_all * violation});
  }
  return worst;
}

double ScaledLcp::unscaledResidual(const Lcp& lcp, std::span<const double> z) const {
  if (balanced_) return worst_pair_ == 0 ? 0 : worst_pair_ / q_largest_;
  return lcpResidual(lcp, z);
}

void ScaledLcp::unscale(std::span<const double> z_scaled, std::span<double> z) const {
  for (std::size_t j = 0; j < z.size(); ++j)
    z[j] = shift(z_scaled[j], column_exponent_[j] - q_exponent_);
}

}  // namespace stickslip
