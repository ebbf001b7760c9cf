// Solver `lemke`: Coulomb friction in the plane, and with polyhedral cones in space, by Lemke's
// method.
//
// Velocities and joints are eliminated (contact/reduced_problem). In the plane the relay form 002
// (33) is tried first because it is the smallest, and if its path ends in a ray or in rounding
// errors the cone form 003 (2.13) follows, for which Lemke's method cannot fail in exact
// arithmetic. In space there is only the latter.
#pragma once

#include <vector>

#include "contact/friction_lcp.hpp"
#include "contact/reduced_problem.hpp"
#include "stickslip/lcp.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

class LemkeContactSolver final : public Solver {
 public:
  /// `directions`: what to make room for in space.
  explicit LemkeContactSolver(long pivot_budget, int directions = 8);

  std::string_view name() const override { return "lemke"; }
  void reserve(int velocities, int contacts, int tangents, int joint_rows) override;
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override;
  void setBudget(long budget) override { budget_ = budget; }

 private:
  struct FormReport {
    SolveStatus status;
    long pivots;
    double residual;
  };
  SolveReport solveInThePlane(const ContactProblem& problem);
  SolveReport solveInSpace(const ContactProblem& problem);
  FormReport solveForm(FrictionLcp::Form form, const ContactProblem& problem, long pivot_limit);

  int directions_;
  long budget_;  ///< most pivots of one solve, 0: the LCP solver's own limit
  ReducedProblem reduced_;
  FrictionLcp lcp_;
  Lemke lemke_;
  std::vector<double> z_;
  std::vector<double> p_;
  std::vector<double> p_relay_;
};

}  // namespace stickslip
