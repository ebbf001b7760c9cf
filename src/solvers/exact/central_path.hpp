// The central path of Coulomb's law followed through its folds: for problems on which methods that
// only go down get stuck.
//
//   W p + q + t d = u(z),   p o z = c e,   c = kappa t        (central_point.hpp)
//
// with d > 0 in normal directions only. For large t the one solution is z = t d, p = kappa / d;
// for t -> 0 the path ends in a solution of Coulomb's law. In between t need not be monotone. The
// path is followed by its length in relative changes of impulses, velocities and t: a predictor
// along the tangent, then Newton steps across it, as far as the change is small. The sign of the
// determinant tells which way is onwards (Allgower & Georg, Numerical Continuation Methods, 1990).
// This is the smoothed form of the path of Lemke's method, with cones in place of pairs.
//
// Rounding in impulses that move nothing is kept small by a weight eps beside W. It makes Newton's
// steps inexact, and where W is nearly singular too much of it lets them diverge; it grows only
// when the path is lost otherwise.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/common/iterate.hpp"
#include "solvers/exact/central_point.hpp"

namespace stickslip {

struct CentralPathSettings {
  /// t at the beginning, in units of the largest velocity there; Newton steps to get there, and how
  /// near they must come.
  double far_away = 30;
  int first_steps = 30;
  double near_enough = 0.1;
  /// Residual that needs no correction; a correction after which none is needed, and the tangent is
  /// still good; a smaller one after which rounding may keep the residual as large as it likes.
  double on_path = 2e-3, small = 0.02, tiny = 2e-3;
  int corrections = 5;
  /// A correction that leaves the neighbourhood; corrections of a step in all: this part of it, and
  /// what an earlier point may be off the path.
  double largest = 2, share = 0.6, allowance = 0.03;
  /// Steps in relative changes, and by what they change after an easy step, a hard one, a failure.
  double first_step = 1, longest_step = 2, shortest_step = 1e-6;
  double longer = 1.6, shorter = 0.7, rejected = 0.35;
  int tries = 11;
  /// The weight beside W, and where it ends to grow.
  double first_eps = 1e-12, most_eps = 1e-8;
};

class CentralPath {
 public:
  /// Goes to the beginning of a path; `seed` chooses d. False if it cannot be reached.
  bool start(Search& search, double kappa, std::uint64_t seed);
  enum class Outcome { arrived, lost, limit };
  /// Follows the path until c is below `end`, or for so many factorizations.
  Outcome follow(Search& search, double end, std::int64_t limit);
  std::span<const double> impulses() const { return p_; }

 private:
  CentralPathSettings settings_;
  double c() const { return kappa_ * t_; }
  void placePoints(const ScaledIsland& island, std::uint64_t seed);
  void evaluate(const ScaledIsland& island);
  bool linearize(Search& search);
  void solveFor(ScaledIsland& island, std::span<const double> r, std::span<const double> s,
                double d_log_c, std::span<double> u);
  void lookAhead(ScaledIsland& island);
  void move(const ScaledIsland& island, double step, std::span<const double> u, double d_log_t);
  double newtonStep(ScaledIsland& island, bool across);
  bool reachPath(Search& search);
  bool correct(Search& search);
  bool turnTangent(Search& search);
  bool advance(Search& search);

  double kappa_ = 0;
  double t_ = 0;
  double eps_ = 0;
  double step_ = 0;
  int orientation_ = 0;  ///< sign of the determinant where t falls; 0: not known yet
  std::vector<double> d_;

  // Where the path is, W p + q + t d - u there, and its largest relative value.
  std::vector<CentralPoint> points_;
  std::vector<double> p_;
  std::vector<double> velocity_;
  std::vector<double> residual_;
  double norm_ = 0;

  std::vector<CentralPoint> before_;
  double moved_ = 0;           ///< by the last correction
  bool current_ = false;       ///< ahead_ and the factorization are those of this point, or nearly
  std::vector<double> ahead_;  ///< change along the path for d log t = 1
  std::vector<double> tangent_;
  double tangent_t_ = 0;  ///< d log t that belongs to the tangent
  std::vector<double> correction_;
  std::vector<double> S_;
  std::vector<double> r_;
  std::vector<double> s_;
  std::vector<double> u_;
  std::vector<double> d_p_;
  std::vector<double> d_velocity_;
};

}  // namespace stickslip
