// Primal-dual interior point method over products of cones, for the relaxed law, a convex problem,
// and for Coulomb's:
//
//   p in K,  u_hat in K*,  p.u_hat = 0,   u = W p + q        (solvers/common/iterate.hpp)
//
// Method: Nesterov-Todd scaling (cone_barrier.hpp and a file for each kind of cone), predictor and
// corrector of Mehrotra, then a few more of Gondzio, which bring back products that would stay far
// behind or run ahead; one common step length; infeasible, since the dual variables of the barriers
// only approach the velocities. Each iteration factors one matrix in the space in which it is
// sparse (problem/delassus.hpp) and solves with it two to four times.
//
// With Coulomb's law the dependence of the slip on the velocity is differentiated, and the blocks S
// are not symmetric. Nothing is guaranteed then; where the method converges, which is most of the
// time, it takes 10 to 20 factorizations whatever the masses and the number of contacts.
//
// Contacts that say the same twice leave no strictly complementary solution, and the last digits
// are then out of reach: Newton's methods find them. The iteration ends at the residual asked for,
// when steps become tiny, or when the residual no longer gains on its best.
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
#include "solvers/interior_point/interval_cone.hpp"
#include "solvers/interior_point/lorentz_cone.hpp"
#include "solvers/interior_point/polygon_cone.hpp"
#include "solvers/interior_point/section_cones.hpp"

namespace stickslip {

class InteriorPoint {
 public:
  /// Numbers without units; impulses and velocities are those of scaled islands, near one.
  struct Settings {
    double fraction = 0.99;  ///< of the way to the boundary that is gone; usual are 0.9 to 0.995
    /// Products are aimed at this part of what Mehrotra's cube of the predictor suggests.
    double centring = 0.25;
    double trusted = 0.2;  ///< a predictor that reaches so far is corrected for in full
    // Gondzio's corrections: how many at most, how much farther each has to go, what is far enough,
    // and how much farther one looks than the last one went.
    int corrections = 2;
    double worthwhile = 1.05;
    double far_enough = 0.95;
    double ahead = 0.3;
    // Proximal weight delta: this part of the mean product within bounds. A constant one stalls,
    // none leaves redundant contacts undetermined.
    double softness = 1e-4;
    double least_softness = 1e-15;
    double most_softness = 1e-8;
    // Steps shorter than `shortest`, so many in a row, end a run; shorter than `slow` while the
    // mean product is above `early`, they ask for another start.
    double shortest = 1e-2;
    int short_steps = 1;
    double slow = 0.15;
    double early = 1e-2;
    /// Stiffness with which impulses hold the contacts, for that start and for Start::holding.
    double holding = 1e5;
    /// How far inside the cones a warm start begins, relative to its residual: nearer to the
    /// boundary steps are short.
    double inside = 10;
    // Residuals this much above the best one, so many times, mean that rounding has taken over.
    double worse = 3;
    int setbacks = 5;
    // The residual from which on velocities are computed anew, and the part of it that is the fault
    // of an unrefined solution from which on solutions are refined.
    double near_end = 1e-2;
    double sloppy = 0.1;
  };
  /// What suits a law best: found on scenes/problems, FCLIB's problems, random problems, towers of
  /// unequal masses and piles, by the number of them that are solved and the iterations they take.
  static Settings settingsFor(Law law);

  /// Where a run begins: at impulses of size one, at a point that is nearly right, or at the
  /// impulses that would hold all contacts still.
  enum class Start { cold, warm, holding };

  void reserve(int rows);
  void start(const ConvexProblem& problem, Start from, const ConvexIterate& point = {});
  /// Goes on until the residual of `best` is at most `target`, and keeps the best point in it.
  /// Returns the number of iterations, at most `budget`.
  std::int64_t run(const ConvexProblem& problem, double target, std::int64_t budget,
                   ConvexIterate& best);
  /// Where it is.
  const ConvexIterate& point() const { return point_; }

 private:
  void select(const ConvexProblem& problem);
  void enter(const ConvexProblem& problem, double impulse, double velocity,
             std::span<const double> u);
  bool hold(const ConvexProblem& problem);
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

  IntervalCones intervals_;
  PolygonCones<2> polygons2_;
  PolygonCones<3> polygons3_;
  PolygonCones<4> polygons4_;
  PolygonCones<5> polygons5_;
  PolygonCones<6> polygons6_;
  LorentzCones<2> cones2_;
  LorentzCones<3> cones3_;
  LorentzCones<4> cones4_;
  LorentzCones<5> cones5_;
  LorentzCones<6> cones6_;
  SectionCones sections_;
  std::vector<ConeBarrier*> used_;  ///< those with cones
  int degree_ = 0;

  Settings settings_;
  bool restarts_ = false;  ///< another start is left
  bool refined_ = false;   ///< solutions of linear systems
  bool exact_ = false;     ///< u is W p + q, not only the sum of steps
  double length_ = 0;      ///< of the last step
  int short_steps_ = 0;    ///< in a row
  int setbacks_ = 0;
  double least_ = 0;  ///< residual of this run
  ConvexIterate point_;
  std::vector<double> S_;
  std::vector<double> r_;
  std::vector<double> zero_;
  std::vector<double> d_p_;
  std::vector<double> d_u_;
  std::vector<double> last_d_p_;
  std::vector<double> last_d_u_;
};

/// The same on an island with Coulomb's law, for a search.
class CoulombInteriorPoint {
 public:
  void reserve(int cones, int rows);
  /// Starts from impulses that would hold everything still.
  void start(ScaledIsland& island);
  /// At most `limit` steps until the residual is `enough`. Returns whether it is; the best point of
  /// this run is best(), and offered to the search.
  bool run(Search& search, double enough, int limit);
  const ConvexIterate& best() const { return best_; }

 private:
  static ConvexProblem problemOf(ScaledIsland& island) {
    return {island.cones(), island.W(), island.q(), &island, island.law()};
  }

  InteriorPoint interior_;
  ConvexIterate best_;
};

}  // namespace stickslip
