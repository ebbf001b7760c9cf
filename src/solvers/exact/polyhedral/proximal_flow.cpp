#include "solvers/exact/polyhedral/proximal_flow.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace stickslip {
namespace {

constexpr int kNewtonSteps = 8;
constexpr double kFailed = 2.5;
constexpr double kSmallestProx = 1e-7;
// Steps with the same states that lower the residual by less than this are a drift.
constexpr double kShrinks = 0.5;
// A polish that is this much worse than where it began does not come back.
constexpr double kLost = 1e4;

// What a proximal point that took so many Newton steps does to prox.
double ease(int steps) {
  switch (steps) {
    case 1:
      return 0.3;
    case 2:
      return 0.5;
    case 3:
      return 0.7;
    case 4:
      return 1;
    default:
      return 1.3;
  }
}

}  // namespace

void ProximalFlow::build(const LawPairs& pairs, ScaledIsland& island) {
  island_ = &island;
  newton_.build(pairs, island);
}

bool ProximalFlow::offer(const Iterate& point, Iterate& best, double target) const {
  if (point.residual < best.residual) {
    best.p = point.p;
    best.u = point.u;
    best.residual = point.residual;
  }
  return best.residual <= target;
}

bool ProximalFlow::polish(Iterate& point, Iterate& best, double target, double prox,
                          std::int64_t steps, std::int64_t& factorizations) {
  if (offer(point, best, target)) return true;
  const double start = point.residual;
  double before = start;
  for (int k = 0; k < steps; ++k) {
    const int changes = newton_.classify(point, point.p, prox);
    if (k > 0 && changes == 0 && point.residual > kShrinks * before) followDrift(point);
    centre_ = point.p;
    before = point.residual;
    ++factorizations;
    if (!newton_.step(point, centre_, prox)) return false;
    if (offer(point, best, target)) return true;
    if (point.residual > kLost * start) return false;
  }
  return false;
}

// centre_ is the point before the last step.
void ProximalFlow::followDrift(Iterate& point) {
  drift_.resize(point.p.size());
  for (std::size_t k = 0; k < drift_.size(); ++k) drift_[k] = point.p[k] - centre_[k];
  const double room = newton_.room(point.p, drift_);
  if (!std::isfinite(room)) return;
  for (std::size_t k = 0; k < drift_.size(); ++k) point.p[k] += room * drift_[k];
  point.evaluate(*island_);
  newton_.classify(point, point.p, 0);
}

void ProximalFlow::startFlow(const Iterate& point, double prox) {
  point_ = point;
  prox_ = prox;
}

// The point that belongs to centre_; false if its states do not settle.
bool ProximalFlow::proximalPoint(std::int64_t end, std::int64_t& factorizations) {
  for (newton_steps_ = 1; newton_steps_ <= kNewtonSteps; ++newton_steps_) {
    if (factorizations >= end) return false;
    ++factorizations;
    if (!newton_.step(point_, centre_, prox_)) return false;
    if (newton_.classify(point_, centre_, prox_) == 0) return true;
  }
  return false;
}

bool ProximalFlow::flow(Iterate& best, double target, std::int64_t slice,
                        std::int64_t& factorizations) {
  if (offer(point_, best, target)) return true;
  const std::int64_t end = factorizations + slice;
  while (factorizations < end && !stuck()) {
    kept_ = point_;
    centre_ = point_.p;
    newton_.classify(point_, centre_, prox_);
    if (proximalPoint(end, factorizations)) {
      if (offer(point_, best, target)) return true;
      prox_ = std::max(kSmallestProx, prox_ * ease(newton_steps_));
    } else {
      std::swap(point_, kept_);
      if (factorizations < end) prox_ *= kFailed;
    }
  }
  return false;
}

}  // namespace stickslip
