// Friction that depends on the sliding speed, by an outer iteration around one contact problem.
//
// Sought are factors x, one per contact with a curve, such that the solution of the contact problem
// with the coefficients x_i mu_s,i slides at speeds s_i with
//
//   x_i = f_i(s_i),   f_i = mu_i(.) / mu_s,i.
//
// Branch. Where friction falls with the speed there may be several solutions: a contact sticks or
// slides under the same load. The one meant is the continuation of the motion at hand: the
// iteration starts from x_i = f_i(speed at the start of the step), so that what sticks goes on
// sticking while the static cone holds it, and what slides goes on sliding until kinetic friction
// has stopped it. For one contact f_i(s_i(x)) grows with x where f falls, and x := f(s(x)) then
// runs monotonically into the next solution, in the direction in which the motion changes.
//
// Iteration. Contact by contact, x := f(s(x)), sped up or damped by the slope that the last two
// residuals show (a secant), and kept in the bracket of the last x whose residual was positive and
// the last one whose was negative: one that hops is bisected. Far from any solution, as where a
// contact breaks away, steps grow. The contacts feel each other, so that brackets may get stale;
// they are opened when they close upon nothing. Where this takes long, all contacts are treated
// together, by Anderson's mixing, from the best x met. If that does not converge either, it all
// starts again with the contacts at rest, then with them sliding fast.
//
// Lift. With the relaxed law the contact that slides also lifts off, with x mu_s s. The alternative
// (Method::lift "integral", [A06] 5.1) is a stationary point of the program
//
//   min 1/2 v.M v - (M v_free).v   subject to   n.v + b_n - L(|u_t|) >= 0,   L' = mu,  L(0) = 0,
//
// whose multipliers push with friction L'(s) = mu(s) and which lifts with L(s), the integral of mu.
// With L replaced by its tangent at the speed s_k where mu is x mu_s it is the contact problem with
// the coefficient x mu_s and b_n less by L(s_k) - x mu_s s_k (FrictionCurve::excess). Where mu
// falls with the speed, tangents are above L: what such a problem allows the program allows as
// well.
//
// Ends when max |x_i - f_i(s_i)| is at most the method's tolerance; otherwise with the best x met.
// The certificate has the last word.
#pragma once

#include <span>
#include <vector>

#include "stepping/anderson.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

class FrictionIteration {
 public:
  explicit FrictionIteration(const Method& method) : tolerance_(method.tolerance) {}

  void reserve(int velocities, int contacts, int tangents, int joint_rows);
  /// Solves the problem, whose coefficients and extra lifts it sets.
  SolveReport solve(Solver& solver, ContactProblem& problem, ContactSolution& solution);
  /// Takes the extra lifts out of b, and puts them back.
  static void withdrawLift(ContactProblem& problem);
  static void returnLift(ContactProblem& problem);

 private:
  enum class Start { old_speeds, at_rest, fast };
  enum class Way { secant, mixing };

  struct Factor {
    double x = 1;         ///< in use
    double residual = 0;  ///< f(s(x)) - x
    double best = 1;      ///< that of the best solution met
    // Of the solve before:
    double last_x = 1;
    double last_residual = 0;
    // The solution is between these, if the other contacts stay as they are.
    double low = 0;
    double high = 0;
    int hops = 0;  ///< changes of the residual's sign in a row
  };

  void start(Start from, const ContactProblem& problem);
  bool iterate(Way way, Solver& solver, ContactProblem& problem, ContactSolution& solution);
  double measure(const ContactProblem& problem, const ContactSolution& solution);
  void improve(const FrictionCurve& curve, bool is_first, Factor& factor) const;
  void mix(const ContactProblem& problem);
  void apply(ContactProblem& problem) const;
  double sliding(const ContactProblem& problem, std::size_t contact) const;

  double tolerance_;
  double at_rest_ = 0;  ///< speeds up to this are rounding
  SolveReport report_;
  std::vector<Factor> factors_;  ///< one per contact
  std::vector<double> u_;        ///< velocities of all rows
  // The best solution met:
  double best_residual_ = 0;
  SolveReport best_report_;
  ContactSolution best_;
  AndersonMixing mixing_;
  std::vector<double> x_;
  std::vector<double> r_;
};

}  // namespace stickslip
