// The woodpecker's limit cycle as a time-stepping run shows it.
#pragma once

#include "stickslip/io/scene.hpp"

namespace stickslip::testing {

struct CycleRange {
  double least = 0;
  double most = 0;
};

struct MeasuredCycle {
  int cycles = 0;  ///< number of whole cycles that were averaged
  double period = 0;
  double drop = 0;
  CycleRange phi_M, phi_S, omega_M, omega_S;
  RunSummary summary;
};

/// Runs the scene (coordinates y, phi_M, phi_S) and measures from `after` on: period and drop are
/// means between the first and the last upward passage of phi_S through `section`, ranges are means
/// over the cycles of each cycle's extremes.
MeasuredCycle measureCycle(const Scene& scene, double after, double section = -0.2);

}  // namespace stickslip::testing
