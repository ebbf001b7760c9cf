// Solver `accelerated`: against the certificate, other solvers and brute force, and what it
// promises: the same bits for any number of threads and any width of vectors, budgets, units.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"
#include "stickslip/threads.hpp"
#include "support/contact_problems.hpp"
#include "support/dense_relaxed.hpp"
#include "support/local_problems.hpp"
#include "support/pile_problems.hpp"
#include "support/planar_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::largestDifference;
using testing::Random;
using testing::randomContactProblem;
using testing::randomPlanarProblem;
using testing::randomSpatialProblem;

std::unique_ptr<Solver> makeNamed(const char* name, double tolerance, long budget = 0) {
  Method method;
  method.solver = name;
  method.tolerance = tolerance;
  method.budget = budget;
  return makeSolver(method);
}

struct AcceleratedOutcome {
  SolveReport report;
  ContactSolution solution;
  Certificate certificate;
};

AcceleratedOutcome solveBy(ContactProblem problem, Law law, double tolerance = 1e-6,
                           long budget = 0, const char* name = "accelerated") {
  problem.law = law;
  AcceleratedOutcome out;
  out.report = makeNamed(name, tolerance, budget)->solve(problem, out.solution);
  out.certificate = Certifier().residuals(problem, out.solution);
  return out;
}

void expectBothLaws(const ContactProblem& problem, const std::string& what) {
  for (const Law law : {Law::relaxed, Law::coulomb}) {
    const AcceleratedOutcome out = solveBy(problem, law);
    EXPECT_EQ(out.report.status, SolveStatus::solved) << what << static_cast<int>(law);
    EXPECT_TRUE(out.certificate.lawHolds(1e-6))
        << what << static_cast<int>(law) << " " << out.certificate.worstResidual();
  }
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(Accelerated, SolvesRandomProblemsOfEveryKindWithBothLaws) {
  for (int k = 0; k < 12; ++k) {
    Random random(static_cast<std::uint64_t>(1000 + k));
    const std::string seed = std::to_string(k) + " ";
    expectBothLaws(randomContactProblem(random, testing::mixedShape(k)),
                   "generalized coordinates " + seed);
    expectBothLaws(randomSpatialProblem(random, {.bodies = 2 + k % 4,
                                                 .patches = 1 + k % 5,
                                                 .points = 1 + k % 3,
                                                 .circular = k % 2 == 0,
                                                 .restitution = true}),
                   "elliptic " + seed);
    expectBothLaws(randomSpatialProblem(random, testing::jointedShape(k)),
                   "joints, springs and motors " + seed);
    expectBothLaws(randomSpatialProblem(random, {.bodies = 2 + k % 4,
                                                 .patches = 1 + k % 4,
                                                 .polyhedral = k % 2 == 0,
                                                 .circular = k % 4 < 2,
                                                 .torsion = k % 3 > 0 ? 0.3 : 0.0,
                                                 .rolling = k % 3 != 1 ? 0.2 : 0.0,
                                                 .load_independent = k % 4 == 3}),
                   "moments " + seed);
    expectBothLaws(randomPlanarProblem(random, {.bodies = 2 + k % 4,
                                                .contacts = 2 + k % 6,
                                                .rolling = k % 3 > 0 ? 0.2 : 0.0,
                                                .load_independent = k % 4 == 3}),
                   "planar " + seed);
  }
}

TEST(Accelerated, SolvesPilesAndTowers) {
  Random random(7);
  for (const double mu : {0.05, 0.4}) {
    expectBothLaws(testing::cannonballPile(6, mu, 0.05, 0, random), "pile ");
    expectBothLaws(testing::towerProblem(4, 1, mu, 0.3), "tower ");
  }
}

TEST(Accelerated, FindsTheVelocitiesOfConvex) {
  for (int k = 0; k < 10; ++k) {
    Random random(static_cast<std::uint64_t>(300 + k));
    const ContactProblem problem = randomSpatialProblem(random, {.bodies = 3,
                                                                 .patches = 5,
                                                                 .points = 1 + k % 3,
                                                                 .polyhedral = k % 3 == 1,
                                                                 .circular = k % 2 == 0,
                                                                 .largest_mu = 0.8,
                                                                 .joints = k % 3,
                                                                 .motors = k % 2});
    const AcceleratedOutcome convex = solveBy(problem, Law::relaxed, 1e-9, 0, "convex");
    const AcceleratedOutcome accelerated = solveBy(problem, Law::relaxed, 1e-9, 50000);
    EXPECT_LE(largestDifference(accelerated.solution.v, convex.solution.v), 1e-6) << k;
  }
}

// Little friction: there is one solution.
TEST(Accelerated, FindsTheVelocitiesOfExact) {
  for (int k = 0; k < 10; ++k) {
    Random random(static_cast<std::uint64_t>(400 + k));
    const ContactProblem problem = randomSpatialProblem(
        random, {.bodies = 3, .patches = 4, .largest_mu = 0.2, .joints = k % 2});
    const AcceleratedOutcome exact = solveBy(problem, Law::coulomb, 1e-9, 0, "exact");
    const AcceleratedOutcome accelerated = solveBy(problem, Law::coulomb, 1e-9, 50000);
    EXPECT_LE(largestDifference(accelerated.solution.v, exact.solution.v), 1e-6) << k;
  }
}

TEST(Accelerated, AgreesWithDenseProjectedGradients) {
  for (int k = 0; k < 4; ++k) {
    Random random(static_cast<std::uint64_t>(50 + k));
    const ContactProblem problem = randomSpatialProblem(random, {.bodies = 2,
                                                                 .patches = 3,
                                                                 .polyhedral = k % 2 == 1,
                                                                 .directions = 6,
                                                                 .circular = k % 3 == 0,
                                                                 .largest_mu = 0.8,
                                                                 .motors = k % 2});
    const std::vector<double> reference = testing::relaxedVelocities(problem, 2000);
    EXPECT_LE(largestDifference(solveBy(problem, Law::relaxed, 1e-8).solution.v, reference), 1e-6)
        << k;
  }
}

TEST(Accelerated, SolvesProblemsWithoutBodies) {
  for (int k = 0; k < 6; ++k) {
    Random random(static_cast<std::uint64_t>(70 + k));
    for (const Law law : {Law::relaxed, Law::coulomb}) {
      ContactProblem problem = randomSpatialProblem(random, {.bodies = 3,
                                                             .patches = 4,
                                                             .polyhedral = k % 2 == 1,
                                                             .circular = k % 3 > 0,
                                                             .torsion = k % 2 == 0 ? 0.2 : 0.0,
                                                             .load_independent = k == 5});
      problem.law = law;
      const LocalProblem local = testing::localForm(problem);
      std::vector<double> p;
      EXPECT_EQ(makeNamed("accelerated", 1e-7)->solveLocal(local, p).status, SolveStatus::solved);
      EXPECT_LE(certifyLocal(local, p).residual, 1e-7) << k;
    }
  }
}

// Powers of two go through without a rounding.
TEST(Accelerated, UnitsChangeNothing) {
  Random random(9);
  const ContactProblem problem = randomSpatialProblem(
      random,
      {.bodies = 4, .patches = 6, .points = 2, .mass_ratio = 10, .restitution = true, .joints = 1});
  for (const Law law : {Law::relaxed, Law::coulomb}) {
    const AcceleratedOutcome plain = solveBy(problem, law);
    for (const double mass : {0x1p-30, 1.7e7, 0x1p24})
      for (const double speed : {0x1p-26, 3.1e-9, 0x1p20}) {
        ContactProblem scaled = problem;
        for (int b = 0; b < scaled.M.blockCount(); ++b)
          for (int i = 0; i < 6; ++i)
            for (double& entry : scaled.M.block(b).row(i)) entry *= mass;
        for (auto* x : {&scaled.v_free, &scaled.v_old, &scaled.b, &scaled.g})
          for (double& value : *x) value *= speed;
        const AcceleratedOutcome out = solveBy(scaled, law);
        EXPECT_TRUE(out.certificate.lawHolds(1e-6));
        const bool exact = mass != 1.7e7 && speed != 3.1e-9;
        if (exact) {
          EXPECT_EQ(out.report.iterations, plain.report.iterations);
        }
        for (std::size_t k = 0; k < plain.solution.v.size(); ++k)
          EXPECT_NEAR(out.solution.v[k] / speed, plain.solution.v[k], exact ? 0.0 : 1e-5);
      }
  }
}

TEST(Accelerated, GivesTheSameBitsForEveryNumberOfThreads) {
  Random random(11);
  const ContactProblem problem = randomSpatialProblem(random, {.bodies = 500,
                                                               .patches = 2500,
                                                               .largest_mu = 0.5,
                                                               .joints = 60,
                                                               .springs = 40,
                                                               .motors = 60});
  for (const Law law : {Law::relaxed, Law::coulomb}) {
    const AcceleratedOutcome one = solveBy(problem, law, 1e-6, 12);
    for (const int threads : {2, 4, 8}) {
      setThreadCount(threads);
      const AcceleratedOutcome many = solveBy(problem, law, 1e-6, 12);
      setThreadCount(1);
      EXPECT_TRUE(sameBits(one.solution.p, many.solution.p)) << threads;
      EXPECT_TRUE(sameBits(one.solution.c, many.solution.c)) << threads;
      EXPECT_TRUE(sameBits(one.solution.v, many.solution.v)) << threads;
    }
    EXPECT_GT(largestDifference(one.solution.p, std::vector<double>(one.solution.p.size())), 0.1);
  }
}

// More than there are colours.
TEST(Accelerated, TakesBodiesWithManyContacts) {
  Random random(12);
  const ContactProblem problem =
      randomSpatialProblem(random, {.bodies = 2, .patches = 40, .points = 4, .largest_mu = 0.3});
  EXPECT_EQ(problem.contactCount(), 160);
  const AcceleratedOutcome out = solveBy(problem, Law::relaxed, 1e-4);
  EXPECT_TRUE(out.certificate.lawHolds(1e-4)) << out.certificate.worstResidual();
}

TEST(Accelerated, KeepsTheBudgetAndTheBestPoint) {
  Random random(5);
  const ContactProblem problem = testing::cannonballPile(8, 0.3, 0.05, 0.1, random);
  for (const Law law : {Law::relaxed, Law::coulomb}) {
    double last = std::numeric_limits<double>::infinity();
    for (const long budget : {1L, 3L, 10L, 30L, 100L}) {
      const AcceleratedOutcome out = solveBy(problem, law, 1e-10, budget);
      EXPECT_EQ(out.report.iterations, budget);
      EXPECT_EQ(out.report.status, SolveStatus::iteration_limit);
      EXPECT_TRUE(out.certificate.finite);
      EXPECT_LE(out.certificate.residual, last * (1 + 1e-9));
      last = out.certificate.residual;
    }
    EXPECT_LE(last, 0.05);
  }
}

TEST(Accelerated, ToleranceDecidesTheWork) {
  Random random(6);
  const ContactProblem problem = testing::cannonballPile(8, 0.3, 0.05, 0.1, random);
  long last = 0;
  for (const double tolerance : {1e-2, 1e-4, 1e-7}) {
    const AcceleratedOutcome out = solveBy(problem, Law::relaxed, tolerance);
    EXPECT_LE(out.certificate.worstResidual(), tolerance);
    EXPECT_GT(out.report.iterations, last);
    last = out.report.iterations;
  }
}

TEST(Accelerated, WarmStartsSaveWorkAndBadOnesAreNotTaken) {
  Random random(4);
  ContactProblem problem = testing::cannonballPile(8, 0.3, 0.05, 0, random);
  for (const Law law : {Law::relaxed, Law::coulomb}) {
    problem.law = law;
    const auto solver = makeNamed("accelerated", 1e-5);
    ContactSolution solution;
    const long cold = solver->solve(problem, solution).iterations;
    EXPECT_GT(cold, 10);
    EXPECT_EQ(solver->solve(problem, solution).iterations, 0);
    // Gravity the other way: nothing touches, and the last impulses would be wrong.
    ContactProblem away = problem;
    for (double& v : away.v_free) v = -v;
    EXPECT_EQ(solver->solve(away, solution).status, SolveStatus::solved);
    EXPECT_LE(Certifier().certify(away, solution).worstResidual(), 1e-5);
    solver->solve(problem, solution);
    solver->restart();
    EXPECT_EQ(solver->solve(problem, solution).iterations, cold);
  }
}

TEST(Accelerated, RestStaysAtRest) {
  Random random(2);
  ContactProblem problem =
      randomSpatialProblem(random, {.bodies = 3, .patches = 4, .joints = 1, .springs = 1});
  for (auto* x : {&problem.v_free, &problem.g}) std::fill(x->begin(), x->end(), 0.0);
  const AcceleratedOutcome out = solveBy(problem, Law::coulomb);
  EXPECT_EQ(out.report.status, SolveStatus::solved);
  EXPECT_EQ(out.report.iterations, 0);
  for (const double v : out.solution.v) EXPECT_EQ(v, 0);
}

// Two walls that close on a particle.
TEST(Accelerated, SaysThatItFoundNothingWhereNoMotionFits) {
  ContactProblem problem;
  problem.M.resize(std::vector<int>{1});
  problem.M.block(0)(0, 0) = 1;
  problem.v_free = {0.3};
  problem.v_old = problem.v_free;
  for (const double normal : {1.0, -1.0}) {
    problem.J.addGroup(1);
    problem.J.addStrip(0, 1)(0, 0) = normal;
    problem.sets.push_back({});
    problem.b.push_back(-1);
    problem.drive.push_back(0);
    problem.gap.push_back(0);
  }
  const AcceleratedOutcome out = solveBy(problem, Law::relaxed, 1e-6, 200);
  EXPECT_EQ(out.report.status, SolveStatus::iteration_limit);
  EXPECT_TRUE(out.certificate.finite);
}

}  // namespace
}  // namespace stickslip
