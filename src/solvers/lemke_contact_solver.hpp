// Solver `lemke`: planar Coulomb friction by Lemke's method, exact.
//
// Velocities and joints are eliminated (contact/reduced_problem), the relay form 002 (33) is tried
// first because it is the smallest, and if its path ends in a ray or in rounding errors the cone
// form 003 (2.13) follows, for which Lemke's method cannot fail in exact arithmetic.
#pragma once

#include <vector>

#include "contact/planar_lcp.hpp"
#include "contact/reduced_problem.hpp"
#include "stickslip/lcp.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

class LemkeContactSolver final : public Solver {
 public:
  explicit LemkeContactSolver(long pivot_budget);

  std::string_view name() const override { return "lemke"; }
  void reserve(int velocities, int contacts, int joint_rows) override;
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override;

 private:
  struct FormReport {
    SolveStatus status;
    long pivots;
    double residual;
  };
  FormReport solveForm(PlanarLcp::Form form, const ContactProblem& problem, long pivot_limit);

  long budget_;  ///< most pivots of one solve, 0: the LCP solver's own limit
  ReducedProblem reduced_;
  PlanarLcp planar_;
  Lemke lemke_;
  std::vector<double> z_;
  std::vector<double> p_;
  std::vector<double> p_relay_;
};

}  // namespace stickslip
