// Convex rocks: hulls of random points.
#pragma once

#include "stickslip/body.hpp"
#include "support/random.hpp"

namespace stickslip::peers {

/// The hull of 12 to 20 points between 0.8 and 1 of `radius` away from a centre, moved and turned
/// so that its centre of mass and principal axes are those of its frame, and then scaled so that
/// its farthest point is `radius` away. Fills shape and mass.
void makeRock(double mass, double radius, testing::Random& random, Body& body);

}  // namespace stickslip::peers
