// Coulomb's law by sequences of convex problems (004 section 5).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"
#include "stickslip/vector.hpp"
#include "support/contact_problems.hpp"
#include "support/dense_relaxed.hpp"
#include "support/pile_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::largestDifference;
using testing::Random;
using testing::randomSpatialProblem;

std::unique_ptr<Solver> solverNamed(const char* name, long budget = 0) {
  Method method;
  method.solver = name;
  method.budget = budget;
  return makeSolver(method);
}

// The most negative normal velocity of a contact with friction.
double deepest(const ContactProblem& problem, const std::vector<double>& v) {
  const std::vector<double> u = testing::contactVelocities(problem, v);
  double least = 0;
  for (int i = 0; i < problem.contactCount(); ++i)
    least = std::min(least, u[static_cast<std::size_t>(problem.J.firstRow(i))]);
  return least;
}

TEST(FixedPointSolver, ContractsForSmallFriction) {
  for (int k = 0; k < 6; ++k) {
    Random random(static_cast<std::uint64_t>(k + 1));
    const ContactProblem problem =
        randomSpatialProblem(random, {.bodies = 3, .patches = 4, .largest_mu = 0.15});
    ContactSolution exact;
    solverNamed("exact")->solve(problem, exact);
    for (const char* name : {"fixed-point-1", "fixed-point-2"}) {
      ContactSolution solution;
      const SolveReport report = solverNamed(name)->solve(problem, solution);
      EXPECT_EQ(report.status, SolveStatus::solved) << name << k;
      EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-8) << name << k;
      EXPECT_LE(largestDifference(solution.v, exact.v), 1e-6) << name << k;
      EXPECT_GT(report.outer_iterations, 1);
      EXPECT_GT(report.contraction, 0);
      EXPECT_LT(report.contraction, 0.5) << name << k;
    }
  }
}

// 21 disks and mu = 0.05: both iterations converge (004 section 5.3).
TEST(FixedPointSolver, SolvesTheCannonballsOfThePaper) {
  Random random(1);
  const ContactProblem problem = testing::cannonballPile(6, 0.05, 0.05, 0, random);
  for (const char* name : {"fixed-point-1", "fixed-point-2"}) {
    ContactSolution solution;
    EXPECT_EQ(solverNamed(name)->solve(problem, solution).status, SolveStatus::solved) << name;
    EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-8) << name;
  }
}

TEST(FixedPointSolver, TakesPolygonsJointsAndMotors) {
  for (int k = 0; k < 6; ++k) {
    Random random(static_cast<std::uint64_t>(20 + k));
    const ContactProblem problem = randomSpatialProblem(random, {.bodies = 3,
                                                                 .patches = 3,
                                                                 .polyhedral = k % 2 == 0,
                                                                 .directions = 6,
                                                                 .largest_mu = 0.15,
                                                                 .joints = 1 + k % 2,
                                                                 .motors = k % 3});
    for (const char* name : {"fixed-point-1", "fixed-point-2"}) {
      ContactSolution solution;
      solverNamed(name)->solve(problem, solution);
      EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-8) << name << k;
    }
  }
}

// Wherever it is stopped, and whether it converges or not.
TEST(FixedPointSolver, TheSecondKeepsContactsApartAtAnyTime) {
  int unfinished = 0;
  for (int k = 0; k < 8; ++k) {
    Random random(static_cast<std::uint64_t>(40 + k));
    const ContactProblem problem =
        randomSpatialProblem(random, {.bodies = 1, .patches = 4, .points = 2, .largest_mu = 1});
    for (const long budget : {20L, 40L, 0L}) {
      ContactSolution solution;
      const SolveReport report = solverNamed("fixed-point-2", budget)->solve(problem, solution);
      if (budget > 0) {
        EXPECT_LE(report.iterations, budget);
      }
      if (report.status == SolveStatus::iteration_limit) ++unfinished;
      EXPECT_GE(deepest(problem, solution.v), -1e-6) << k << " " << budget;
      EXPECT_LE(Certifier().certify(problem, solution).momentum_residual, 1e-12);
    }
  }
  EXPECT_GT(unfinished, 2);
}

TEST(FixedPointSolver, LargeFrictionIsReportedHonestly) {
  for (int k = 0; k < 10; ++k) {
    Random random(static_cast<std::uint64_t>(60 + k));
    const ContactProblem problem =
        randomSpatialProblem(random, {.bodies = 2, .patches = 5, .points = 2, .largest_mu = 3});
    ContactSolution solution;
    const SolveReport report = solverNamed("fixed-point-1")->solve(problem, solution);
    const double residual = Certifier().certify(problem, solution).worstResidual();
    EXPECT_EQ(report.status == SolveStatus::solved, residual <= 1e-8) << k << " " << residual;
  }
}

// One convex problem, shifted by the sliding velocity before the step.
TEST(FixedPointSolver, OneStepShiftsByTheOldSlidingVelocity) {
  Random random(11);
  const ContactProblem problem =
      randomSpatialProblem(random, {.bodies = 3, .patches = 4, .largest_mu = 0.8});
  ContactSolution once, reference;
  const SolveReport report = solverNamed("one-step")->solve(problem, once);
  EXPECT_EQ(report.outer_iterations, 1);
  ContactProblem shifted = problem;
  shifted.law = Law::relaxed;
  const std::vector<double> u = testing::contactVelocities(problem, problem.v_old);
  for (std::size_t i = 0; i < problem.sets.size(); ++i)
    shifted.b[3 * i] += problem.sets[i].mu * std::hypot(u[3 * i + 1], u[3 * i + 2]);
  solverNamed("convex")->solve(shifted, reference);
  EXPECT_LE(largestDifference(once.v, reference.v), 1e-7);
}

TEST(FixedPointSolver, OneStepIsExactWhereTheSlidingVelocityIsKnown) {
  Random random(13);
  ContactProblem problem =
      randomSpatialProblem(random, {.bodies = 2, .patches = 3, .largest_mu = 0.3});
  ContactSolution exact, once;
  solverNamed("fixed-point-1")->solve(problem, exact);
  problem.v_old = exact.v;
  EXPECT_EQ(solverNamed("one-step")->solve(problem, once).status, SolveStatus::solved);
  EXPECT_LE(largestDifference(once.v, exact.v), 1e-7);
}

TEST(FixedPointSolver, TheRelaxedLawIsOneConvexProblem) {
  Random random(17);
  ContactProblem problem = randomSpatialProblem(random, {.bodies = 3, .patches = 4});
  problem.law = Law::relaxed;
  ContactSolution solution, reference;
  const SolveReport report = solverNamed("fixed-point-1")->solve(problem, solution);
  EXPECT_EQ(report.outer_iterations, 1);
  EXPECT_EQ(report.status, SolveStatus::solved);
  solverNamed("convex")->solve(problem, reference);
  EXPECT_LE(largestDifference(solution.v, reference.v), 1e-8);
}

// 004 section 3: a body on six feet, the corners of a regular hexagon. The set of impulses is not
// convex; the velocity is zero.
TEST(FixedPointSolver, TheHexagonalPyramidRests) {
  ContactProblem problem;
  const int sizes[] = {6};
  problem.M.resize(sizes);
  for (int k = 0; k < 6; ++k) problem.M.block(0)(k, k) = k < 3 ? 2 : 0.3;
  const std::array<Vec3, 3> axes{Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
  for (int j = 0; j < 6; ++j) {
    const double angle = std::numbers::pi * j / 3;
    const Vec3 r{std::cos(angle), std::sin(angle), -0.5};
    problem.J.addGroup(3);
    const MatrixView strip = problem.J.addStrip(0, 6);
    for (int k = 0; k < 3; ++k) {
      const Vec3 d = axes[static_cast<std::size_t>(k)], turn = cross(r, d);
      const double row[] = {d.x, d.y, d.z, turn.x, turn.y, turn.z};
      std::copy(std::begin(row), std::end(row), strip.row(k).begin());
    }
    problem.sets.push_back({ImpulseSet::Kind::polyhedral, 0.3, 0.3, 4});
  }
  problem.b.assign(18, 0.0);
  problem.drive.assign(18, 0.0);
  problem.gap.assign(6, 0.0);
  problem.v_old.assign(6, 0.0);
  problem.v_free = {0, 0, -0.5, 0, 0, 0};
  for (const char* name : {"convex", "fixed-point-1", "fixed-point-2", "one-step"}) {
    ContactSolution solution;
    const SolveReport report = solverNamed(name)->solve(problem, solution);
    EXPECT_EQ(report.status, SolveStatus::solved) << name;
    for (const double v : solution.v) EXPECT_NEAR(v, 0, 1e-9) << name;
    EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-8) << name;
  }
}

}  // namespace
}  // namespace stickslip
