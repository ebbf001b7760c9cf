#include "solvers/lemke/sparse_lemke.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/index.hpp"

namespace stickslip {
namespace {

// Paths that may get lost in rounding errors.
constexpr int kLostPaths = 6;
// Pivots that a problem may take where nothing is said,
constexpr std::int64_t kLeastLimit = 1000, kLimitPerPair = 20;
// and the first paths: lengths differ by large factors, so that another one is the better hope.
// Every other path may be twice as long, so that the longest has a good part of any budget.
constexpr std::int64_t kLeastPath = 300, kPathPerPair = 5;
constexpr int kMostDoublings = 40;
// Largest violation of an answer, in its unit,
constexpr double kSolvedResidual = 3e-11;
// and of one from a basis that was offered: a cold start would not stop before.
constexpr double kReused = 1e-12;
// Rounding of the sums that prove a ray.
constexpr double kRayNoise = 1e-9;
// Part of the largest violation by which a warm start covers what is not negative.
constexpr double kWarmCover = 1e-2;

// In [1, 2), all different: multiples of the golden ratio modulo one.
double generic(int i, int attempt) {
  const double x = 0.6180339887498949 * (i + 1) + 0.7548776662466927 * attempt;
  return 1.0 + (x - std::floor(x));
}

}  // namespace

SparseLemke::Report SparseLemke::solve(const MixedLcp& lcp, std::int64_t pivot_limit,
                                       std::span<const int> basis) {
  lcp_ = &lcp;
  limit_ = pivot_limit > 0 ? pivot_limit : kLeastLimit + kLimitPerPair * lcp.size();
  report_ = {SolveStatus::inaccurate, 0, false};
  best_ = std::numeric_limits<double>::infinity();
  x_.assign(at(lcp.freeCount()), 0.0);
  z_.assign(at(lcp.size()), 0.0);
  pairs_.clear();
  ray_.clear();
  if (!basis.empty() && followWarm(basis)) return report_;
  int lost = 0;
  for (int attempt = 0; lost < kLostPaths && report_.pivots < limit_; ++attempt) {
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
  if (worst <= kReused) {
    report_.basis_reused = settle(SparsePath::End::solution);
    return report_.basis_reused;
  }
  coverNegative(worst);
  const std::int64_t patience = kLeastPath + kPathPerPair * lcp_->size();
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
    const auto slot = at(lcp_->freeCount() + i);
    const double negative = std::max(0.0, -basis_.values()[slot]) / worst;
    cover_[slot] = -generic(i, 0) * (negative + kWarmCover * lcp_->unit(i));
  }
  basis_.setCoverOfBasic(cover_);
}

SparsePath::End SparseLemke::followCold(int attempt) {
  basis_.start(*lcp_, {});
  if (!basis_.factorize()) return SparsePath::End::lost;
  const int free = lcp_->freeCount();
  constants_.assign(basis_.values().begin() + free, basis_.values().end() - 1);
  cover_.assign(at(free + lcp_->size()), 0.0);
  for (int i = 0; i < lcp_->size(); ++i) cover_[free + i] = -lcp_->weight(i) * generic(i, attempt);
  basis_.setCover(cover_);
  const std::int64_t patience = (kLeastPath + kPathPerPair * lcp_->size())
                                << std::min(attempt / 2, kMostDoublings);
  const std::int64_t path_end = std::min(limit_, report_.pivots + patience);
  return path_.follow(*lcp_, basis_, path_end, report_.pivots);
}

// True if the end is a solution or a ray that can be proved; notes point and status.
bool SparseLemke::settle(SparsePath::End end) {
  const bool ray = end == SparsePath::End::ray && verifyRay();
  const double violation = readPoint();
  if (violation <= kSolvedResidual)
    report_.status = SolveStatus::solved;
  else if (ray)
    report_.status = SolveStatus::ray;
  if (violation <= kSolvedResidual) ray_.clear();
  return violation <= kSolvedResidual || ray;
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
    const auto slot = at(lcp_->freeCount() + i);
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
  ray_.assign(at(lcp_->size()), 0.0);
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
      largest > 0 && std::abs(z_N_z) <= kRayNoise * z_z && q_z < -kRayNoise * q_size;
  if (!proved) ray_.clear();
  return proved;
}

// How a variable grows along the ray.
double SparseLemke::alongRay(int variable) const {
  if (variable == path_.rayVariable()) return 1;
  return basis_.isBasic(variable) ? -basis_.directions()[basis_.slotOf(variable)] : 0.0;
}

}  // namespace stickslip
