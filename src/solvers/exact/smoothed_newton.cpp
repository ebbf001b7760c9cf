#include "solvers/exact/smoothed_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace stickslip {
namespace {

constexpr double kLastTau = 1e-22;
constexpr double kMostSmoothing = 1e2;

}  // namespace

void SmoothedNewton::start(const ScaledIsland& island, std::span<const double> p, double residual,
                           double first_eps) {
  centre_.assign(p.begin(), p.end());
  for (auto* x : {&p_, &u_, &trial_p_, &trial_u_, &rhs_, &d_p_, &d_u_}) x->resize(p.size());
  zero_.assign(p.size(), 0.0);
  S_.resize(island.W().blockEntries());
  smoothing_.eps = first_eps;
  first_tau_ = std::clamp(residual, 1e-3, 1.0);
}

double SmoothedNewton::normAt(const ScaledIsland& island, std::span<const double> p,
                              std::span<const double> u) const {
  std::array<double, kMostRows> F;
  double square = 0;
  for (const Cone& cone : island.cones()) {
    const auto first = static_cast<std::size_t>(cone.first);
    const auto rows = static_cast<std::size_t>(cone.rows);
    smoothedMap(cone, smoothing_, p.subspan(first, rows), u.subspan(first, rows),
                std::span(centre_).subspan(first, rows), std::span(F).first(rows));
    for (std::size_t k = 0; k < rows; ++k) square += F[k] * F[k];
  }
  return std::sqrt(square);
}

bool SmoothedNewton::direction(ScaledIsland& island) {
  Delassus& W = island.W();
  for (int i = 0; i < W.coneCount(); ++i) {
    const auto first = static_cast<std::size_t>(W.firstRow(i));
    const auto rows = static_cast<std::size_t>(W.rowsOf(i));
    linearizeSmoothedLaw(island.cones()[i], smoothing_, std::span(p_).subspan(first, rows),
                         std::span(u_).subspan(first, rows),
                         std::span(centre_).subspan(first, rows),
                         {S_.data() + W.firstOfBlock(i), W.rowsOf(i), W.rowsOf(i)},
                         std::span(rhs_).subspan(first, rows));
  }
  if (!W.factor(S_, Delassus::Symmetry::general)) return false;
  W.solve(rhs_, zero_, d_p_, d_u_);
  return true;
}

bool SmoothedNewton::lineSearch(const ScaledIsland& island, double& share) {
  share = 1;
  for (int halving = 0; halving < 12; ++halving, share /= 2) {
    for (std::size_t k = 0; k < p_.size(); ++k) {
      trial_p_[k] = p_[k] + share * d_p_[k];
      trial_u_[k] = u_[k] + share * d_u_[k];
    }
    const double norm = normAt(island, trial_p_, trial_u_);
    if (!(norm <= (1 - 1e-4 * share) * norm_)) continue;
    p_.swap(trial_p_);
    island.velocity(p_, u_);
    norm_ = normAt(island, p_, u_);
    return true;
  }
  return false;
}

void SmoothedNewton::restartPath(const ScaledIsland& island) {
  p_ = centre_;
  island.velocity(p_, u_);
  smoothing_.tau = first_tau_;
  norm_ = normAt(island, p_, u_);
}

bool SmoothedNewton::followPath(Search& search, std::int64_t limit) {
  ScaledIsland& island = search.island();
  restartPath(island);
  const std::int64_t end = std::min(limit, search.left());
  for (std::int64_t k = 0; k < end && smoothing_.eps <= kMostSmoothing; ++k) {
    search.count();
    double share = 1;
    if (!direction(island) || !lineSearch(island, share)) {
      smoothing_.eps *= 4;
      restartPath(island);
      continue;
    }
    const double tau = smoothing_.tau;
    if (!(norm_ <= 0.3 * std::sqrt(tau))) continue;
    if (tau <= kLastTau) {
      centre_ = p_;
      smoothing_.eps /= 100;
      first_tau_ = std::max(first_tau_ / 100, 1e-10);
      return true;
    }
    const double ease = norm_ <= 0.03 * std::sqrt(tau) ? 100 : 10;
    smoothing_.tau /= share == 1 ? ease : std::sqrt(10.0);
    norm_ = normAt(island, p_, u_);
  }
  return false;
}

}  // namespace stickslip
