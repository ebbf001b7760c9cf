#include "solvers/lemke/dense_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/index.hpp"
#include "solvers/lemke/lemke_settings.hpp"

namespace stickslip {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Pivots that the product may have: those of a basis and those of the path since.
std::size_t mostPivots(int n) {
  return at(n + std::max(n, kLemke.least_product));
}

}  // namespace

void DensePath::reserve(int n) {
  const std::size_t size = PivotProduct::paddedSize(at(n));
  basic_.reserve(n);
  place_.reserve(2 * at(n) + 1);
  for (auto* column : {&cover_, &constant_, &slope_, &order_}) column->reserve(size);
  inverse_.reserve(n, mostPivots(n));
  candidates_.reserve(n);
  is_taken_.reserve(n);
}

void DensePath::start(const ScaledLcp& lcp, std::span<const double> cover) {
  n_ = lcp.size();
  lcp_ = &lcp;
  cover_.assign(cover.begin(), cover.end());
  const std::size_t n = n_;
  const std::size_t size = PivotProduct::paddedSize(n);
  basic_.resize(n);
  place_.assign(2 * n + 1, -1);
  constant_.assign(size, 0.0);
  slope_.assign(size, 0.0);
  order_.assign(size, 0.0);
  inverse_.start(n, mostPivots(n_));
  worn_at_ = at(std::max(n_, kLemke.least_product));
  for (std::size_t i = 0; i < n; ++i) {
    basic_[i] = place_[i] = static_cast<int>(i);
    constant_[i] = lcp.q(static_cast<int>(i));
  }
  guard_.start();
}

DensePath::End DensePath::follow(std::int64_t pivot_limit, std::int64_t& pivots) {
  int leaving = firstLeavingRow();
  int entering = 2 * n_;  // z0 enters first
  findSlopes(entering, slope_.data());
  while (true) {
    const int left = basic_[leaving];
    pivot(leaving, entering);
    ++pivots;
    if (left == 2 * n_) return End::solution;
    if (pivots >= pivot_limit) return End::limit;
    if (guard_.hasReturned()) return End::cycle;
    if (inverse_.count() >= worn_at_ && !rebuild()) return End::cycle;
    entering = complementOf(left);
    findSlopes(entering, slope_.data());
    leaving = leavingRow();
    if (leaving < 0) {
      ray_variable_ = entering;
      return End::ray;
    }
  }
}

// The row with the lexicographically least (q_i, e_i) / d_i. Of two rows with equal q_i / d_i the
// one further down is the smaller: its unit entry comes later.
int DensePath::firstLeavingRow() const {
  int best = 0;
  double least = kUnbounded;
  for (int i = 0; i < n_; ++i) {
    const double ratio = constant_[i] / cover_[i];
    if (ratio <= least) {
      least = ratio;
      best = i;
    }
  }
  return best;
}

// Basic variables fall by B^-1 a, a the column of the variable in w - N z - d z0 = q.
void DensePath::findSlopes(int variable, double* slope) {
  const std::size_t n = n_;
  if (variable < n_) {
    std::fill_n(slope, n, 0.0);
    slope[variable] = 1;
  } else if (variable < 2 * n_) {
    const double* entry = lcp_->row(0).data() + (variable - n_);
    for (std::size_t i = 0; i < n; ++i, entry += n) slope[i] = -*entry;
  } else {
    for (std::size_t i = 0; i < n; ++i) slope[i] = -cover_[i];
  }
  inverse_.apply(slope);
}

// Ratio test in two passes: the first finds how far the entering variable can go if every basic
// variable may undershoot zero by the noise, the second collects the rows that block by then.
int DensePath::leavingRow() {
  double largest = 0;
  for (std::size_t i = 0; i < at(n_); ++i) largest = std::max(largest, std::abs(slope_[i]));
  const int leaving = leavingRowAbove(kLemke.pivot_floor * largest);
  return leaving >= 0 ? leaving : leavingRowAbove(kLemke.smallest_pivot * n_ * largest);
}

int DensePath::leavingRowAbove(double floor) {
  const std::size_t n = n_;
  const double *slope = slope_.data(), *constant = constant_.data();
  double farthest = kUnbounded;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(slope[i] > floor)) continue;
    const double room = std::max(constant[i], 0.0) + kLemke.ratio_noise;
    if (room < farthest * slope[i]) farthest = room / slope[i];
  }
  int first = -1;
  bool tied = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(slope[i] > floor) || std::max(constant[i], 0.0) > farthest * slope[i]) continue;
    if (basic_[i] == 2 * n_) return static_cast<int>(i);  // z0 leaves whenever it may
    if (first < 0) {
      first = static_cast<int>(i);
      continue;
    }
    if (!tied) candidates_.assign(1, first);
    tied = true;
    candidates_.push_back(static_cast<int>(i));
  }
  return tied ? lexicographicLeast() : first;
}

// Narrows the candidates column by column of the basis inverse, which is the coefficient of
// eps^(k+1) in the constants when q_k is perturbed by it; what rounding cannot tell apart is
// decided by the larger pivot.
int DensePath::lexicographicLeast() {
  for (int k = 0; k < n_ && candidates_.size() > 1; ++k) {
    findSlopes(k, order_.data());
    double bound = kUnbounded;
    for (const int i : candidates_)
      bound = std::min(bound, (order_[i] + kLemke.order_noise) / slope_[i]);
    std::erase_if(candidates_, [&](int i) { return order_[i] / slope_[i] > bound; });
  }
  return *std::max_element(candidates_.begin(), candidates_.end(),
                           [&](int a, int b) { return slope_[a] < slope_[b]; });
}

void DensePath::pivot(int r, int entering) {
  inverse_.append(r, slope_.data());
  inverse_.apply(constant_.data(), inverse_.count() - 1);
  const int leaving = basic_[r];
  place_[entering] = r;
  place_[leaving] = -1;
  basic_[r] = entering;
  guard_.exchange(entering, leaving);
}

// Basic w go back to their own rows; every other basic variable takes the row of those left in
// which its column is largest. False if the basis is singular to rounding.
bool DensePath::rebuild() {
  const std::size_t n = n_;
  inverse_.clear();
  is_taken_.assign(n, 0);
  for (int i = 0; i < n_; ++i) {
    if (place_[i] < 0) continue;
    place_[i] = basic_[i] = i;
    is_taken_[i] = 1;
  }
  for (int variable = n_; variable <= 2 * n_; ++variable) {
    if (place_[variable] < 0) continue;
    findSlopes(variable, order_.data());
    int row = -1;
    double largest = kLemke.smallest_pivot;
    for (int i = 0; i < n_; ++i) {
      if (is_taken_[i] != 0 || !(std::abs(order_[i]) > largest)) continue;
      largest = std::abs(order_[i]);
      row = i;
    }
    if (row < 0) return false;
    inverse_.append(row, order_.data());
    is_taken_[row] = 1;
    place_[variable] = row;
    basic_[row] = variable;
  }
  for (std::size_t i = 0; i < n; ++i) constant_[i] = lcp_->q(static_cast<int>(i));
  inverse_.apply(constant_.data());
  worn_at_ = inverse_.count() + at(std::max(n_ / 2, kLemke.least_product));
  return true;
}

void DensePath::readPoint(std::span<double> z, std::vector<int>& support) const {
  support.clear();
  for (int j = 0; j < n_; ++j) {
    const int place = place_[n_ + j];
    z[j] = place >= 0 ? std::max(constant_[place], 0.0) : 0.0;
    if (place >= 0) support.push_back(j);
  }
}

void DensePath::readRay(std::span<double> z) const {
  for (int j = 0; j < n_; ++j) {
    const int place = place_[n_ + j];
    const double growth = place >= 0 ? -slope_[place] : n_ + j == ray_variable_ ? 1.0 : 0.0;
    z[j] = std::max(growth, 0.0);
  }
}

}  // namespace stickslip
