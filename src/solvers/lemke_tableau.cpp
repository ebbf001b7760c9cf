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

// to += factor from, in whole fours.
void addRow(double factor, const double* __restrict from, double* __restrict to,
            std::size_t width) {
  for (const double* end = from + width; from != end; from += 4, to += 4) {
    to[0] += factor * from[0];
    to[1] += factor * from[1];
    to[2] += factor * from[2];
    to[3] += factor * from[3];
  }
}

// Entries of a row, in whole fours.
std::size_t paddedWidth(std::size_t n) {
  return (n + 2 + 3) / 4 * 4;
}

}  // namespace

void LemkeTableau::reserve(int n) {
  const auto size = static_cast<std::size_t>(n);
  tableau_.reserve(size * paddedWidth(size));
  slope_.reserve(size);
  room_.reserve(size);
  basic_.reserve(size);
  nonbasic_.reserve(size + 1);
  place_.reserve(2 * size + 1);
  candidates_.reserve(size);
}

void LemkeTableau::start(const ScaledLcp& lcp, std::span<const double> cover) {
  n_ = lcp.size();
  const auto n = static_cast<std::size_t>(n_);
  stride_ = paddedWidth(n);
  tableau_.resize(n * stride_);
  slope_.resize(n);
  room_.resize(n);
  basic_.resize(n);
  nonbasic_.resize(n + 1);
  place_.resize(2 * n + 1);
  for (int i = 0; i < n_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    double* to = row(i);
    std::copy_n(lcp.row(i).data(), n, to);
    to[n] = cover[k];
    to[n + 1] = lcp.q(i);
    for (std::size_t j = n + 2; j < stride_; ++j) to[j] = 0;
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
    ++pivots;
    if (left == 2 * n_) {
      pivotConstants(leaving, column);
      return End::solution;
    }
    pivot(leaving, column);
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
  const auto n = static_cast<std::size_t>(n_);
  const double* entry = tableau_.data();
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i, entry += stride_) {
    slope_[i] = -entry[column];
    room_[i] = std::max(entry[n + 1], 0.0);
    largest = std::max(largest, std::abs(slope_[i]));
  }
  const int leaving = leavingRowAbove(kPivotFloor * largest, column);
  return leaving >= 0 ? leaving : leavingRowAbove(kSmallestPivot * n_ * largest, column);
}

int LemkeTableau::leavingRowAbove(double floor, int column) {
  const auto n = static_cast<std::size_t>(n_);
  double farthest = kInfinity;
  for (std::size_t i = 0; i < n; ++i)
    if (slope_[i] > floor && room_[i] + kRatioNoise < farthest * slope_[i])
      farthest = (room_[i] + kRatioNoise) / slope_[i];
  int first = -1;
  bool tied = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(slope_[i] > floor) || room_[i] > farthest * slope_[i]) continue;
    if (basic_[i] == 2 * n_) return static_cast<int>(i);  // z0 leaves whenever it may
    if (first >= 0 && !tied) candidates_.assign(1, first);
    tied = first >= 0;
    if (tied)
      candidates_.push_back(static_cast<int>(i));
    else
      first = static_cast<int>(i);
  }
  return tied ? lexicographicLeast(column) : first;
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
  double* pivot_row = row(r);
  const double inverse = 1.0 / pivot_row[column];
  for (std::size_t j = 0; j < stride_; ++j) pivot_row[j] *= -inverse;
  pivot_row[column] = inverse;
  double* target = tableau_.data();
  for (int i = 0; i < n_; ++i, target += stride_) {
    const double factor = target[column];
    if (i == r || factor == 0) continue;
    target[column] = 0;
    addRow(factor, pivot_row, target, stride_);
  }
  exchange(r, column);
}

// The last pivot: nobody reads the other columns any more.
void LemkeTableau::pivotConstants(int r, int column) {
  double& pivot_constant = row(r)[n_ + 1];
  pivot_constant *= -(1.0 / row(r)[column]);
  for (int i = 0; i < n_; ++i)
    if (i != r) row(i)[n_ + 1] += row(i)[column] * pivot_constant;
  exchange(r, column);
}

void LemkeTableau::exchange(int r, int column) {
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
