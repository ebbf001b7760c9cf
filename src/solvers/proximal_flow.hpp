// Newton's method on the states of an island (state_newton), held back by a proximal term, in two
// ways.
//
// polish(): the centre moves with every step. Converges in a few steps where the states are nearly
// right. Impulses that redundant contacts can exchange may then drift at constant velocity, with
// all states frozen, because their gaps contradict each other by rounding errors: the drift is
// followed at once to the first state that changes.
//
// flow(): proximal points. pi_{k+1} solves the problem with omega + prox E (pi - pi_k) in the place
// of omega, so that a large prox makes easy problems and short steps, a small one the contrary;
// prox follows what Newton's method can do. (Rockafellar, SIAM Journal on Control and Optimization
// 14, 1976; Coulomb's law is not monotone, so that convergence is not certain.)
#pragma once

#include <vector>

#include "solvers/state_newton.hpp"

namespace stickslip {

class ProximalFlow {
 public:
  void build(const ContactPairs& pairs, ContactIsland& island);

  /// Both start at `point`, keep the best point met in `best`, add their factorizations to
  /// `factorizations`, and return true as soon as best.residual <= target.
  bool polish(IslandPoint& point, IslandPoint& best, double target, double prox, int steps,
              long& factorizations);
  bool flow(IslandPoint& point, IslandPoint& best, double target, double prox, int steps,
            long& factorizations);

 private:
  bool offer(const IslandPoint& point, IslandPoint& best, double target) const;
  void followDrift(IslandPoint& point);
  bool proximalPoint(IslandPoint& point, double prox, long& factorizations);

  ContactIsland* island_ = nullptr;
  StateNewton newton_;
  int newton_steps_ = 0;  ///< of the last proximal point
  std::vector<double> centre_, drift_;
  IslandPoint kept_;
};

}  // namespace stickslip
