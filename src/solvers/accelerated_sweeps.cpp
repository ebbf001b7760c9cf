#include "solvers/accelerated_sweeps.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

// Sweeps between two looks at the residual: a part of those that were made, within bounds.
constexpr long kLeastBetweenLooks = 2;
constexpr long kMostBetweenLooks = 16;
constexpr long kShareBetweenLooks = 8;
// What sweeps keep up to date is computed anew after so many of them.
constexpr long kRefresh = 128;

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

/// How much momentum Coulomb's law gets.
class MomentumLimit {
 public:
  explicit MomentumLimit(Law law) : limited_(law == Law::coulomb) {}
  double value() const { return limited_ ? 1 - distance_ : 1; }
  /// To be told the residual, and the best one before.
  void see(double residual, double best) {
    if (!limited_) return;
    if (residual < best) {
      worse_ = 0;
      return;
    }
    if (++worse_ < kPatience) return;
    worse_ = 0;
    distance_ = std::min(1.0, distance_ * kRetreat);
  }

 private:
  static constexpr double kFirst = 0.15;
  static constexpr double kRetreat = 1.5;
  static constexpr int kPatience = 6;
  bool limited_;
  double distance_ = kFirst;  ///< from one
  int worse_ = 0;
};

}  // namespace

SweepOutcome accelerateSweeps(SweepSystem& system, Law law, double target, long budget) {
  SweepOutcome best{0, system.residual()};
  system.keep();
  Momentum momentum;
  MomentumLimit limit(law);
  bool at_best = true;
  long next_look = kLeastBetweenLooks, next_refresh = kRefresh;
  long done = 0;
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
    limit.see(residual, best.residual);
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
