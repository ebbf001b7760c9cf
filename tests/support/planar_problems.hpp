// Random contact problems of rigid bodies in the plane, for tests.
#pragma once

#include "stickslip/contact_problem.hpp"
#include "support/random.hpp"

namespace stickslip::testing {

struct PlanarShape {
  int bodies = 3;
  int contacts = 4;
  double rolling = 0;             ///< largest length of rolling friction; 0: none
  bool load_independent = false;  ///< mu is then an impulse
};

/// Bodies of mass and radius of gyration about 1, touching each other or the world.
ContactProblem randomPlanarProblem(Random& random, const PlanarShape& shape);

}  // namespace stickslip::testing
