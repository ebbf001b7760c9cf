// Random contact problems and a dense view of them, for tests.
#pragma once

#include "stickslip/contact_problem.hpp"
#include "support/random.hpp"

namespace stickslip::testing {

struct ProblemShape {
  int velocities = 4;
  int contacts = 2;
  int joints = 0;
  int repeated_joints = 0;  ///< joints that say again what others say
  double largest_mu = 1;
  bool some_frictionless = false;
  bool restitution = false;  ///< b = e gamma with e in [0,1), as the midpoint scheme has it
};

/// The k-th of a series: few and many contacts, some without friction, and joints, some of which
/// say again what others say.
inline ProblemShape mixedShape(int k) {
  return {.velocities = 3 + k % 8,
          .contacts = 1 + k % 9,
          .joints = k % 3,
          .repeated_joints = k % 3 > 0 ? k % 2 : 0,
          .some_frictionless = true};
}

/// A problem of one block with a random positive definite mass matrix.
ContactProblem randomContactProblem(Random& random, const ProblemShape& shape);

/// A particle between two walls that close on it: no motion fits.
ContactProblem closingWalls(double mass, double velocity);

/// Row `row` of the dense form of `rows`.
std::vector<double> denseRow(const BlockRows& rows, int row, int columns);

/// max |a_k - b_k|.
double largestDifference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace stickslip::testing
