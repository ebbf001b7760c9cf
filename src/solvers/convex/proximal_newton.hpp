// Proximal point iteration with a semismooth Newton method inside, for the relaxed law
// (solvers/common/iterate.hpp): the last digits of an impulse that is nearly right.
//
//   p+ = P_K(p - weight u),   u = W p+ + q
//
// is solved for each next impulse: the proximal step of the dual problem, or a step of the
// augmented Lagrangian in the velocities. Its right side minimizes a strongly convex, once
// differentiable function of the velocities, so that Newton steps with a line search find it from
// anywhere; redundant contacts do no harm. The residual of p+ is |p+ - p| / weight, and a large
// weight lets few steps suffice.
//
// Reference: Rockafellar, Augmented Lagrangians and applications of the proximal point algorithm
// (1976); Qi and Sun, A nonsmooth version of Newton's method (1993).
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/common/iterate.hpp"

namespace stickslip {

class ProximalNewton {
 public:
  /// Without units. Found on the problems of scenes/problems, piles and mechanisms.
  struct Settings {
    double largest_weight = 1e12;  ///< beyond it rounding decides
    /// The exact solution of a proximal step has a residual of at most its length: the next one is
    /// due when this is so, times this factor.
    double inner_accuracy = 2;
    double rounding = 1e-15;  ///< of velocities, the largest of q being about one
    // Proximal steps that do not shrink by this factor ask for a weight that is larger by one
    // between these.
    double good_rate = 0.1;
    double least_growth = 10;
    double most_growth = 1000;
    // Newton steps without a better point, or an error this much smaller, after which there is none
    // to be had.
    int patience = 12;
    double progress = 0.95;
    // Line search: trials, the part of the first slope that is flat enough, and how near to an end
    // of the bracket a trial may come: slopes may differ by orders of magnitude.
    int trials = 12;
    double flat = 0.3;
    double margin = 0.05;
    int ray_steps = 3;  ///< in a row that prove that there is no solution
  };
  /// The residual that is asked for, and one that will do where proximal steps are slow: a larger
  /// weight costs several factorizations.
  struct Goal {
    double target = 0;
    double enough = 0;
  };
  /// Improves `best`, which is evaluated, until its residual is there. Returns the number of Newton
  /// steps, at most `budget`. The weight is relative to the mean diagonal entry of W: large where
  /// `best` is nearly right, small where it is not.
  std::int64_t run(const ConvexProblem& problem, double weight, Goal goal, std::int64_t budget,
                   ConvexIterate& best);
  /// True if the last run ended because the problem has no solution.
  bool foundRay() const { return ray_steps_ >= settings_.ray_steps; }

 private:
  /// Fills pushed_ = P_K(centre - weight u), and S_ if asked for.
  void project(const ConvexProblem& problem, std::span<const double> u);
  void projectWithSlopes(const ConvexProblem& problem);
  bool newtonStep(const ConvexProblem& problem);
  /// The derivative of the function that is minimized, `length` along the Newton direction.
  double slopeAt(const ConvexProblem& problem, double length);
  double lineSearch(const ConvexProblem& problem);
  double growthFor(double rate) const;
  bool isRay(const ConvexProblem& problem);

  Settings settings_;
  int ray_steps_ = 0;  ///< in a row that prove that there is no solution
  double weight_ = 0;
  std::vector<double> centre_;  ///< p of the last proximal step
  std::vector<double> centre_u_;
  std::vector<double> source_;  ///< impulses with u_ = W source_ + q
  std::vector<double> u_;
  std::vector<double> pushed_;
  std::vector<double> zero_;
  std::vector<double> d_p_;
  std::vector<double> d_u_;
  std::vector<double> trial_;
  std::vector<double> S_;
  ConvexIterate point_;
};

// A proof that the relaxed law has no solution: an impulse d of the recession cone of K with
//
//   W d = 0,   q.d < 0.
//
// Every u = W p + q then has d.u = q.d < 0 and is outside the dual cone: no motion fits
// all contacts and joints, as between walls that close on a body.

/// How small is small there.
struct InfeasibilityProof {
  double still = 1e-6;    ///< W d, relative to the velocity that is missing, -q.d / |d|
  double outside = 1e-6;  ///< distance of d from the recession cone, relative to its size
};

/// True if d, with W d as given, is such a proof but for small errors; they matter the less, the
/// larger d. Replaces d by its nearest point of the recession cone.
bool provesInfeasible(const ConvexProblem& problem, std::span<double> d,
                      std::span<const double> W_d, const InfeasibilityProof& proof = {});

}  // namespace stickslip
