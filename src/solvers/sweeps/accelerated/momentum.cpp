#include "solvers/sweeps/accelerated/momentum.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "solvers/sweeps/settings.hpp"

namespace stickslip {
namespace {

using Settings = MomentumSettings;

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
      : patience_(law == Law::relaxed ? Settings::patience_relaxed : Settings::patience_coulomb),
        place_(law == Law::relaxed ? Settings::first_limit_relaxed
                                   : Settings::first_limit_coulomb) {}
  double value() const { return Settings::limits[place_]; }
  /// To be told every residual seen. True if the limit has changed.
  bool see(double residual) {
    if (residual < Settings::progress * best_) {
      best_ = residual;
      looks_ = 0;
      return false;
    }
    if (++looks_ < patience_) return false;
    looks_ = 0;
    place_ = (place_ + 1) % Settings::limits.size();
    return true;
  }

 private:
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
  std::int64_t next_look = Settings::least_between_looks, next_refresh = Settings::refresh;
  std::int64_t done = 0;
  while (done < budget && !(best.residual <= target)) {
    if (system.sweep(momentum.next(limit.value())) > 0) momentum.restart();
    at_best = false;
    if (++done < next_look && done < budget) continue;
    next_look = done + std::clamp(done / Settings::share_between_looks,
                                  Settings::least_between_looks, Settings::most_between_looks);
    if (done >= next_refresh) {
      system.refresh();
      next_refresh = done + Settings::refresh;
    }
    const double residual = system.residual();
    if (limit.see(residual) && !(residual < Settings::lost * best.residual)) system.takeBack();
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
