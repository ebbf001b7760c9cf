// After warm-up the convex solvers allocate nothing, whatever the problem does as long as its size
// stays.
#include <gtest/gtest.h>

#include "stickslip/solver.hpp"
#include "support/counting_allocator.hpp"
#include "support/pile_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

void expectNoAllocation(const char* name, ContactProblem problem, Law law) {
  Method method;
  method.solver = name;
  const auto solver = makeSolver(method);
  problem.law = law;
  ContactSolution solution;
  Random random(1);
  const std::vector<double> v_free = problem.v_free;
  for (int k = 0; k < 9; ++k) {
    if (k % 3 == 0) solver->restart();
    for (std::size_t i = 0; i < v_free.size(); ++i)
      problem.v_free[i] = v_free[i] * (1 + 1e-3 * random.uniform());
    const long before = testing::allocationCount();
    solver->solve(problem, solution);
    if (k >= 6) {
      EXPECT_EQ(testing::allocationCount() - before, 0) << name << k;
    }
  }
}

TEST(Allocation, ConvexSolversAllocateNothing) {
  Random random(3);
  const ContactProblem spatial = testing::randomSpatialProblem(
      random,
      {.bodies = 3, .patches = 5, .points = 2, .largest_mu = 0.2, .joints = 2, .motors = 1});
  const ContactProblem polyhedral = testing::randomSpatialProblem(
      random, {.bodies = 3, .patches = 4, .polyhedral = true, .largest_mu = 0.2});
  const ContactProblem pile = testing::cannonballPile(5, 0.3, 0.05, 0, random);
  for (const ContactProblem& problem : {spatial, polyhedral, pile}) {
    expectNoAllocation("convex", problem, Law::relaxed);
    for (const char* name : {"fixed-point-1", "fixed-point-2", "one-step", "one-step-2"})
      expectNoAllocation(name, problem, Law::coulomb);
  }
}

}  // namespace
}  // namespace stickslip
