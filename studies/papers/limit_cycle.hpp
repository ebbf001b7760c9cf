// The limit cycle that a motion settles in: period, ranges, and how well cycles repeat.
//
// Cycles are counted by the section at which one coordinate falls through its value at the start of
// the motion. What is measured is the mean over all whole cycles after a given time.
#pragma once

#include <vector>

#include "convergence/trajectory.hpp"

namespace stickslip {

struct CycleRange {
  double least = 0;
  double most = 0;
  double width() const { return most - least; }
};

/// Quantities are the positions and then the velocities of the trajectory.
struct LimitCycle {
  int count = 0;  ///< whole cycles
  double period = 0;
  double drop = 0;                 ///< by which position 0 falls in a cycle
  std::vector<double> section;     ///< quantities at the section, between two steps
  std::vector<CycleRange> ranges;  ///< of each quantity in a cycle; of position 0 over all of them
  /// Largest difference of periods (relative), and of quantities at the section (as a share of
  /// their ranges; without position 0), between two cycles.
  double spread = 0;
};

LimitCycle measureCycle(const Trajectory& motion, double after, std::size_t section_coordinate);

}  // namespace stickslip
