// Interior point method on Coulomb's law: Mehrotra's predictor and corrector with the scaling of
// Nesterov and Todd, the dependence of the slip on the velocity differentiated (coulomb_barrier).
//
// Not a convex problem: the method has no guarantee, but where it converges, which is most of the
// time, it takes 10 to 20 factorizations whatever the masses and the number of contacts. It stops
// when the natural map is small enough for Newton's method to finish, when steps become tiny, or
// when the residual has grown well beyond its best.
#pragma once

#include <vector>

#include "solvers/common/iterate.hpp"
#include "solvers/interior_point/item_barrier.hpp"

namespace stickslip {

class CoulombInteriorPoint {
 public:
  void reserve(int cones, int rows);
  /// Starts from impulses that would hold everything still.
  void start(ScaledIsland& island);
  /// At most `limit` steps until the residual is `enough`. Returns whether it is; the best point of
  /// this run is best(), and offered to the search.
  bool run(Search& search, double enough, int limit);
  const Iterate& best() const { return best_; }

 private:
  void holdStill(ScaledIsland& island);
  double gap() const;
  bool stepOnce(ScaledIsland& island, double& length);
  double solveFor(ScaledIsland& island, double mu, bool corrected);

  int degree_ = 0;
  std::vector<ItemBarrier> cones_;
  Iterate now_;
  Iterate best_;
  std::vector<double> S_;
  std::vector<double> r_;
  std::vector<double> residual_;
  std::vector<double> d_p_;
  std::vector<double> d_u_;
};

}  // namespace stickslip
