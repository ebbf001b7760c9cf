// Figures 2 and 3 of [AH04]: piles that fall apart, with the contacts of every step and the seconds
// that LCP0 ... LCP3 take for it.
#pragma once

#include "papers/experiment.hpp"

namespace stickslip {

inline constexpr double kDiskInertia = 4.5;  ///< m r^2/2

/// `bottom` disks on the floor and one less in every row above, at rest.
Scene pileScene(int bottom, double mu, double inertia = kDiskInertia);

/// Adds the figures, and to `checks` what must hold for them.
void addPileFigures(const Effort& effort, Checks& checks, Outcome& outcome);

}  // namespace stickslip
