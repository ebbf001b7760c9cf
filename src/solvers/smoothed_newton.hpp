// Newton's method on the smoothed law (smoothed_law.hpp) with a proximal term: slower than the
// steps of contact_newton.hpp, and finds solutions from farther away.
//
// For a proximal term eps (pi - centre) in omega the path tau -> 0 is followed by damped Newton
// steps; at its end the centre moves there and eps shrinks. Where the path is lost, eps grows and
// it starts again.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/contact_search.hpp"
#include "solvers/smoothed_law.hpp"

namespace stickslip {

class SmoothedNewton {
 public:
  /// Starts at pi.
  void start(const ContactIsland& island, std::span<const double> pi, double residual,
             double first_eps);
  /// Follows one path, of at most so many factorizations; true if it came to its end, impulses().
  bool followPath(ContactSearch& search, std::int64_t limit);
  std::span<const double> impulses() const { return centre_; }
  double eps() const { return smoothing_.eps; }

 private:
  void restartPath(const ContactIsland& island);
  double normAt(const ContactIsland& island, std::span<const double> pi,
                std::span<const double> omega) const;
  bool direction(ContactIsland& island);
  bool lineSearch(const ContactIsland& island, double& share);

  Smoothing smoothing_;
  double first_tau_ = 0;
  double norm_ = 0;  ///< of F at point_
  std::vector<double> centre_;
  std::vector<double> pi_;
  std::vector<double> omega_;
  std::vector<double> trial_pi_;
  std::vector<double> trial_omega_;
  std::vector<double> rhs_;
  std::vector<double> zero_;
  std::vector<double> d_pi_;
  std::vector<double> d_omega_;
  std::vector<double> S_;
};

}  // namespace stickslip
