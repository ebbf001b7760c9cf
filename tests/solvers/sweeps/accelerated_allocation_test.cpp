// After warm-up solver `accelerated` allocates nothing, as long as problems do not grow.
#include <gtest/gtest.h>

#include "stickslip/solver.hpp"
#include "support/counting_allocator.hpp"
#include "support/pile_problems.hpp"
#include "support/spatial_problems.hpp"
#include "support/sphere_box.hpp"

namespace stickslip {
namespace {

using testing::Random;

TEST(Allocation, AcceleratedAllocatesNothing) {
  Random random(3);
  const ContactProblem spatial = testing::randomSpatialProblem(
      random, {.bodies = 6, .patches = 9, .points = 2, .joints = 2, .springs = 2, .motors = 1});
  const ContactProblem polyhedral = testing::randomSpatialProblem(
      random, {.bodies = 3, .patches = 4, .polyhedral = true, .torsion = 0.1});
  const ContactProblem pile = testing::cannonballPile(5, 0.3, 0.05, 0, random);
  const ContactProblem balls = testing::settledSpheres(3, 0.5, 60).nextProblem();
  for (ContactProblem problem : {spatial, polyhedral, pile, balls})
    for (const Law law : {Law::relaxed, Law::coulomb}) {
      problem.law = law;
      Method method;
      method.solver = "accelerated";
      method.budget = 50;
      const auto solver = makeSolver(method);
      ContactSolution solution;
      for (int k = 0; k < 6; ++k) {
        if (k % 2 == 0) solver->restart();
        for (double& v : problem.v_free) v *= 1 + 1e-3 * random.uniform();
        const long before = testing::allocationCount();
        solver->solve(problem, solution);
        if (k >= 2) {
          EXPECT_EQ(testing::allocationCount() - before, 0) << k;
        }
      }
    }
}

}  // namespace
}  // namespace stickslip
