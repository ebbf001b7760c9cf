// Newton's method on the states of an island (state_newton), held back by a proximal term, in two
// ways.
//
// polish(): the centre moves with every step. Converges in a few steps where the states are nearly
// right. Impulses that redundant contacts can exchange may then drift at constant velocity, with
// all states frozen, because their gaps contradict each other by rounding errors: where steps with
// the same states no longer lower the residual, the drift is followed at once to the first state
// that changes.
//
// flow(): proximal points. p_{k+1} solves the problem with u + prox E (p - p_k) in the place
// of u, so that a large prox makes easy problems and short steps, a small one the contrary;
// prox follows what Newton's method can do. (Rockafellar, SIAM Journal on Control and Optimization
// 14, 1976; Coulomb's law is not monotone, so that convergence is not certain.)
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/exact/polyhedral/state_newton.hpp"

namespace stickslip {

class ProximalFlow {
 public:
  void build(const LawPairs& pairs, ScaledIsland& island);

  // Both keep the best point met in `best`, add their factorizations to `factorizations`, and
  // return true as soon as best.residual <= target.
  bool polish(Iterate& point, Iterate& best, double target, double prox, std::int64_t steps,
              std::int64_t& factorizations);
  /// Starts the flow at a point.
  void startFlow(const Iterate& point, double prox);
  /// Goes on with it, for that many factorizations.
  bool flow(Iterate& best, double target, std::int64_t slice, std::int64_t& factorizations);
  /// True when the flow does not come on any more.
  bool stuck() const { return prox_ > kLargestProx; }

 private:
  bool offer(const Iterate& point, Iterate& best, double target) const;
  void followDrift(Iterate& point);
  bool proximalPoint(std::int64_t end, std::int64_t& factorizations);

  static constexpr double kLargestProx = 1;

  ScaledIsland* island_ = nullptr;
  StateNewton newton_;
  int newton_steps_ = 0;  ///< of the last proximal point
  double prox_ = 0;
  Iterate point_, kept_;  ///< of the flow
  std::vector<double> centre_, drift_;
};

}  // namespace stickslip
