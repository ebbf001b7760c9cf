// Solvers `fixed-point-1`, `fixed-point-2` and `one-step`: Coulomb's law by a sequence of convex
// problems (004 section 5).
//
// Let P_1(Gamma) be the velocity of the relaxed law with normal velocities shifted by Gamma (004
// (4.17)-(4.21)), Lambda(v) the sliding speed of each contact (4.23), and P_2(lambda) the velocity
// of least energy that keeps contacts apart and slides at most by lambda (4.29). Coulomb's law
// holds where Gamma = mu Lambda(v) (Lemma 1).
//
//   fixed-point-1  v <- P_1(mu Lambda(v))                 LCP1, (4.34); Gamma = 0 at first
//   fixed-point-2  v <- P_2(Lambda(P_1(mu Lambda(v))))    LCP2, (4.35)
//   one-step       v  = P_1(mu Lambda(v_old))             LCP3: one iteration
//
// For small friction both iterations contract (Theorems 5 and 6); for large friction they need not,
// and the best iterate is returned with what its residual says. Whatever fixed-point-2 returns
// keeps contacts apart: the last P_2, or P_1 when it has converged; the others keep them apart only
// up to mu times the error of the sliding speed. LCP3 begins at rest in 004; v_old is as good or
// better whenever motion is smooth.
//
// Cones need not be polyhedral: Lambda(v) is |u_t| for circular ones.
//
// The iteration ends when the residual of Coulomb's law is small enough, when it has not become
// smaller for some time, or with the budget, which counts factorizations.
#pragma once

#include "contact/split_operator.hpp"
#include "solvers/convex_island.hpp"
#include "solvers/island_solver.hpp"

namespace stickslip {

class FixedPointSolver final : public IslandSolver {
 public:
  enum class Variant { velocity, geometry, once };  ///< LCP1, LCP2, LCP3
  FixedPointSolver(Variant variant, const Method& method);
  std::string_view name() const override;

 private:
  SolveReport solveIsland(ContactIsland& island, IslandPoint& point, long budget) override;
  std::unique_ptr<IslandSolver> another() const override {
    return std::make_unique<FixedPointSolver>(variant_, method());
  }
  long usualBudget() const override;

  void measureSlip(const ContactIsland& island, std::span<const double> omega);
  void slipAtStart(const ContactIsland& island);
  /// P_1 or P_2 for the slip_ at hand.
  ConvexReport solveShifted(ContactIsland& island, long budget);
  ConvexReport solveBounded(ContactIsland& island, long budget);
  void startBounded(ContactIsland& island);
  bool offer(const IslandPoint& candidate, double error, IslandPoint& point);

  Variant variant_;
  ConvexIsland convex_;
  SplitOperator split_;
  IslandPoint iterate_;  ///< of P_1
  IslandPoint bounded_;  ///< of P_2
  double least_error_ = 0;
  std::vector<double> slip_;  ///< mu Lambda of each item
  std::vector<double> last_slip_;
  std::vector<double> split_pi_;
  std::vector<double> split_q_;
};

}  // namespace stickslip
