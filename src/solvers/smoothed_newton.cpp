#include "solvers/smoothed_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace stickslip {
namespace {

constexpr double kLastTau = 1e-22;
constexpr double kMostEps = 1e2;

}  // namespace

void SmoothedNewton::start(const ContactIsland& island, std::span<const double> pi, double residual,
                           double first_eps) {
  centre_.assign(pi.begin(), pi.end());
  for (auto* x : {&pi_, &omega_, &trial_pi_, &trial_omega_, &rhs_, &d_pi_, &d_omega_})
    x->resize(pi.size());
  zero_.assign(pi.size(), 0.0);
  S_.resize(island.W().blockEntries());
  smoothing_.eps = first_eps;
  first_tau_ = std::clamp(residual, 1e-3, 1.0);
}

double SmoothedNewton::normAt(const ContactIsland& island, std::span<const double> pi,
                              std::span<const double> omega) const {
  std::array<double, kMostRows> F;
  double square = 0;
  for (const ContactItem& item : island.items()) {
    const auto first = static_cast<std::size_t>(item.first);
    const auto rows = static_cast<std::size_t>(item.rows);
    smoothedMap(item, smoothing_, pi.subspan(first, rows), omega.subspan(first, rows),
                std::span(centre_).subspan(first, rows), std::span(F).first(rows));
    for (std::size_t k = 0; k < rows; ++k) square += F[k] * F[k];
  }
  return std::sqrt(square);
}

bool SmoothedNewton::direction(ContactIsland& island) {
  ImpulseOperator& W = island.W();
  for (int i = 0; i < W.itemCount(); ++i) {
    const auto first = static_cast<std::size_t>(W.firstRow(i));
    const auto rows = static_cast<std::size_t>(W.rowsOf(i));
    linearizeSmoothedLaw(island.items()[static_cast<std::size_t>(i)], smoothing_,
                         std::span(pi_).subspan(first, rows),
                         std::span(omega_).subspan(first, rows),
                         std::span(centre_).subspan(first, rows),
                         {S_.data() + W.firstOfBlock(i), W.rowsOf(i), W.rowsOf(i)},
                         std::span(rhs_).subspan(first, rows));
  }
  if (!W.factor(S_, ImpulseOperator::Symmetry::general)) return false;
  W.solve(rhs_, zero_, d_pi_, d_omega_);
  return true;
}

bool SmoothedNewton::lineSearch(const ContactIsland& island, double& share) {
  share = 1;
  for (int halving = 0; halving < 12; ++halving, share /= 2) {
    for (std::size_t k = 0; k < pi_.size(); ++k) {
      trial_pi_[k] = pi_[k] + share * d_pi_[k];
      trial_omega_[k] = omega_[k] + share * d_omega_[k];
    }
    const double norm = normAt(island, trial_pi_, trial_omega_);
    if (!(norm <= (1 - 1e-4 * share) * norm_)) continue;
    pi_.swap(trial_pi_);
    island.velocity(pi_, omega_);
    norm_ = normAt(island, pi_, omega_);
    return true;
  }
  return false;
}

void SmoothedNewton::restartPath(const ContactIsland& island) {
  pi_ = centre_;
  island.velocity(pi_, omega_);
  smoothing_.tau = first_tau_;
  norm_ = normAt(island, pi_, omega_);
}

bool SmoothedNewton::followPath(ContactSearch& search, std::int64_t limit) {
  ContactIsland& island = search.island();
  restartPath(island);
  const std::int64_t end = std::min(limit, search.left());
  for (std::int64_t k = 0; k < end && smoothing_.eps <= kMostEps; ++k) {
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
      centre_ = pi_;
      smoothing_.eps /= 100;
      first_tau_ = std::max(first_tau_ / 100, 1e-10);
      return true;
    }
    const double ease = norm_ <= 0.03 * std::sqrt(tau) ? 100 : 10;
    smoothing_.tau /= share == 1 ? ease : std::sqrt(10.0);
    norm_ = normAt(island, pi_, omega_);
  }
  return false;
}

}  // namespace stickslip
