// Coulomb's law, exactly, for islands whose laws are polyhedral (contact_pairs): contacts in the
// plane, polygons in space, intervals, joints.
//
// Methods that are quick where they work come first: Newton's method on the states of the last
// step, an interior point method, the relaxed law, whose solution is exact wherever nothing slides,
// and a polish of it. What is left are piles near rest, where all of these fail. There a proximal
// flow from the relaxed solution and several different paths run in turns, as if side by side: they
// fail on different problems, and the first that arrives ends the search. Paths that are lost, or
// too long, are replaced by new ones with other covers and weights, drawn with fixed seeds.
//
// Iterations are factorizations.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "solvers/pair_interior_point.hpp"
#include "solvers/pair_path.hpp"
#include "solvers/proximal_flow.hpp"
#include "stickslip/solve_status.hpp"

namespace stickslip {

class PlanarExact {
 public:
  /// Starts from `best`, which must be evaluated, and leaves the best point met in it. The island
  /// must be one that ContactPairs::covers.
  SolveStatus solve(ContactIsland& island, IslandPoint& best, double target, long budget,
                    long& iterations);

 private:
  struct Attempt {
    PairPath path;
    double finish_below = 0;  ///< sigma at which an endgame is due
    bool alive = false;
  };

  bool fromLastStep();
  bool byInteriorPoint();
  bool byRelaxedLaw();
  bool byPaths();
  void startAttempt(Attempt& attempt, int kind);
  bool advance(Attempt& attempt);
  bool finish(std::span<const double> z, std::span<const double> w);
  bool interior(double theta, long most, double sigma, double prox);
  bool polish(long most);
  long left(long most) const { return std::min(most, budget_ - used_); }
  bool spent() const { return used_ >= budget_; }
  void toPoint(std::span<const double> z);

  ContactIsland* island_ = nullptr;
  IslandPoint* best_ = nullptr;
  double target_ = 0;
  long budget_ = 0;
  long used_ = 0;
  int drawn_ = 0;  ///< paths so far
  ContactPairs pairs_;
  PairInteriorPoint interior_;
  ProximalFlow polish_;
  ProximalFlow flow_;
  std::array<Attempt, 3> attempts_;
  IslandPoint point_;
};

}  // namespace stickslip
