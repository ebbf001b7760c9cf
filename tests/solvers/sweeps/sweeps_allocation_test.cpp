// After warm-up sweeps allocate nothing.
#include <gtest/gtest.h>

#include "stickslip/solver.hpp"
#include "support/counting_allocator.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

TEST(Allocation, SweepsAllocateNothing) {
  Random random(15);
  ContactProblem problem = testing::randomSpatialProblem(
      random, {.bodies = 8, .patches = 16, .points = 2, .joints = 2, .motors = 1});
  Method method;
  method.solver = "sweeps";
  const auto solver = makeSolver(method);
  ContactSolution solution;
  for (int k = 0; k < 4; ++k) {
    const long before = testing::allocationCount();
    for (double& v : problem.v_free) v += 1e-3 * random.uniform();
    solver->solve(problem, solution);
    if (k >= 2) {
      EXPECT_EQ(testing::allocationCount(), before);
    }
  }
}

}  // namespace
}  // namespace stickslip
