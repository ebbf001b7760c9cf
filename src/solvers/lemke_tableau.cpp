#include "solvers/lemke_tableau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

// All on scaled data. A pivot must exceed this part of the largest entry of its column.
constexpr double kPivotFloor = 1e-10;
// Only when there is none, and the path would end in a ray, smaller ones above rounding are
// believed.
constexpr double kSmallestPivot = 1e-14;
// Constants closer than this are ties of the ratio test,
constexpr double kRatioNoise = 1e-13;
// and entries of the basis inverse closer than this are ties of the lexicographic order.
constexpr double kOrderNoise = 1e-11;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A random-looking number for each variable; a basis has the exclusive or of its variables'.
std::uint64_t hashOf(int variable) {
  std::uint64_t x = static_cast<std::uint64_t>(variable + 1) * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

void LemkeTableau::reserve(int n) {
  const auto size = static_cast<std::size_t>(n);
  tableau_.reserve(size * (size + 2));
  basic_.reserve(size);
  nonbasic_.reserve(size + 1);
  place_.reserve(2 * size + 1);
  candidates_.reserve(size);
}

void LemkeTableau::start(const ScaledLcp& lcp, std::span<const double> cover) {
  n_ = lcp.size();
  const auto n = static_cast<std::size_t>(n_);
  stride_ = n + 2;
  tableau_.resize(n * stride_);
  basic_.resize(n);
  nonbasic_.resize(n + 1);
  place_.resize(2 * n + 1);
  for (int i = 0; i < n_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    double* to = row(i);
    std::copy_n(lcp.row(i).data(), n, to);
    to[n] = cover[k];
    to[n + 1] = lcp.q(i);
    basic_[k] = i;
    nonbasic_[k] = n_ + i;
    place_[k] = i;
    place_[n + k] = -1 - i;
  }
  nonbasic_[n] = 2 * n_;
  place_[2 * n] = -1 - n_;
  basis_hash_ = remembered_hash_ = 0;  // relative to the first basis
  pivots_since_ = 0;
  remembered_for_ = 1;
}

LemkeTableau::End LemkeTableau::follow(long pivot_limit, long& pivots) {
  int leaving = firstLeavingRow();
  int column = n_;  // z0 enters first
  while (true) {
    const int left = basic_[static_cast<std::size_t>(leaving)];
    pivot(leaving, column);
    ++pivots;
    if (left == 2 * n_) return End::solution;
    if (pivots >= pivot_limit) return End::limit;
    if (basisReturned()) return End::cycle;
    column = columnOfComplement(left);
    leaving = leavingRow(column);
    if (leaving < 0) {
      ray_column_ = column;
      return End::ray;
    }
  }
}

// The row with the lexicographically least (q_i, e_i) / d_i. Of two rows with equal q_i / d_i the
// one further down is the smaller: its unit entry comes later.
int LemkeTableau::firstLeavingRow() const {
  int best = 0;
  double least = kInfinity;
  for (int i = 0; i < n_; ++i) {
    const double ratio = constant(i) / row(i)[n_];
    if (ratio <= least) {
      least = ratio;
      best = i;
    }
  }
  return best;
}

// Ratio test in two passes: the first finds how far the entering variable can go if every basic
// variable may undershoot zero by the noise, the second collects the rows that block by then.
int LemkeTableau::leavingRow(int column) {
  double largest = 0;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(row(i)[column]));
  const int leaving = leavingRowAbove(kPivotFloor * largest, column);
  return leaving >= 0 ? leaving : leavingRowAbove(kSmallestPivot * n_ * largest, column);
}

int LemkeTableau::leavingRowAbove(double floor, int column) {
  double farthest = kInfinity;
  for (int i = 0; i < n_; ++i) {
    const double slope = -row(i)[column];
    if (slope > floor)
      farthest = std::min(farthest, (std::max(constant(i), 0.0) + kRatioNoise) / slope);
  }
  candidates_.clear();
  for (int i = 0; i < n_; ++i) {
    const double slope = -row(i)[column];
    if (!(slope > floor) || std::max(constant(i), 0.0) > farthest * slope) continue;
    if (basic_[static_cast<std::size_t>(i)] == 2 * n_) return i;  // z0 leaves whenever it may
    candidates_.push_back(i);
  }
  if (candidates_.empty()) return -1;
  return candidates_.size() == 1 ? candidates_.front() : lexicographicLeast(column);
}

// Narrows the candidates column by column of the basis inverse; what rounding cannot tell apart is
// decided by the larger pivot.
int LemkeTableau::lexicographicLeast(int column) {
  for (int k = 0; k < n_ && candidates_.size() > 1; ++k) {
    double bound = kInfinity;
    for (const int i : candidates_)
      bound = std::min(bound, (perturbation(i, k) + kOrderNoise) / -row(i)[column]);
    std::erase_if(candidates_, [&](int i) { return perturbation(i, k) / -row(i)[column] > bound; });
  }
  return *std::max_element(candidates_.begin(), candidates_.end(),
                           [&](int a, int b) { return -row(a)[column] < -row(b)[column]; });
}

// Coefficient of eps^(k+1) in the constant of row i when q_k is perturbed by eps^(k+1).
double LemkeTableau::perturbation(int i, int k) const {
  const int place = place_[static_cast<std::size_t>(k)];
  if (place >= 0) return place == i ? 1.0 : 0.0;
  return -row(i)[-1 - place];
}

void LemkeTableau::pivot(int r, int column) {
  const int width = n_ + 2;
  double* __restrict pivot_row = row(r);
  const double inverse = 1.0 / pivot_row[column];
  for (int j = 0; j < width; ++j) pivot_row[j] *= -inverse;
  pivot_row[column] = inverse;
  for (int i = 0; i < n_; ++i) {
    double* __restrict target = row(i);
    const double factor = target[column];
    if (i == r || factor == 0) continue;
    target[column] = 0;
    for (int j = 0; j < width; ++j) target[j] += factor * pivot_row[j];
  }
  int& entering = nonbasic_[static_cast<std::size_t>(column)];
  int& leaving = basic_[static_cast<std::size_t>(r)];
  place_[static_cast<std::size_t>(entering)] = r;
  place_[static_cast<std::size_t>(leaving)] = -1 - column;
  basis_hash_ ^= hashOf(entering) ^ hashOf(leaving);
  std::swap(entering, leaving);
}

// Compares with one earlier basis, remembered anew after 1, 2, 4, ... pivots: a cycle of any length
// is found within three times the pivots up to its end.
bool LemkeTableau::basisReturned() {
  if (basis_hash_ == remembered_hash_) return true;
  if (++pivots_since_ == remembered_for_) {
    remembered_hash_ = basis_hash_;
    remembered_for_ *= 2;
    pivots_since_ = 0;
  }
  return false;
}

int LemkeTableau::columnOfComplement(int variable) const {
  const int complement = variable < n_ ? variable + n_ : variable - n_;
  return -1 - place_[static_cast<std::size_t>(complement)];
}

void LemkeTableau::readPoint(std::span<double> z, std::vector<int>& support) const {
  support.clear();
  for (int j = 0; j < n_; ++j) {
    const int place = place_[static_cast<std::size_t>(n_ + j)];
    z[static_cast<std::size_t>(j)] = place >= 0 ? std::max(constant(place), 0.0) : 0.0;
    if (place >= 0) support.push_back(j);
  }
}

void LemkeTableau::readRay(std::span<double> z) const {
  for (int j = 0; j < n_; ++j) {
    const int place = place_[static_cast<std::size_t>(n_ + j)];
    const double slope = place >= 0                  ? row(place)[ray_column_]
                         : place == -1 - ray_column_ ? 1.0
                                                     : 0.0;
    z[static_cast<std::size_t>(j)] = std::max(slope, 0.0);
  }
}

}  // namespace stickslip
