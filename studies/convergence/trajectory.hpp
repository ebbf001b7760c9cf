// The motion that a run computes, as functions of time ([ST00] section 4): q(t) goes straight from
// one step to the next, v(t) is the velocity at the end of the step that t is in.
#pragma once

#include <vector>

#include "stickslip/io/scene.hpp"

namespace stickslip {

struct Trajectory {
  std::vector<double> times;  ///< of the start and of the end of every step
  std::size_t positions = 0;  ///< numbers in a row of q
  std::size_t velocities = 0;
  std::vector<double> q;  ///< a row for each time
  std::vector<double> u;

  std::size_t count() const { return times.size(); }
  double position(std::size_t step, std::size_t k) const { return q[step * positions + k]; }
  double velocity(std::size_t step, std::size_t k) const { return u[step * velocities + k]; }
  /// One coordinate at all times.
  std::vector<double> positionsOf(std::size_t k) const;
  std::vector<double> velocitiesOf(std::size_t k) const;

  void append(const State& state);
};

struct FinishedMotion {
  Trajectory motion;
  RunSummary summary;
};

/// Runs the scene and keeps every step.
FinishedMotion runAndKeep(const Scene& scene);

}  // namespace stickslip
