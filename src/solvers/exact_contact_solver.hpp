// Solver `exact`: Coulomb's law with circular and elliptic cones, dense, to rounding.
//
// Velocities and joints are eliminated (contact/reduced_problem). Each island (contact_islands) is
// put into coordinates without units (cone_problem) and solved by itself, each part of this
// starting from the best point so far:
//
//  1. Start at the impulses of the last solve, contact by contact, or at zero, whichever is better.
//  2. Sweeps of block Gauss-Seidel with exact solution of each contact (single_contact).
//  3. Newton steps (cone_newton) with backtracking on the natural map. The proximal term shrinks
//     with every full step and grows when a step does not help; sweeps in between where none does.
//  4. Once more from solutions by Lemke's method with polyhedral cones whose corners close in on
//     the directions of friction (polyhedral_start), if the problem is small enough for that.
//  5. A smoothed problem with a proximal term, both of which shrink (smoothed_newton), and Newton
//     steps from there. Before 4 if there are more than a few contacts.
//
// It ends when the residual is at rounding and has stopped falling, or the budget is used up, and
// returns the best point met. If Lemke's method ends in a ray at the last there may be no solution,
// and the status says `ray`: where contacts jam, restitution may ask for velocities that they
// cannot have. Sweeps, factorizations and pivots count as iterations.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "contact/contact_islands.hpp"
#include "contact/reduced_problem.hpp"
#include "solvers/cone_newton.hpp"
#include "solvers/cone_problem.hpp"
#include "solvers/polyhedral_start.hpp"
#include "solvers/smoothed_newton.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

class ExactContactSolver final : public Solver {
 public:
  explicit ExactContactSolver(long budget);

  std::string_view name() const override { return "exact"; }
  void reserve(int velocities, int contacts, int tangents, int joint_rows) override;
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override;
  void setBudget(long budget) override;

 private:
  struct Point {
    std::vector<double> pi;
    std::vector<double> omega;
    ConeProblem::Residual residual;
  };

  void recallImpulses(const ContactProblem& problem);
  void rememberImpulses(const ContactProblem& problem);
  void solveIsland();
  void start();
  void evaluate(Point& point);
  void keepBest();
  bool solved() const;
  bool finished() const;
  bool budgetLeft() const { return iterations_ < budget_; }
  void sweeps(int count);
  void sweepOnce();
  void newton(int steps);
  bool tryStep(double& eps);
  void closeIn(PolyhedralStart::Expect expect, double closer);
  void followSmoothedPaths();

  long budget_ = 0;
  long iterations_ = 0;
  ReducedProblem reduced_;
  ContactIslands islands_;
  ConeProblem cone_;            ///< the present island
  SolveStatus lemke_status_{};  ///< how Lemke's method ended when it was last tried
  ConeNewton newton_;
  PolyhedralStart polyhedral_;
  SmoothedNewton smoothed_;
  Point now_;
  Point trial_;
  Point best_;
  std::vector<double> step_;
  std::vector<double> p_;     ///< result, all islands
  std::vector<double> warm_;  ///< what the last solve has left for this one

  // The last solve: impulses, and where those of a contact start.
  std::vector<std::pair<std::uint64_t, int>> last_contacts_;
  std::vector<double> last_p_;
};

}  // namespace stickslip
