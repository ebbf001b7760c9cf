// How trajectories differ from a finer one, and by which power of the step they do ([ST00] section
// 5):
//
//   position error     max over time of |q^h - q|
//   velocity error     integral over time of |v^h - v|, divided by the length of time
//   variation          sum over steps of |v^{l+1} - v^l|
//   rate               log2 of the error's quotient for steps of quotient 2
//
// Errors that are rounding beside the motion itself are zero, and have no rate. |.| is the largest
// of all coordinates. The velocity error is a mean over time, so that it has the units of a
// velocity.
#pragma once

#include <span>
#include <vector>

#include "convergence/trajectory.hpp"

namespace stickslip {

/// Of trajectories of the same system, over the time that both have. Exact for the functions above,
/// whatever their steps.
double positionError(const Trajectory& a, const Trajectory& b);
double velocityError(const Trajectory& a, const Trajectory& b);
double velocityVariation(const Trajectory& a);

struct ConvergenceRow {
  double step = 0;
  double position_error = 0;
  double velocity_error = 0;
  double variation = 0;
  double position_rate =
      0;  ///< against the row before; NaN in the first row and where errors are 0
  double velocity_rate = 0;
};

/// One row for each trajectory, against `reference`. The rates compare neighbours.
std::vector<ConvergenceRow> convergenceRows(std::span<const double> steps,
                                            std::span<const Trajectory> runs,
                                            const Trajectory& reference);

/// Slope of the least-squares line through (log step, log error), of the errors that are > 0; NaN
/// if there are fewer than two.
double fittedRate(std::span<const double> steps, std::span<const double> errors);

}  // namespace stickslip
