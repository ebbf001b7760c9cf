// Sweeps over single cones. Exact ones come to rest at a solution, whatever says what W p is; those
// of the relaxed law lower the energy and stay in the cones.
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
ScaledIsland pileIsland(int bottom_row, double mu, Law law = Law::relaxed) {
  testing::Random random(31);
  ContactProblem problem = testing::cannonballPile(bottom_row, mu, 0.05, 0.2, random);
  problem.law = law;
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

// W p from a dense copy of W, by its columns.
class DenseRows final : public SweepRows {
 public:
  DenseRows(const ScaledIsland& island, std::vector<double>& p) : W_(island.W()), p_(p) {
    const std::size_t rows = p.size();
    std::vector<double> unit(rows, 0.0), column(rows);
    for (std::size_t j = 0; j < rows; ++j) {
      unit[j] = 1;
      W_.apply(unit, column);
      unit[j] = 0;
      columns_.push_back(column);
    }
  }
  void sweepVelocity(int cone, std::span<double> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = 0;
      for (std::size_t j = 0; j < p_.size(); ++j)
        out[i] += columns_[j][W_.firstRow(cone) + i] * p_[j];
    }
  }
  void sweepChange(int, std::span<const double>) override {}

 private:
  const Delassus& W_;
  const std::vector<double>& p_;
  std::vector<std::vector<double>> columns_;
};

TEST(IslandSweeps, ComeToRestAtASolution) {
  for (const Law law : {Law::coulomb, Law::relaxed}) {
    ScaledIsland island = pileIsland(3, 0.4, law);
    std::vector<double> p(static_cast<std::size_t>(island.rowCount()), 0.0), u = p, back;
    IslandSweeps sweeps;
    sweeps.prepare(island);
    sweeps.sweep(island, 40000, p);
    island.velocity(p, u);
    EXPECT_LE(island.residual(p, u), 1e-9);
    back.assign(p.size(), 0.0);
    sweeps.sweepThereAndBack(island, 20000, back);
    island.velocity(back, u);
    EXPECT_LE(island.residual(back, u), 1e-9);
  }
}

TEST(IslandSweeps, NeedNothingButRows) {
  ScaledIsland island = pileIsland(4, 0.3, Law::coulomb);
  std::vector<double> p(static_cast<std::size_t>(island.rowCount()), 0.0), q = p;
  IslandSweeps sweeps;
  sweeps.prepare(island);
  sweeps.sweep(island, 12, p);
  DenseRows rows(island, q);
  for (int k = 0; k < 12; ++k) sweeps.sweep(rows, {island.cones(), island.q(), Law::coulomb}, q);
  for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k], q[k], 1e-12) << "row " << k;
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
    const std::size_t first = cone.first;
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
