#include "solvers/lemke/sparse_lemke.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/index.hpp"
#include "solvers/lemke/lemke_settings.hpp"

namespace stickslip {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
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
  guard_.start();
  int entering = basis.coverVariable();
  basis.findDirection(entering);
  int leaving_variable = firstLeaving(basis);
  if (leaving_variable < 0) return End::solution;
  while (true) {
    const std::size_t slot = basis.slotOf(leaving_variable);
    const double step = basis.values()[slot] / basis.directions()[slot];
    basis.exchange(leaving_variable, entering, std::max(step, 0.0));
    ++pivots;
    guard_.exchange(entering, leaving_variable);
    if (leaving_variable == basis.coverVariable()) return End::solution;
    if (pivots >= pivot_limit) return End::limit;
    if (guard_.hasReturned()) return End::lost;
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
  for (int i = 0; i < lcp.size(); ++i) noise_[i] = kLemke.noise * lcp.unit(i);
  noise_.back() = kLemke.noise;
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
        basis.directions()[basis.slotOf(leaving_variable)] > kLemke.trusted * largest_direction_)
      return true;
    if (!renew(basis)) return false;
  }
}

int SparsePath::leaving(const SparseBasis& basis) {
  const std::size_t n = noise_.size();  // pairs, then z0
  const double* value = basis.values().last(n).data();
  const double* direction = basis.directions().last(n).data();
  largest_direction_ = std::max(1.0, largestOf(direction, n));
  const double floor = kLemke.eligible * largest_direction_;
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
    if (!(value[k] >= -kLemke.lost / kLemke.noise * noise_[k])) return false;
  return true;
}

SparseLemke::Report SparseLemke::solve(const MixedLcp& lcp, std::int64_t pivot_limit,
                                       std::span<const int> basis) {
  lcp_ = &lcp;
  limit_ = pivot_limit > 0 ? pivot_limit : kLemke.least_limit + kLemke.limit_per_pair * lcp.size();
  report_ = {SolveStatus::inaccurate, 0, false};
  best_ = std::numeric_limits<double>::infinity();
  x_.assign(lcp.freeCount(), 0.0);
  z_.assign(lcp.size(), 0.0);
  pairs_.clear();
  ray_.clear();
  if (!basis.empty() && followWarm(basis)) return report_;
  int lost = 0;
  for (int attempt = 0; lost < kLemke.lost_paths && report_.pivots < limit_; ++attempt) {
    const SparsePath::End end = followCold(attempt);
    if (settle(end)) return report_;
    if (end != SparsePath::End::limit) ++lost;
  }
  if (report_.pivots >= limit_)
    report_.status = withBudget(SolveStatus::iteration_limit, pivot_limit);
  return report_;
}

bool SparseLemke::followWarm(std::span<const int> basis) {
  basis_.start(*lcp_, basis);
  if (!basis_.factorize()) return false;
  basis_.refine();
  const double worst = worstViolation();
  if (worst <= kLemke.reused) {
    report_.basis_reused = settle(SparsePath::End::solution);
    return report_.basis_reused;
  }
  coverNegative(worst);
  const std::int64_t patience = kLemke.least_path + kLemke.path_per_pair * lcp_->size();
  const SparsePath::End end =
      path_.follow(*lcp_, basis_, std::min(limit_, patience), report_.pivots);
  // A ray may be due to the start.
  return end == SparsePath::End::solution && settle(end);
}

double SparseLemke::worstViolation() const {
  double worst = 0;
  for (int i = 0; i < lcp_->size(); ++i)
    worst = std::max(worst, -basis_.values()[lcp_->freeCount() + i] / lcp_->unit(i));
  return worst;
}

// The column B e of z0 adds z0 e to the basic variables, e generic and small where nothing is
// negative.
void SparseLemke::coverNegative(double worst) {
  cover_.assign(basis_.values().size(), 0.0);
  for (int i = 0; i < lcp_->size(); ++i) {
    const std::size_t slot = lcp_->freeCount() + i;
    const double negative = std::max(0.0, -basis_.values()[slot]) / worst;
    cover_[slot] = -genericCover(i, 0) * (negative + kLemke.warm_cover * lcp_->unit(i));
  }
  basis_.setCoverOfBasic(cover_);
}

SparsePath::End SparseLemke::followCold(int attempt) {
  basis_.start(*lcp_, {});
  if (!basis_.factorize()) return SparsePath::End::lost;
  const int free = lcp_->freeCount();
  constants_.assign(basis_.values().begin() + free, basis_.values().end() - 1);
  cover_.assign(free + lcp_->size(), 0.0);
  for (int i = 0; i < lcp_->size(); ++i)
    cover_[free + i] = -lcp_->weight(i) * genericCover(i, attempt);
  basis_.setCover(cover_);
  const std::int64_t patience = (kLemke.least_path + kLemke.path_per_pair * lcp_->size())
                                << std::min(attempt / 2, kLemke.most_doublings);
  const std::int64_t path_end = std::min(limit_, report_.pivots + patience);
  return path_.follow(*lcp_, basis_, path_end, report_.pivots);
}

// True if the end is a solution or a ray that can be proved; notes point and status.
bool SparseLemke::settle(SparsePath::End end) {
  const bool ray = end == SparsePath::End::ray && verifyRay();
  const double violation = readPoint();
  if (violation <= kLemke.sparse_solved)
    report_.status = SolveStatus::solved;
  else if (ray)
    report_.status = SolveStatus::ray;
  if (violation <= kLemke.sparse_solved) ray_.clear();
  return violation <= kLemke.sparse_solved || ray;
}

// The point of the present basis if it is better than what there was; returns its violation.
double SparseLemke::readPoint() {
  if (!basis_.isRefined()) {
    if (!basis_.factorize()) return std::numeric_limits<double>::infinity();
    basis_.refine();
  }
  const std::span<const double> value = basis_.values();
  const double z_0 = std::abs(value.back());
  double worst = 0;
  for (int i = 0; i < lcp_->size(); ++i) {
    const std::size_t slot = lcp_->freeCount() + i;
    const double covered = z_0 * std::abs(basis_.cover()[slot]);
    worst = std::max(worst, (covered - std::min(value[slot], 0.0)) / lcp_->unit(i));
  }
  if (!(worst < best_)) return worst;
  best_ = worst;
  std::copy_n(value.begin(), x_.size(), x_.begin());
  pairs_.clear();
  for (int i = 0; i < lcp_->size(); ++i) {
    const bool basic = basis_.isBasic(basis_.zOf(i));
    z_[i] = basic ? std::max(value[basis_.zOf(i)], 0.0) : 0.0;
    if (basic) pairs_.push_back(i);
  }
  return worst;
}

bool SparseLemke::verifyRay() {
  const double z_0 = -basis_.directions().back();
  ray_.assign(lcp_->size(), 0.0);
  double largest = 0;
  for (int i = 0; i < lcp_->size(); ++i) {
    ray_[i] = std::max(0.0, alongRay(basis_.zOf(i)));
    largest = std::max(largest, ray_[i]);
  }
  double z_N_z = 0, z_z = 0, q_z = 0, q_size = 0;
  for (int i = 0; i < lcp_->size() && largest > 0; ++i) {
    double& z = ray_[i];
    const double N_z = alongRay(basis_.wOf(i)) + basis_.cover()[lcp_->freeCount() + i] * z_0;
    z /= largest;
    z_N_z += z * (N_z / largest);
    z_z += z * z;
    q_z += constants_[i] * z;
    q_size += std::abs(constants_[i]) * z;
  }
  const bool proved =
      largest > 0 && std::abs(z_N_z) <= kLemke.ray_noise * z_z && q_z < -kLemke.ray_noise * q_size;
  if (!proved) ray_.clear();
  return proved;
}

// How a variable grows along the ray.
double SparseLemke::alongRay(int variable) const {
  if (variable == path_.rayVariable()) return 1;
  return basis_.isBasic(variable) ? -basis_.directions()[basis_.slotOf(variable)] : 0.0;
}

}  // namespace stickslip
