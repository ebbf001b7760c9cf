// The solver `lemke` beyond planar cones: polyhedral cones in space, impulses between bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/exact/exact_solver.hpp"
#include "solvers/lemke/lemke_solver.hpp"
#include "stickslip/certificate.hpp"
#include "support/contact_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;
using testing::SpatialShape;

void expectCertifiedByLemke(SpatialShape shape, int trials, std::uint64_t seed) {
  shape.polyhedral = true;
  Random random(seed);
  LemkeSolver solver(0);
  Certifier certifier;
  ContactSolution solution;
  for (int trial = 0; trial < trials; ++trial) {
    const ContactProblem problem = testing::randomSpatialProblem(random, shape);
    ASSERT_EQ(solver.solve(problem, solution).status, SolveStatus::solved) << "trial " << trial;
    ASSERT_LE(certifier.certify(problem, solution).worstResidual(), 1e-9) << "trial " << trial;
  }
}

TEST(SpatialLemke, SolvesPolyhedralCones) {
  for (const int directions : {4, 6, 8, 16, 64})
    expectCertifiedByLemke({.bodies = 3, .patches = 3, .directions = directions}, 50, 1);
  expectCertifiedByLemke({.bodies = 3, .patches = 5, .circular = false, .largest_mu = 2}, 100, 2);
}

TEST(SpatialLemke, SolvesRedundantContacts) {
  expectCertifiedByLemke({.bodies = 1, .patches = 1, .points = 4}, 100, 3);
  expectCertifiedByLemke({.bodies = 3, .patches = 3, .points = 4, .restitution = true}, 20, 4);
  expectCertifiedByLemke({.bodies = 2, .patches = 10}, 20, 5);
}

TEST(SpatialLemke, SolvesMixedKinds) {
  expectCertifiedByLemke(
      {.bodies = 4, .patches = 4, .springs = 3, .motors = 3, .frictionless = true}, 100, 6);
  expectCertifiedByLemke({.bodies = 5, .patches = 3, .joints = 2, .springs = 2, .motors = 2}, 50,
                         7);
  expectCertifiedByLemke({.bodies = 4, .patches = 5, .mass_ratio = 1000, .motors = 2}, 100, 8);
}

TEST(SpatialLemke, CopesWithATangentWithoutFriction) {
  Random random(9);
  for (int trial = 0; trial < 100; ++trial) {
    ContactProblem problem =
        testing::randomSpatialProblem(random, {.bodies = 2, .patches = 3, .polyhedral = true});
    for (std::size_t i = 0; i < 3; ++i) {
      if (i != 1) problem.sets.own(i).mu = 0;
      if (i != 0) problem.sets.own(i).mu_2 = 0;
    }
    ContactSolution solution;
    EXPECT_EQ(LemkeSolver(0).solve(problem, solution).status, SolveStatus::solved);
    EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-11);
    for (std::size_t i = 0; i < 3; ++i) {
      if (i != 1) {
        EXPECT_EQ(solution.p[3 * i + 1], 0);
      }
      if (i != 0) {
        EXPECT_EQ(solution.p[3 * i + 2], 0);
      }
    }
  }
}

// One mass, one bounded row: p = -m (v_free + b), clipped.
ContactProblem motor(double mass, double v_free, double b, double lower, double upper) {
  ContactProblem problem;
  const int sizes[] = {1};
  problem.M.resize(sizes);
  problem.M.block(0)(0, 0) = mass;
  problem.v_free = problem.v_old = {v_free};
  problem.J.addGroup(1);
  problem.J.addStrip(0, 1)(0, 0) = 1;
  problem.b = problem.drive = {b};
  ImpulseSet set;
  set.kind = ImpulseSet::Kind::interval;
  set.lower = lower;
  set.upper = upper;
  problem.sets = {set};
  problem.contact_id = {0};
  problem.gap = {0};
  return problem;
}

TEST(SpatialLemke, BoundedImpulsesAgreeWithTheClosedForm) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  Random random(10);
  for (int trial = 0; trial < 300; ++trial) {
    const double lower = trial % 4 == 0 ? -kNone : trial % 5 == 0 ? 0 : -random.uniform(0, 2);
    const double upper = trial % 6 == 0 ? kNone : trial % 5 == 0 ? 0 : random.uniform(0, 2);
    const double mass = random.uniform(0.5, 2), v_free = random.uniform(), b = random.uniform();
    const ContactProblem problem = motor(mass, v_free, b, lower, upper);
    const double expected = std::clamp(-mass * (v_free + b), lower, upper);
    ContactSolution pivoted, exact;
    EXPECT_EQ(LemkeSolver(0).solve(problem, pivoted).status, SolveStatus::solved);
    EXPECT_EQ(ExactSolver(Method{}).solve(problem, exact).status, SolveStatus::solved);
    EXPECT_NEAR(pivoted.p[0], expected, 1e-14) << trial;
    EXPECT_NEAR(exact.p[0], expected, 1e-14) << trial;
    EXPECT_LE(Certifier().certify(problem, pivoted).worstResidual(), 1e-12);
  }
}

// Motors and planar contacts, in the relay form as in the cone form.
TEST(SpatialLemke, SolvesPlanarProblemsWithMotors) {
  Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    ContactProblem problem =
        testing::randomContactProblem(random, {.velocities = 6, .contacts = 3});
    const ContactProblem motors = testing::randomContactProblem(
        random, {.velocities = 6, .contacts = 4, .some_frictionless = true});
    for (const int group : {1, 3}) {
      problem.J.addGroup(1);
      const MatrixView strip = problem.J.addStrip(0, 6);
      const auto row = testing::denseRow(motors.J, motors.J.firstRow(group), 6);
      std::copy(row.begin(), row.end(), strip.row(0).begin());
      ImpulseSet motor;
      motor.kind = ImpulseSet::Kind::interval;
      motor.lower = -random.uniform(0, 0.3);
      motor.upper = random.uniform(0, 0.3);
      problem.sets.push_back(motor);
      problem.b.push_back(random.uniform());
      problem.drive.push_back(0);
      problem.contact_id.push_back(std::uint64_t(10 + group));
      problem.gap.push_back(0);
    }
    ContactSolution solution;
    EXPECT_EQ(LemkeSolver(0).solve(problem, solution).status, SolveStatus::solved) << trial;
    EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-10) << trial;
  }
}

TEST(SpatialLemke, UniquenessSeesThroughBlocks) {
  Certifier certifier;
  LemkeSolver solver(0);
  ContactSolution solution;
  Random random(12);
  // Few contacts of many bodies: unique. Four in one plane: not.
  const ContactProblem few = testing::randomSpatialProblem(
      random, {.bodies = 6, .patches = 4, .polyhedral = true, .joints = 2});
  solver.solve(few, solution);
  EXPECT_TRUE(certifier.certify(few, solution).impulses_unique);
  const ContactProblem cube = testing::towerProblem(1, 1, 0.5, 0);
  ExactSolver(Method{}).solve(cube, solution);
  EXPECT_FALSE(certifier.certify(cube, solution).impulses_unique);
}

}  // namespace
}  // namespace stickslip
