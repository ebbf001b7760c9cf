// Primal-dual interior point method for the relaxed law (convex_point.hpp).
//
// Method: Nesterov-Todd scaling (barrier.hpp and the barriers of each kind of cone), predictor and
// corrector of Mehrotra, then a few more of Gondzio, which bring back products that would stay far
// behind or run ahead; one common step length; infeasible, since the dual variables of the barriers
// only approach W p + q. Each iteration factors one matrix in the space in which it is sparse
// (impulse_operator.hpp) and solves with it two to four times.
//
// Contacts that say the same twice leave no strictly complementary solution, and the last digits
// are then out of reach: proximal_newton.hpp finds them. The iteration ends at the residual asked
// for, or when it no longer gains on it.
//
// Reference: Nesterov and Todd, Self-scaled barriers and interior-point methods for convex
// programming (1997); Mehrotra, On the implementation of a primal-dual interior point method
// (1992); Gondzio, Multiple centrality corrections in a primal-dual method for linear programming
// (1996).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solvers/common/iterate.hpp"
#include "solvers/interior_point/lorentz_barrier.hpp"
#include "solvers/interior_point/planar_barrier.hpp"
#include "solvers/interior_point/polygon_barrier.hpp"
#include "solvers/interior_point/row_barrier.hpp"
#include "solvers/interior_point/sections_barrier.hpp"

namespace stickslip {

class ConeInteriorPoint {
 public:
  /// Improves `best`, which is evaluated, until its residual is at most `target`; from `best` if
  /// `warm`. Returns the number of iterations, at most `budget`.
  std::int64_t run(const ConvexProblem& problem, bool warm, double target, std::int64_t budget,
                   ConvexIterate& best);

 private:
  void select(const ConvexProblem& problem);
  void start(const ConvexProblem& problem, double impulse);
  double holdingImpulse(const ConvexProblem& problem);
  void startWarm(const ConvexProblem& problem, const ConvexIterate& point);
  double meanProduct() const;
  /// One predictor-corrector step; false if the matrix cannot be factored or the step is no use.
  bool step(const ConvexProblem& problem);
  /// u and the residual after a step.
  void measure(const ConvexProblem& problem);
  /// How far the direction goes that leads towards `mu`, at most 1.
  double solveTowards(const ConvexProblem& problem, double mu, double correction);
  double solveAimed(const ConvexProblem& problem);
  double reachOfDirection();
  /// Better directions towards `mu` than the last one, which goes as far as `reach`; as long as
  /// they go farther.
  double recentre(const ConvexProblem& problem, double mu, double reach);

  RowBarrier rows_;
  PlanarBarrier planar_;
  PolygonBarrier polygons_;
  LorentzBarrier<3> cones3_;
  LorentzBarrier<4> cones4_;
  LorentzBarrier<5> cones5_;
  LorentzBarrier<6> cones6_;
  SectionsBarrier sections_;
  std::vector<ConeBarrier*> used_;  ///< those with cones
  int degree_ = 0;

  bool refined_ = false;  ///< solutions of linear systems
  bool exact_ = false;    ///< u is W p + q, not only the sum of steps
  double length_ = 0;     ///< of the last step
  ConvexIterate point_;
  std::vector<double> S_;
  std::vector<double> r_;
  std::vector<double> zero_;
  std::vector<double> d_p_;
  std::vector<double> d_u_;
  std::vector<double> last_d_p_;
  std::vector<double> last_d_u_;
};

}  // namespace stickslip
