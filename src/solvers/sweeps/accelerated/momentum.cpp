#include "solvers/sweeps/accelerated/momentum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace stickslip {
namespace {

// Sweeps between two looks at the residual: a part of those that were made, within bounds.
constexpr std::int64_t kLeastBetweenLooks = 4;
constexpr std::int64_t kMostBetweenLooks = 16;
constexpr std::int64_t kShareBetweenLooks = 6;
// What sweeps keep up to date is computed anew after so many of them.
constexpr std::int64_t kRefresh = 128;

// A point whose residual is so many times the best one is given up when the limit changes.
constexpr double kLost = 10;

/// Nesterov's sequence, with an upper limit.
class Momentum {
 public:
  double next(double limit) {
    const double t = (1 + std::sqrt(1 + 4 * t_ * t_)) / 2;
    const double beta = (t_ - 1) / t;
    t_ = t;
    return std::min(beta, limit);
  }
  void restart() { t_ = 1; }

 private:
  double t_ = 1;
};

/// The limit of momentum: the next one of a row where residuals do not fall any more. Too much of
/// it runs away with Coulomb's law, too little is slow.
class MomentumLimit {
 public:
  explicit MomentumLimit(Law law)
      : patience_(law == Law::relaxed ? 48 : 16), place_(law == Law::relaxed ? 0 : 1) {}
  double value() const { return kLimits[place_]; }
  /// To be told every residual seen. True if the limit has changed.
  bool see(double residual) {
    if (residual < kProgress * best_) {
      best_ = residual;
      looks_ = 0;
      return false;
    }
    if (++looks_ < patience_) return false;
    looks_ = 0;
    place_ = (place_ + 1) % kLimits.size();
    return true;
  }

 private:
  static constexpr std::array<double, 6> kLimits{1, 0.9, 0.8, 0.95, 0.6, 0.98};
  static constexpr double kProgress = 0.9;
  int patience_;  ///< looks without progress
  std::size_t place_;
  int looks_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace

SweepOutcome accelerateSweeps(SweepSystem& system, Law law, double target, std::int64_t budget) {
  SweepOutcome best{0, system.residual()};
  system.keep();
  Momentum momentum;
  MomentumLimit limit(law);
  bool at_best = true;
  std::int64_t next_look = kLeastBetweenLooks, next_refresh = kRefresh;
  std::int64_t done = 0;
  while (done < budget && !(best.residual <= target)) {
    if (system.sweep(momentum.next(limit.value())) > 0) momentum.restart();
    at_best = false;
    if (++done < next_look && done < budget) continue;
    next_look = done + std::clamp(done / kShareBetweenLooks, kLeastBetweenLooks, kMostBetweenLooks);
    if (done >= next_refresh) {
      system.refresh();
      next_refresh = done + kRefresh;
    }
    const double residual = system.residual();
    if (limit.see(residual) && !(residual < kLost * best.residual)) system.takeBack();
    if (!(residual < best.residual)) continue;
    best.residual = residual;
    system.keep();
    at_best = true;
  }
  if (at_best)
    system.refresh();
  else
    system.takeBack();
  best.iterations = done;
  return best;
}

}  // namespace stickslip
