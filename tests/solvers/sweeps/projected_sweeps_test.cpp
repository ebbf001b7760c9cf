// Sweeps of the relaxed law: they lower the energy, stay in the cones, and rest at a solution.
#include "solvers/sweeps/island_sweeps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "math/dense/cholesky.hpp"
#include "solvers/convex/convex_solver.hpp"
#include "support/pile_problems.hpp"

namespace stickslip {
namespace {

// The pile as one island, with friction of the relaxed law.
ScaledIsland pileIsland(int bottom_row, double mu) {
  testing::Random random(31);
  ContactProblem problem = testing::cannonballPile(bottom_row, mu, 0.05, 0.2, random);
  problem.law = Law::relaxed;
  BlockDiagonal L = problem.M;
  factorizeCholesky(L);
  std::vector<int> contacts(static_cast<std::size_t>(problem.contactCount()));
  std::iota(contacts.begin(), contacts.end(), 0);
  ScaledIsland island;
  island.build(problem, L, contacts, {}, 1);
  return island;
}

double energy(const ConvexProblem& problem, const ConvexIterate& point) {
  double sum = 0;
  for (std::size_t k = 0; k < point.p.size(); ++k)
    sum += point.p[k] * (point.u[k] + problem.q[k]) / 2;
  return sum;
}

TEST(ProjectedSweeps, LowerEnergyAndResidualInsideTheCones) {
  ScaledIsland island = pileIsland(6, 0.4);
  const ConvexProblem problem{island.cones(), island.W(), island.q(), &island};
  ConvexIterate point;
  point.resize(island.rowCount());
  point.evaluate(problem);
  const double at_zero = point.residual;
  ProjectedSweeps sweeps;
  sweeps.run(problem, 40, point);
  EXPECT_LT(energy(problem, point), 0);
  EXPECT_LT(point.residual, 0.5 * at_zero);
  for (const Cone& cone : island.cones()) {
    const auto first = static_cast<std::size_t>(cone.first);
    EXPECT_LE(std::abs(point.p[first + 1]), point.p[first] * (1 + 1e-12));
  }
}

TEST(ProjectedSweeps, MendWhatIsWrongInOnePlace) {
  ScaledIsland island = pileIsland(6, 0.4);
  const ConvexProblem problem{island.cones(), island.W(), island.q(), &island};
  std::vector<double> p(static_cast<std::size_t>(island.rowCount()), 0.0);
  ConvexIsland convex;
  ASSERT_LE(convex.solve(problem, p, 1e-11, 1000).residual, 1e-10);
  ConvexIterate point;
  point.p = p;
  point.u.resize(p.size());
  // A contact of the bottom row loses its impulse.
  point.p[0] = point.p[1] = 0;
  point.evaluate(problem);
  const double broken = point.residual;
  ASSERT_GT(broken, 1e-2);
  ProjectedSweeps sweeps;
  sweeps.run(problem, 100, point);
  EXPECT_LT(point.residual, 0.1 * broken);
}

// Where the residual of the worst contact rises for a while, too.
TEST(ProjectedSweeps, RunAllLowersTheEnergyWithEverySweep) {
  ScaledIsland island = pileIsland(8, 0.3);
  const ConvexProblem problem{island.cones(), island.W(), island.q(), &island};
  ConvexIterate point;
  point.resize(island.rowCount());
  point.evaluate(problem);
  double last = energy(problem, point);
  ProjectedSweeps sweeps;
  for (int k = 0; k < 30; ++k) {
    sweeps.runAll(problem, 1, point);
    const double now = energy(problem, point);
    EXPECT_LT(now, last) << "sweep " << k;
    last = now;
  }
}

TEST(ProjectedSweeps, RunAllIsTheSameInOneGoAndInParts) {
  ScaledIsland island = pileIsland(5, 0.3);
  const ConvexProblem problem{island.cones(), island.W(), island.q(), &island};
  ConvexIterate once, parts;
  for (ConvexIterate* point : {&once, &parts}) {
    point->resize(island.rowCount());
    point->evaluate(problem);
  }
  ProjectedSweeps sweeps;
  sweeps.runAll(problem, 12, once);
  for (int k = 0; k < 3; ++k) sweeps.runAll(problem, 4, parts);
  for (std::size_t k = 0; k < once.p.size(); ++k)
    EXPECT_NEAR(once.p[k], parts.p[k], 1e-12) << "row " << k;
  // The point is evaluated.
  ConvexIterate again = once;
  again.evaluate(problem);
  EXPECT_EQ(again.u, once.u);
  EXPECT_EQ(again.residual, once.residual);
}

TEST(ProjectedSweeps, RunAllComesToTheSolutionOfTheInteriorPointMethod) {
  ScaledIsland island = pileIsland(3, 0.3);
  const ConvexProblem problem{island.cones(), island.W(), island.q(), &island};
  std::vector<double> p(static_cast<std::size_t>(island.rowCount()), 0.0);
  ConvexIsland convex;
  ASSERT_LE(convex.solve(problem, p, 1e-11, 1000).residual, 1e-10);
  ConvexIterate solution, swept;
  solution.p = p;
  swept.p.assign(p.size(), 0.0);
  for (ConvexIterate* point : {&solution, &swept}) {
    point->u.resize(p.size());
    point->evaluate(problem);
  }
  ProjectedSweeps sweeps;
  sweeps.runAll(problem, 4000, swept);
  // Velocities are unique, impulses need not be.
  for (std::size_t k = 0; k < p.size(); ++k)
    EXPECT_NEAR(swept.u[k], solution.u[k], 1e-6) << "row " << k;
}

}  // namespace
}  // namespace stickslip
