#include "solvers/lemke/sparse_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/index.hpp"
#include "solvers/lemke/basis_hash.hpp"

namespace stickslip {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// What a variable may undershoot zero by, in its unit,
constexpr double kNoise = 1e-12;
// and what it may do so by after a new factorization.
constexpr double kLost = 1e-7;
// A direction counts if it exceeds this part of the largest one (or of 1, the size of the data),
constexpr double kEligible = 1e-11;
// and is believed without fresh factors if it exceeds this part.
constexpr double kTrusted = 1e-6;

// Largest absolute value, in four chains.
double largestOf(const double* x, std::size_t n) {
  double most[4] = {0, 0, 0, 0};
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4)
    for (std::size_t c = 0; c < 4; ++c) {
      const double size = std::abs(x[k + c]);
      most[c] = size > most[c] ? size : most[c];
    }
  for (; k < n; ++k) most[0] = std::max(most[0], std::abs(x[k]));
  return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

}  // namespace

SparsePath::End SparsePath::follow(const MixedLcp& lcp, SparseBasis& basis,
                                   std::int64_t pivot_limit, std::int64_t& pivots) {
  setNoise(lcp);
  basis_hash_ = remembered_hash_ = 0;  // relative to the first basis
  pivots_since_ = 0;
  remembered_for_ = 1;
  int entering = basis.coverVariable();
  basis.findDirection(entering);
  int leaving_variable = firstLeaving(basis);
  if (leaving_variable < 0) return End::solution;
  while (true) {
    const auto slot = at(basis.slotOf(leaving_variable));
    const double step = basis.values()[slot] / basis.directions()[slot];
    basis.exchange(leaving_variable, entering, std::max(step, 0.0));
    ++pivots;
    note(entering, leaving_variable);
    if (leaving_variable == basis.coverVariable()) return End::solution;
    if (pivots >= pivot_limit) return End::limit;
    if (basisReturned()) return End::lost;
    if (basis.isWorn() && !renew(basis)) return End::lost;
    entering = basis.complementOf(leaving_variable);
    if (!findTrustedLeaving(basis, entering, leaving_variable)) return End::lost;
    if (leaving_variable < 0) {
      ray_variable_ = entering;
      return End::ray;
    }
  }
}

void SparsePath::setNoise(const MixedLcp& lcp) {
  noise_.resize(at(lcp.size()) + 1);
  for (int i = 0; i < lcp.size(); ++i) noise_[i] = kNoise * lcp.unit(i);
  noise_.back() = kNoise;
}

// Raised by z0 to zero after all others; -1: nothing is negative.
int SparsePath::firstLeaving(const SparseBasis& basis) const {
  const std::span<const double> value = basis.values().last(noise_.size());
  const std::span<const double> direction = basis.directions().last(noise_.size());
  int best = -1;
  double most = 0;
  for (std::size_t i = 0; i + 1 < value.size(); ++i) {
    if (value[i] >= 0 || !(direction[i] < 0) || value[i] / direction[i] <= most) continue;
    most = value[i] / direction[i];
    best = basis.basicOf(static_cast<int>(i));
  }
  return best;
}

// False if the path is lost.
bool SparsePath::findTrustedLeaving(SparseBasis& basis, int entering, int& leaving_variable) {
  for (bool again = false;; again = true) {
    basis.findDirection(entering);
    leaving_variable = leaving(basis);
    if (again || basis.isFresh()) return true;
    if (leaving_variable >= 0 &&
        basis.directions()[basis.slotOf(leaving_variable)] > kTrusted * largest_direction_)
      return true;
    if (!renew(basis)) return false;
  }
}

int SparsePath::leaving(const SparseBasis& basis) {
  const std::size_t n = noise_.size();  // pairs, then z0
  const double* value = basis.values().last(n).data();
  const double* direction = basis.directions().last(n).data();
  largest_direction_ = std::max(1.0, largestOf(direction, n));
  const double floor = kEligible * largest_direction_;
  double farthest = kInfinity;
  for (std::size_t k = 0; k < n; ++k) {
    if (!(direction[k] > floor)) continue;
    const double room = std::max(value[k], 0.0) + noise_[k];
    if (room < farthest * direction[k]) farthest = room / direction[k];
  }
  std::size_t best = n;
  double largest = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (!(direction[k] > floor) || value[k] > farthest * direction[k]) continue;
    if (k + 1 < n && direction[k] <= largest) continue;
    largest = direction[k];
    best = k;  // z0, the last, whenever it may
  }
  if (best == n) return -1;
  return best + 1 == n ? basis.coverVariable() : basis.basicOf(static_cast<int>(best));
}

// Fresh factors; false if the basis is singular or its values say that it was never reached.
bool SparsePath::renew(SparseBasis& basis) const {
  if (!basis.factorize()) return false;
  const std::span<const double> value = basis.values().last(noise_.size());
  for (std::size_t k = 0; k < value.size(); ++k)
    if (!(value[k] >= -kLost / kNoise * noise_[k])) return false;
  return true;
}

void SparsePath::note(int entering, int leaving_variable) {
  basis_hash_ ^= basisHash(entering) ^ basisHash(leaving_variable);
}

// Compares with one earlier basis, remembered anew after 1, 2, 4, ... pivots.
bool SparsePath::basisReturned() {
  if (basis_hash_ == remembered_hash_) return true;
  if (++pivots_since_ == remembered_for_) {
    remembered_hash_ = basis_hash_;
    remembered_for_ *= 2;
    pivots_since_ = 0;
  }
  return false;
}

}  // namespace stickslip
