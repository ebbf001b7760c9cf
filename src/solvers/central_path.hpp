// The central path of Coulomb's law followed through its folds: for problems on which methods that
// only go down get stuck.
//
//   W pi + q + t d = omega(z),   pi o z = c e,   c = kappa t        (central_point.hpp)
//
// with d > 0 in normal directions only. For large t the one solution is z = t d, pi = kappa / d; for
// t -> 0 the path ends in a solution of Coulomb's law. In between t need not be monotone. The path
// is followed by its length in relative changes of impulses, velocities and t, by a predictor along
// the tangent and Newton steps across it; the sign of the determinant tells which way is onwards
// (Allgower & Georg, Numerical Continuation Methods, 1990). This is the smoothed form of the path
// of Lemke's method, with cones in place of pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/central_point.hpp"
#include "solvers/contact_search.hpp"

namespace stickslip {

class CentralPath {
 public:
  /// Starts a path; `seed` chooses d.
  bool start(ContactSearch& search, double kappa, std::uint64_t seed);
  /// Follows the path until c is below `end`, or for so many factorizations.
  enum class Outcome { arrived, lost, limit };
  Outcome follow(ContactSearch& search, double end, long limit);
  std::span<const double> impulses() const { return pi_; }
  double c() const { return kappa_ * t_; }

 public:
  void evaluate(const ContactIsland& island);
  bool linearize(ContactSearch& search);
  void solveFor(ContactIsland& island, std::span<const double> r, std::span<const double> s,
                double d_log_c, std::span<double> u);
  void tangentOf(ContactIsland& island);
  void movePoints(const ContactIsland& island, double step, std::span<const double> u,
                  double d_log_t);
  bool correct(ContactSearch& search, double tolerance, int most, bool across);

  double kappa_ = 300;
  double t_ = 1;
  double norm_ = 0;
  double moved_ = 0;  ///< by the corrector
  double step_ = 0.5;
  double softness_ = 0;
  bool fresh_ = false;  ///< ahead_ and the determinant are those of this point
  int orientation_ = 1;
  std::vector<CentralPoint> points_;
  std::vector<CentralPoint> before_;
  std::vector<double> d_;
  std::vector<double> pi_;
  std::vector<double> omega_;
  std::vector<double> residual_;
  std::vector<double> S_;
  std::vector<double> rhs_;
  std::vector<double> shift_;
  std::vector<double> d_pi_;
  std::vector<double> d_omega_;
  std::vector<double> correction_;
  std::vector<double> tangent_;  ///< u, along the path where it was last predicted
  double tangent_t_ = 1;         ///< d log t that belongs to it
  std::vector<double> ahead_;    ///< u of d log t = 1, here
};

}  // namespace stickslip
