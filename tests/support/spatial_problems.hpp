// Random contact problems of rigid bodies in space, for tests.
#pragma once

#include "stickslip/contact_problem.hpp"
#include "support/random.hpp"

namespace stickslip::testing {

struct SpatialShape {
  int bodies = 3;
  int patches = 3;            ///< places where two bodies, or a body and the world, touch
  int points = 1;             ///< contacts of a patch, all in one plane: more than 3 are redundant
  bool polyhedral = false;    ///< else elliptic
  int directions = 8;         ///< of polyhedral cones
  bool circular = true;       ///< mu = mu_2
  double largest_mu = 1;      ///< of contacts; at least 0.05
  double mass_ratio = 1;      ///< of the heaviest to the lightest body
  bool restitution = false;   ///< b = e gamma with e in [0,1)
  int joints = 0;             ///< ball joints of three rows
  int springs = 0;            ///< compliant rows
  int motors = 0;             ///< impulses between bounds
  bool frictionless = false;  ///< every second patch
  // Largest lengths of torsional and rolling friction; 0: none.
  double torsion = 0;
  double rolling = 0;
  bool load_independent = false;  ///< mu is then an impulse
};

/// The k-th of a series: both kinds of cones, with and without friction, joints, springs, motors.
inline SpatialShape jointedShape(int k) {
  return {.bodies = 2 + k % 5,
          .patches = 1 + k % 5,
          .points = 1 + k % 3,
          .polyhedral = k % 2 == 0,
          .directions = 4 + 2 * (k % 5),
          .mass_ratio = 100,
          .joints = k % 3,
          .springs = k % 3,
          .motors = k % 4,
          .frictionless = true};
}

ContactProblem randomSpatialProblem(Random& random, const SpatialShape& shape);

/// A body squeezed in a slot, or astride a bar, that is nearly as wide as the body: normals of two
/// sides nearly opposite, and friction about enough to hold it by itself, so that impulses can grow
/// without moving anything. Restitution is the same in all directions, which makes v = -e v_old
/// possible.
ContactProblem jammedProblem(Random& random, int contacts);

/// The same with normal restitution only: between nearly opposite normals no motion need fit.
ContactProblem jammedReboundProblem(Random& random, int contacts);

/// A body that rests, rocks or lands on a flat patch, some of whose points are next to each other,
/// with normals that are parallel up to a small tilt.
ContactProblem patchProblem(Random& random, int contacts);

/// `levels` cubes on the floor, one on the other with four contacts each, that gravity pulls down
/// for a step; the mass of a cube is `ratio` times that of the one below.
ContactProblem towerProblem(int levels, double ratio, double mu, double sideways_velocity);

}  // namespace stickslip::testing
