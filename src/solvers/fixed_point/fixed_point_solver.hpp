// Solvers `fixed-point-1`, `fixed-point-2`, `one-step` and `one-step-2`: Coulomb's law by a
// sequence of convex problems ([AH04] section 5).
//
// Let P_1(Gamma) be the velocity of the relaxed law with normal velocities shifted by Gamma
// ([AH04] (4.17)-(4.21)), Lambda(v) the sliding speed of each contact (4.23), and P_2(lambda) the
// velocity of least energy that keeps contacts apart and slides at most by lambda (4.29). Coulomb's
// law holds where Gamma = mu Lambda(v) (Lemma 1).
//
//   fixed-point-1  v <- P_1(mu Lambda(v))                 LCP1, (4.34); Gamma = 0 at first
//   fixed-point-2  v <- P_2(Lambda(P_1(mu Lambda(v))))    LCP2, (4.35); Gamma = 0 at first
//   one-step       v  = P_1(0)                            LCP3: one iteration of LCP1
//   one-step-2     v  = P_2(Lambda(P_1(0)))               one iteration of LCP2 (end of 5.2)
//
// With Method::initial_slip = "previous" the first Gamma is mu Lambda of the velocity at the start
// of the step.
//
// For small friction both iterations contract (Theorems 5 and 6); for large friction they need not,
// and the best iterate is returned with what its residual says. Iterates of LCP2 keep contacts
// apart, each of them: what fixed-point-2 and one-step-2 return is the best P_2 that was solved, or
// P_1 when it has converged. LCP1 keeps them apart only up to mu times the error of the sliding
// speed.
//
// Cones need not be polyhedral: Lambda(v) is |u_t| for circular ones.
//
// Iterations are never cut short: the budget counts whole ones, and each island has all of it.
// While a sequence goes on, P_1 is solved to a hundredth of the residual of the iterate before, P_2
// to a millionth of that at hand; the first P_1 and the last of both to the full. The sequence ends
//   solved           when the residual of Coulomb's law is small enough,
//   diverged         when at the pace of the last iterations it would not become so,
//   ray, inaccurate  when a convex problem has no solution, or none is found,
//   iteration_limit  with the budget.
#pragma once

#include <cstdint>

#include "solvers/common/island_solver.hpp"
#include "solvers/convex/convex_solver.hpp"
#include "solvers/fixed_point/split_delassus.hpp"

namespace stickslip {

class FixedPointSolver final : public IslandSolver {
 public:
  enum class Map { first, second };      ///< chi_1 (4.34), chi_2 (4.35)
  enum class Length { repeated, once };  ///< until it converges, or one iteration
  FixedPointSolver(Map map, Length length, const Method& method);
  std::string_view name() const override;

 private:
  IslandReport solveIsland(ScaledIsland& island, Iterate& point, std::int64_t budget) override;
  std::unique_ptr<IslandSolver> another() const override {
    return std::make_unique<FixedPointSolver>(map_, length_, method());
  }
  std::int64_t usualBudget() const override;
  bool sharesBudget() const override { return false; }
  bool hasFixedLength() const override { return length_ == Length::once; }

  void measureSlip(const ScaledIsland& island, std::span<const double> u);
  void slipAtStart(const ScaledIsland& island);
  /// P_1 or P_2 for the slip_ at hand.
  ConvexReport solveShifted(ScaledIsland& island, double target);
  ConvexReport solveBounded(ScaledIsland& island, bool is_last);
  void startBounded(ScaledIsland& island);
  void offer(const Iterate& candidate, double error, Iterate& point);

  Map map_;
  Length length_;
  ConvexIsland convex_;
  SplitDelassus split_;
  Iterate iterate_;  ///< of P_1
  Iterate bounded_;  ///< of P_2
  double least_error_ = 0;
  std::vector<double> slip_;  ///< mu Lambda of each cone
  std::vector<double> last_slip_;
  std::vector<double> split_p_;
  std::vector<double> split_q_;
};

}  // namespace stickslip
