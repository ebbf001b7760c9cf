// Piles of disks in the plane, for tests and benchmarks.
#pragma once

#include "stickslip/contact_problem.hpp"
#include "support/random.hpp"

namespace stickslip::testing {

/// The cannonball arrangement of [AH04] section 5.3: `bottom_row` disks of radius 3 side by side on
/// the floor, one less in every row above, each touching its neighbours in its own row and the two
/// disks below; mass 1, plastic contacts, gravity over a step h. 6 disks at the bottom make 21
/// disks and 51 contacts, 20 make 210 and 590. Velocities of centres and of surfaces before the
/// step are random between -speed and speed; 0 is rest.
ContactProblem cannonballPile(int bottom_row, double mu, double h, double speed, Random& random);

/// Disks of random radius and mass that touch the floor or each other in random places, as a pile
/// has it: about twice as many contacts as disks, masses between 1 / mass_spread and mass_spread,
/// every gap closed, velocities between -speed and speed.
ContactProblem randomPile(int disks, double mu, double mass_spread, double speed, Random& random);

}  // namespace stickslip::testing
