// Newton's method on the smoothed law (smoothed_law.hpp) with a proximal term: slower than the
// steps of contact_newton.hpp, and finds solutions from farther away.
//
// For a proximal term eps (p - centre) in u the path tau -> 0 is followed by damped Newton
// steps; at its end the centre moves there and eps shrinks. Where the path is lost, eps grows and
// it starts again.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/common/iterate.hpp"
#include "solvers/exact/smoothed_law.hpp"

namespace stickslip {

class SmoothedNewton {
 public:
  /// Starts at p.
  void start(const ScaledIsland& island, std::span<const double> p, double residual,
             double first_eps);
  /// Follows one path, of at most so many factorizations; true if it came to its end, impulses().
  bool followPath(Search& search, std::int64_t limit);
  std::span<const double> impulses() const { return centre_; }
  double eps() const { return smoothing_.eps; }

 private:
  void restartPath(const ScaledIsland& island);
  double normAt(const ScaledIsland& island, std::span<const double> p,
                std::span<const double> u) const;
  bool direction(ScaledIsland& island);
  bool lineSearch(const ScaledIsland& island, double& share);

  Smoothing smoothing_;
  double first_tau_ = 0;
  double norm_ = 0;  ///< of F at point_
  std::vector<double> centre_;
  std::vector<double> p_;
  std::vector<double> u_;
  std::vector<double> trial_p_;
  std::vector<double> trial_u_;
  std::vector<double> rhs_;
  std::vector<double> zero_;
  std::vector<double> d_p_;
  std::vector<double> d_u_;
  std::vector<double> S_;
};

}  // namespace stickslip
