// Solver auto: certified on every class of problems, by whoever can; budgets; fallbacks.
#include "solvers/auto/auto_solver.hpp"

#include <gtest/gtest.h>

#include "support/contact_problems.hpp"
#include "support/local_problems.hpp"
#include "support/pile_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

SolveReport expectCertified(AutoSolver& solver, const ContactProblem& problem, int trial) {
  ContactSolution solution;
  const SolveReport report = solver.solve(problem, solution);
  EXPECT_EQ(report.status, SolveStatus::solved) << trial;
  EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-8) << trial;
  return report;
}

TEST(AutoSolver, SolvesFewPlanarContactsByPivoting) {
  Random random(1);
  AutoSolver solver(Method{});
  for (int trial = 0; trial < 60; ++trial) {
    const ContactProblem problem = testing::randomContactProblem(
        random, {.velocities = 6, .contacts = random.integer(1, 6), .joints = trial % 3});
    EXPECT_EQ(expectCertified(solver, problem, trial).solved_by, "lemke");
  }
}

TEST(AutoSolver, SolvesRoundAndPolyhedralCones) {
  Random random(2);
  for (int trial = 0; trial < 40; ++trial) {
    AutoSolver solver(Method{});
    const ContactProblem problem = testing::randomSpatialProblem(
        random, {.bodies = 5, .patches = 6, .polyhedral = trial % 2 == 0, .motors = trial % 3});
    expectCertified(solver, problem, trial);
  }
}

TEST(AutoSolver, SolvesPilesAtAnyFriction) {
  for (const double mu : {0.05, 0.2, 0.4, 0.8}) {
    Random random(3);
    AutoSolver solver(Method{});
    expectCertified(solver, testing::cannonballPile(8, mu, 0.05, 0, random), int(100 * mu));
  }
}

TEST(AutoSolver, TakesTheRelaxedLawToTheConvexSolver) {
  Random random(4);
  AutoSolver solver(Method{.law = Law::relaxed});
  for (int trial = 0; trial < 10; ++trial) {
    ContactProblem problem = testing::randomSpatialProblem(random, {.bodies = 5, .patches = 6});
    problem.law = Law::relaxed;
    EXPECT_EQ(expectCertified(solver, problem, trial).solved_by, "convex");
  }
}

TEST(AutoSolver, SolvesLocalProblems) {
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const ContactProblem problem = testing::randomSpatialProblem(
        random, {.bodies = 5, .patches = 6, .polyhedral = trial % 2 == 0});
    const LocalProblem local = testing::localForm(problem);
    std::vector<double> p;
    EXPECT_EQ(AutoSolver(Method{}).solveLocal(local, p).status, SolveStatus::solved);
    const Certificate certificate = certifyLocal(local, p);
    EXPECT_LE(certificate.worstResidual(), 1e-8);
    EXPECT_LE(certificate.fclib_error, 1e-8);
  }
}

// Two walls that close on a block: nobody can solve it, and everybody says so.
TEST(AutoSolver, ReturnsTheBestPointOfAnUnsolvableProblem) {
  ContactProblem problem;
  problem.M.resize(std::vector<int>{1});
  problem.M.block(0)(0, 0) = 1;
  problem.v_free = problem.v_old = {0};
  for (const double side : {1.0, -1.0}) {
    problem.J.addGroup(1);
    problem.J.addStrip(0, 1)(0, 0) = side;
    problem.sets.push_back({});
    problem.b.push_back(-1);
    problem.drive.push_back(0);
    problem.gap.push_back(0);
  }
  ContactSolution solution;
  EXPECT_NE(AutoSolver(Method{}).solve(problem, solution).status, SolveStatus::solved);
  const Certificate certificate = Certifier().certify(problem, solution);
  EXPECT_TRUE(certificate.finite);
  EXPECT_GT(certificate.worstResidual(), 1e-3);
}

TEST(AutoSolver, HonoursItsBudget) {
  Random random(6);
  const ContactProblem problem = testing::cannonballPile(6, 0.4, 0.05, 0.1, random);
  ContactSolution solution;
  for (const long budget : {1L, 3L, 10L}) {
    AutoSolver solver({.budget = budget});
    EXPECT_LE(solver.solve(problem, solution).iterations, budget);
    EXPECT_TRUE(Certifier().certify(problem, solution).finite);
  }
}

TEST(AutoSolver, RestartedItRepeatsItself) {
  Random random(7);
  const ContactProblem problem = testing::cannonballPile(6, 0.3, 0.05, 0.1, random);
  AutoSolver solver(Method{});
  ContactSolution first, again;
  solver.solve(problem, first);
  solver.solve(problem, again);
  solver.restart();
  solver.solve(problem, again);
  EXPECT_EQ(first.v, again.v);
  EXPECT_EQ(first.p, again.p);
}

}  // namespace
}  // namespace stickslip
