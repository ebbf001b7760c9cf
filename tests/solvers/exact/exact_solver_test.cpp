// The solver `exact`: random problems in space, problems with a known answer, towers, units.
#include "solvers/exact/exact_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/lemke/lemke_solver.hpp"
#include "stickslip/certificate.hpp"
#include "support/contact_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;
using testing::SpatialShape;

void expectAllCertified(const SpatialShape& shape, int trials, std::uint64_t seed) {
  Random random(seed);
  ExactSolver solver(Method{});
  Certifier certifier;
  ContactSolution solution;
  for (int trial = 0; trial < trials; ++trial) {
    const ContactProblem problem = testing::randomSpatialProblem(random, shape);
    const SolveReport report = solver.solve(problem, solution);
    ASSERT_EQ(report.status, SolveStatus::solved) << "trial " << trial;
    ASSERT_LE(certifier.certify(problem, solution).worstResidual(), 1e-9) << "trial " << trial;
  }
}

TEST(ExactSolver, SolvesFewContacts) {
  expectAllCertified({.bodies = 1, .patches = 1}, 100, 1);
  expectAllCertified({.bodies = 3, .patches = 3}, 100, 2);
  expectAllCertified({.bodies = 3, .patches = 5, .largest_mu = 3}, 100, 3);
}

TEST(ExactSolver, SolvesEllipticCones) {
  expectAllCertified({.bodies = 4, .patches = 5, .circular = false}, 100, 4);
}

// Four contacts in a plane share the load in many ways: W is singular.
TEST(ExactSolver, SolvesRedundantContacts) {
  expectAllCertified({.bodies = 1, .patches = 1, .points = 4}, 100, 5);
  expectAllCertified({.bodies = 3, .patches = 4, .points = 4, .restitution = true}, 50, 6);
  expectAllCertified({.bodies = 2, .patches = 12}, 30, 7);
}

TEST(ExactSolver, SolvesWithJointsSpringsAndMotors) {
  expectAllCertified({.bodies = 4, .patches = 4, .points = 2, .springs = 3, .motors = 3}, 50, 8);
  expectAllCertified({.bodies = 5, .patches = 4, .joints = 2, .springs = 3, .motors = 3}, 30, 9);
}

TEST(ExactSolver, SolvesMixedKinds) {
  expectAllCertified({.bodies = 4, .patches = 6, .frictionless = true}, 100, 10);
}

TEST(ExactSolver, SolvesManyContacts) {
  expectAllCertified({.bodies = 20, .patches = 32}, 3, 11);
  expectAllCertified({.bodies = 10, .patches = 16, .points = 4, .mass_ratio = 100}, 2, 12);
}

TEST(ExactSolver, SolvesPlanarProblems) {
  Random random(13);
  ExactSolver solver(Method{});
  ContactSolution solution;
  for (int trial = 0; trial < 200; ++trial) {
    const ContactProblem problem = testing::randomContactProblem(
        random, {.velocities = 6, .contacts = 4, .joints = 1, .some_frictionless = true});
    EXPECT_EQ(solver.solve(problem, solution).status, SolveStatus::solved) << trial;
    EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-10) << trial;
  }
}

// Heavy on light and light on heavy, resting and sheared.
TEST(ExactSolver, SolvesTowersWithLargeMassRatios) {
  for (const int levels : {1, 2, 5, 10})
    for (const double ratio : {1.0, 1000.0, 0.001})
      for (const double shear : {0.0, 0.01, 0.5}) {
        const double each = levels > 2 ? std::pow(ratio, 1.0 / (levels - 1)) : ratio;
        const ContactProblem problem = testing::towerProblem(levels, each, 0.5, shear);
        ContactSolution solution;
        ExactSolver solver(Method{});
        EXPECT_EQ(solver.solve(problem, solution).status, SolveStatus::solved);
        EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-9)
            << levels << " cubes, ratio " << ratio << ", shear " << shear;
      }
}

// A particle of mass 2 on a plane, with friction of its own along both tangents.
ContactProblem particle(double v_n, double v_1, double v_2, double mu, double mu_2) {
  ContactProblem problem;
  const int sizes[] = {3};
  problem.M.resize(sizes);
  problem.J.addGroup(3);
  const MatrixView w = problem.J.addStrip(0, 3);
  for (int k = 0; k < 3; ++k) {
    problem.M.block(0)(k, k) = 2;
    w(k, k) = 1;
  }
  problem.v_free = problem.v_old = {v_n, v_1, v_2};
  problem.b = problem.drive = {0, 0, 0};
  problem.sets = {{ImpulseSet::Kind::elliptic, mu, mu_2}};
  problem.contact_id = {0};
  problem.gap = {0};
  return problem;
}

TEST(ExactSolver, AgreesWithTheClosedFormOfAParticle) {
  Random random(14);
  for (int trial = 0; trial < 200; ++trial) {
    const double v_n = random.uniform(), mu = random.uniform(0, 1), speed = random.uniform(0, 2);
    const double heading = random.uniform(0, 6.3);
    const double left = v_n < 0 ? std::max(0.0, speed + mu * v_n) : speed;
    ContactSolution s;
    ExactSolver(Method{}).solve(
        particle(v_n, speed * std::cos(heading), speed * std::sin(heading), mu, mu), s);
    EXPECT_NEAR(s.v[0], std::max(v_n, 0.0), 1e-15);
    EXPECT_NEAR(s.v[1], left * std::cos(heading), 1e-13);
    EXPECT_NEAR(s.v[2], left * std::sin(heading), 1e-13);
  }
}

TEST(ExactSolver, CopesWithATangentWithoutFriction) {
  ContactSolution s;
  ExactSolver(Method{}).solve(particle(-1, 3, 4, 0.5, 0), s);
  EXPECT_NEAR(s.v[1], 2.5, 1e-15);
  EXPECT_EQ(s.v[2], 4);
  ExactSolver(Method{}).solve(particle(-1, 3, 4, 0, 0.5), s);
  EXPECT_EQ(s.v[1], 3);
  EXPECT_NEAR(s.v[2], 3.5, 1e-15);
  ExactSolver(Method{}).solve(particle(-1, 3, 4, 0, 0), s);
  EXPECT_NEAR(s.v[0], 0, 1e-15);
  EXPECT_EQ(s.v[1], 3);
  EXPECT_EQ(s.v[2], 4);
}

// More corners, less error: a fixed part of it for four times as many, as polygons go.
TEST(ExactSolver, IsTheLimitOfPolyhedralCones) {
  Random random(15);
  double error[3] = {0, 0, 0};
  for (int trial = 0; trial < 30; ++trial) {
    ContactProblem problem =
        testing::randomSpatialProblem(random, {.bodies = 2, .patches = 2, .largest_mu = 0.4});
    ContactSolution exact;
    ASSERT_EQ(ExactSolver(Method{}).solve(problem, exact).status, SolveStatus::solved);
    for (int level = 0; level < 3; ++level) {
      problem.sets.changeAll([&](ImpulseSet& set) {
        set.kind = ImpulseSet::Kind::polyhedral;
        set.directions = 4 << (2 * level);
      });
      ContactSolution polyhedral;
      ASSERT_EQ(LemkeSolver(0, 64).solve(problem, polyhedral).status, SolveStatus::solved);
      for (std::size_t k = 0; k < exact.v.size(); ++k)
        error[level] = std::max(error[level], std::abs(exact.v[k] - polyhedral.v[k]));
    }
  }
  EXPECT_GT(error[0], 1e-2);
  EXPECT_LT(error[1], error[0] / 2);
  EXPECT_LT(error[2], error[1] / 2);
}

// The same in other units: velocities by a factor, masses by another one.
ContactProblem inUnits(ContactProblem problem, double velocity, double mass) {
  for (int b = 0; b < problem.M.blockCount(); ++b)
    for (int i = 0; i < problem.M.block(b).rows; ++i)
      for (double& m : problem.M.block(b).row(i)) m *= mass;
  for (auto* v : {&problem.v_free, &problem.v_old, &problem.b, &problem.drive, &problem.g})
    for (double& x : *v) x *= velocity;
  for (double& c : problem.compliance) c /= mass;
  problem.sets.changeAll([&](ImpulseSet& set) {
    set.lower *= mass * velocity;
    set.upper *= mass * velocity;
  });
  return problem;
}

TEST(ExactSolver, DoesNotDependOnUnits) {
  Random random(16);
  for (int trial = 0; trial < 30; ++trial) {
    const ContactProblem problem = testing::randomSpatialProblem(
        random,
        {.bodies = 3, .patches = 3, .points = 2, .largest_mu = 0.4, .springs = 2, .motors = 2});
    ContactSolution a, b;
    const SolveReport report = ExactSolver(Method{}).solve(problem, a);
    // Powers of two (of four for masses, whose roots are taken) change no bit.
    const double velocity = 0x1p-21, mass = 0x1p40;
    EXPECT_EQ(ExactSolver(Method{}).solve(inUnits(problem, velocity, mass), b).iterations,
              report.iterations);
    for (std::size_t k = 0; k < a.v.size(); ++k) EXPECT_EQ(b.v[k], velocity * a.v[k]);
    for (std::size_t k = 0; k < a.p.size(); ++k) EXPECT_EQ(b.p[k], mass * velocity * a.p[k]);
    // Others only round.
    ExactSolver(Method{}).solve(inUnits(problem, 3e5, 7e-9), b);
    for (std::size_t k = 0; k < a.v.size(); ++k) EXPECT_NEAR(b.v[k] / 3e5, a.v[k], 1e-9) << trial;
  }
}

TEST(ExactSolver, RepeatsItsBitsAndStartsWarm) {
  Random random(17);
  const ContactProblem problem =
      testing::randomSpatialProblem(random, {.bodies = 6, .patches = 10, .points = 2});
  ContactSolution a, b;
  ExactSolver first(Method{}), second(Method{});
  const long cold = first.solve(problem, a).iterations;
  second.solve(problem, b);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.p, b.p);
  EXPECT_GT(cold, 10);
  EXPECT_LE(first.solve(problem, a).iterations, 3);
}

void copyGroup(const BlockRows& from, int group, BlockRows& to) {
  to.addGroup(from.rowsOf(group));
  for (const BlockRows::Strip& strip : from.stripsOf(group)) {
    const StripValues entries = from.values(group, strip);
    const ConstMatrixView values = entries.view();
    const MatrixView copy = to.addStrip(strip.first_column, strip.columns);
    for (int i = 0; i < values.rows; ++i)
      for (int j = 0; j < values.columns; ++j) copy(i, j) = values(i, j);
  }
}

// The same contacts in another order, one gone and one new.
TEST(ExactSolver, FindsImpulsesOfContactsThatStay) {
  Random random(19);
  const ContactProblem before = testing::randomSpatialProblem(random, {.bodies = 6, .patches = 20});
  ContactProblem after = before;
  after.J.clear();
  after.sets.clear();
  after.contact_id.clear();
  const int last = before.contactCount() - 1;
  for (int i = last; i > 0; --i) {
    copyGroup(before.J, i, after.J);
    after.sets.push_back(before.sets[i]);
    after.contact_id.push_back(before.contact_id[i]);
  }
  copyGroup(before.J, last, after.J);
  after.sets.push_back(before.sets[last]);
  after.contact_id.push_back(1000);
  ContactSolution solution;
  ExactSolver warm(Method{}), cold(Method{});
  warm.solve(before, solution);
  const long warm_iterations = warm.solve(after, solution).iterations;
  EXPECT_LE(Certifier().certify(after, solution).worstResidual(), 1e-9);
  EXPECT_LT(warm_iterations, cold.solve(after, solution).iterations);
}

TEST(ExactSolver, HonoursItsBudget) {
  Random random(18);
  const ContactProblem problem =
      testing::randomSpatialProblem(random, {.bodies = 2, .patches = 12});
  for (const long budget : {1L, 31L, 60L}) {
    ContactSolution solution;
    const SolveReport report = ExactSolver(Method{.budget = budget}).solve(problem, solution);
    EXPECT_LE(report.iterations, budget);
    EXPECT_TRUE(Certifier().certify(problem, solution).finite);
    if (budget == 1) {
      EXPECT_EQ(report.status, SolveStatus::iteration_limit);
    }
  }
}

// Closing walls: no motion fits, and the answer says so.
TEST(ExactSolver, ReportsWhatHasNoSolution) {
  ContactProblem problem = particle(0, 1, 0, 0.3, 0.3);
  problem.J.addGroup(3);
  const MatrixView w = problem.J.addStrip(0, 3);
  w(0, 0) = -1;
  w(1, 1) = 1;
  w(2, 2) = -1;
  problem.sets.push_back(problem.sets[0]);
  problem.contact_id = {0, 1};
  problem.gap = {0, 0};
  problem.b = problem.drive = {-1, 0, 0, -1, 0, 0};
  ContactSolution solution;
  EXPECT_NE(ExactSolver(Method{}).solve(problem, solution).status, SolveStatus::solved);
  const Certificate certificate = Certifier().certify(problem, solution);
  EXPECT_TRUE(certificate.finite);
  EXPECT_FALSE(certificate.holds(1e-3));
}

}  // namespace
}  // namespace stickslip
