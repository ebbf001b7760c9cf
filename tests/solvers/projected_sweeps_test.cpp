// Sweeps of the relaxed law: they lower the energy, stay in the cones, and rest at a solution.
#include "solvers/projected_sweeps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "math/cholesky.hpp"
#include "solvers/convex_island.hpp"
#include "support/pile_problems.hpp"

namespace stickslip {
namespace {

// The pile as one island, with friction of the relaxed law.
ContactIsland pileIsland(int bottom_row, double mu) {
  testing::Random random(31);
  ContactProblem problem = testing::cannonballPile(bottom_row, mu, 0.05, 0.2, random);
  problem.law = Law::relaxed;
  BlockDiagonal L = problem.M;
  factorizeCholesky(L);
  std::vector<int> contacts(static_cast<std::size_t>(problem.contactCount()));
  std::iota(contacts.begin(), contacts.end(), 0);
  ContactIsland island;
  island.build(problem, L, contacts, {}, 1);
  return island;
}

double energy(const ConvexProblem& problem, const ConvexPoint& point) {
  double sum = 0;
  for (std::size_t k = 0; k < point.pi.size(); ++k)
    sum += point.pi[k] * (point.omega[k] + problem.q[k]) / 2;
  return sum;
}

TEST(ProjectedSweeps, LowerEnergyAndResidualInsideTheCones) {
  ContactIsland island = pileIsland(6, 0.4);
  const ConvexProblem problem{island.items(), island.W(), island.q(), &island};
  ConvexPoint point;
  point.resize(static_cast<std::size_t>(island.rowCount()));
  point.evaluate(problem);
  const double at_zero = point.residual;
  ProjectedSweeps sweeps;
  sweeps.run(problem, 40, point);
  EXPECT_LT(energy(problem, point), 0);
  EXPECT_LT(point.residual, 0.5 * at_zero);
  for (const ContactItem& item : island.items()) {
    const auto first = static_cast<std::size_t>(item.first);
    EXPECT_LE(std::abs(point.pi[first + 1]), point.pi[first] * (1 + 1e-12));
  }
}

TEST(ProjectedSweeps, MendWhatIsWrongInOnePlace) {
  ContactIsland island = pileIsland(6, 0.4);
  const ConvexProblem problem{island.items(), island.W(), island.q(), &island};
  std::vector<double> pi(static_cast<std::size_t>(island.rowCount()), 0.0);
  ConvexIsland convex;
  ASSERT_LE(convex.solve(problem, pi, 1e-11, 1000).residual, 1e-10);
  ConvexPoint point;
  point.pi = pi;
  point.omega.resize(pi.size());
  // A contact of the bottom row loses its impulse.
  point.pi[0] = point.pi[1] = 0;
  point.evaluate(problem);
  const double broken = point.residual;
  ASSERT_GT(broken, 1e-2);
  ProjectedSweeps sweeps;
  sweeps.run(problem, 100, point);
  EXPECT_LT(point.residual, 0.1 * broken);
}

// Where the residual of the worst contact rises for a while, too.
TEST(ProjectedSweeps, RunAllLowersTheEnergyWithEverySweep) {
  ContactIsland island = pileIsland(8, 0.3);
  const ConvexProblem problem{island.items(), island.W(), island.q(), &island};
  ConvexPoint point;
  point.resize(static_cast<std::size_t>(island.rowCount()));
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
  ContactIsland island = pileIsland(5, 0.3);
  const ConvexProblem problem{island.items(), island.W(), island.q(), &island};
  ConvexPoint once, parts;
  for (ConvexPoint* point : {&once, &parts}) {
    point->resize(static_cast<std::size_t>(island.rowCount()));
    point->evaluate(problem);
  }
  ProjectedSweeps sweeps;
  sweeps.runAll(problem, 12, once);
  for (int k = 0; k < 3; ++k) sweeps.runAll(problem, 4, parts);
  for (std::size_t k = 0; k < once.pi.size(); ++k)
    EXPECT_NEAR(once.pi[k], parts.pi[k], 1e-12) << "row " << k;
  // The point is evaluated.
  ConvexPoint again = once;
  again.evaluate(problem);
  EXPECT_EQ(again.omega, once.omega);
  EXPECT_EQ(again.residual, once.residual);
}

TEST(ProjectedSweeps, RunAllComesToTheSolutionOfTheInteriorPointMethod) {
  ContactIsland island = pileIsland(3, 0.3);
  const ConvexProblem problem{island.items(), island.W(), island.q(), &island};
  std::vector<double> pi(static_cast<std::size_t>(island.rowCount()), 0.0);
  ConvexIsland convex;
  ASSERT_LE(convex.solve(problem, pi, 1e-11, 1000).residual, 1e-10);
  ConvexPoint solution, swept;
  solution.pi = pi;
  swept.pi.assign(pi.size(), 0.0);
  for (ConvexPoint* point : {&solution, &swept}) {
    point->omega.resize(pi.size());
    point->evaluate(problem);
  }
  ProjectedSweeps sweeps;
  sweeps.runAll(problem, 4000, swept);
  // Velocities are unique, impulses need not be.
  for (std::size_t k = 0; k < pi.size(); ++k)
    EXPECT_NEAR(swept.omega[k], solution.omega[k], 1e-6) << "row " << k;
}

}  // namespace
}  // namespace stickslip
