// Spheres that have settled in a box, for tests and benchmarks.
#pragma once

#include <memory>

#include "stickslip/body_system.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip::testing {

struct SphereBox {
  std::shared_ptr<const BodySystem> system;
  State state;
  double step = 0;  ///< h with which they settled [s]

  /// The contact problem of the next step.
  ContactProblem nextProblem() const;
};

/// `side`^3 equal spheres of diameter 1 and mass 1, dropped in layers into a box `side` wide and
/// left to settle for `steps` steps of 0.01 s by projected Gauss-Seidel: 10 and 300 make a pile of
/// 1,000 spheres with about 2,400 contacts. Plastic contacts with friction mu, also at the walls.
SphereBox settledSpheres(int side, double mu, int steps);

}  // namespace stickslip::testing
