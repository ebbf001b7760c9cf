// Solver `sweeps`: where it arrives after many sweeps, and what it promises for few.
#include <gtest/gtest.h>

#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"
#include "stickslip/threads.hpp"
#include "support/effort.hpp"
#include "support/local_problems.hpp"
#include "support/pile_problems.hpp"
#include "support/planar_problems.hpp"
#include "support/spatial_problems.hpp"
#include "support/sphere_box.hpp"

namespace stickslip {
namespace {

using testing::Random;

std::unique_ptr<Solver> sweeps(long count) {
  Method method;
  method.solver = "sweeps";
  method.budget = count;
  return makeSolver(method);
}

double residualAfter(long count, const ContactProblem& problem) {
  ContactSolution solution;
  sweeps(count)->solve(problem, solution);
  return Certifier().certify(problem, solution).worstResidual();
}

// How many of `count` random problems many sweeps solve to 1e-7.
template <class Make>
int solvedBySweeps(int count, std::uint64_t seed, Make make) {
  Random random(seed);
  int solved = 0;
  for (int k = 0; k < count; ++k) solved += residualAfter(3000, make(random)) <= 1e-7 ? 1 : 0;
  return solved;
}

TEST(Sweeps, ArriveWhereContactsAreFew) {
  const int count = testing::trials(50);
  EXPECT_EQ(solvedBySweeps(count, 1,
                           [](Random& random) {
                             return testing::randomSpatialProblem(
                                 random, {.bodies = 3, .patches = 4, .largest_mu = 0.5});
                           }),
            count);
  EXPECT_EQ(solvedBySweeps(count, 2,
                           [](Random& random) {
                             return testing::randomSpatialProblem(
                                 random,
                                 {.bodies = 3, .patches = 4, .circular = false, .largest_mu = 0.5});
                           }),
            count);
  EXPECT_EQ(solvedBySweeps(count, 3,
                           [](Random& random) {
                             return testing::randomPlanarProblem(random,
                                                                 {.bodies = 4, .contacts = 4});
                           }),
            count);
}

// Joints, motors, springs, and every kind of friction that packets do not take.
TEST(Sweeps, ArriveWithEveryKindOfItem) {
  const int count = testing::trials(30);
  EXPECT_GE(solvedBySweeps(count, 4,
                           [](Random& random) {
                             return testing::randomSpatialProblem(random, {.bodies = 4,
                                                                           .patches = 3,
                                                                           .largest_mu = 0.4,
                                                                           .joints = 1,
                                                                           .springs = 1,
                                                                           .motors = 1,
                                                                           .frictionless = true});
                           }),
            count - 1);
  EXPECT_GE(
      solvedBySweeps(
          count, 5,
          [](Random& random) {
            return testing::randomSpatialProblem(
                random,
                {.bodies = 3, .patches = 3, .largest_mu = 0.4, .torsion = 0.1, .rolling = 0.1});
          }),
      count - 1);
  EXPECT_GE(solvedBySweeps(
                count, 6,
                [](Random& random) {
                  return testing::randomSpatialProblem(
                      random, {.bodies = 3, .patches = 3, .polyhedral = true, .largest_mu = 0.4});
                }),
            count - 1);
}

TEST(Sweeps, RelaxedLawAgreesWithConvex) {
  Random random(7);
  for (int trial = 0; trial < testing::trials(30); ++trial) {
    ContactProblem problem =
        testing::randomSpatialProblem(random, {.bodies = 3, .patches = 4, .largest_mu = 0.5});
    problem.law = Law::relaxed;
    Method method;
    method.solver = "convex";
    method.law = Law::relaxed;
    ContactSolution by_convex, by_sweeps;
    makeSolver(method)->solve(problem, by_convex);
    sweeps(3000)->solve(problem, by_sweeps);
    ASSERT_LE(Certifier().certify(problem, by_convex).worstResidual(), 1e-8);
    for (std::size_t k = 0; k < by_convex.v.size(); ++k)
      EXPECT_NEAR(by_sweeps.v[k], by_convex.v[k], 1e-5);
  }
}

// More sweeps, smaller residual; a warm start is worth many of them.
TEST(Sweeps, ConvergeInAPile) {
  Random random(8);
  const ContactProblem problem = testing::cannonballPile(6, 0.3, 0.05, 0.1, random);
  const double few = residualAfter(10, problem), many = residualAfter(1000, problem);
  EXPECT_LT(many, 1e-2 * few);
  const auto solver = sweeps(10);
  ContactSolution solution;
  for (int k = 0; k < 100; ++k) solver->solve(problem, solution);
  EXPECT_LT(Certifier().certify(problem, solution).worstResidual(), 2 * many);
}

TEST(Sweeps, ReportTheirNumberAndWhetherTheyArrived) {
  Random random(9);
  ContactSolution solution;
  const ContactProblem pile = testing::cannonballPile(6, 0.3, 0.05, 0.1, random);
  const SolveReport few = sweeps(7)->solve(pile, solution);
  EXPECT_EQ(few.iterations, 7);
  EXPECT_EQ(few.status, SolveStatus::iteration_limit);
  const ContactProblem one = testing::randomSpatialProblem(random, {.bodies = 1, .patches = 1});
  EXPECT_EQ(sweeps(5)->solve(one, solution).status, SolveStatus::solved);
  EXPECT_EQ(sweeps(0)->solve(one, solution).iterations, 20);
}

// Momentum is balanced whatever the number of sweeps.
TEST(Sweeps, FewSweepsKeepMomentum) {
  Random random(10);
  for (int trial = 0; trial < 10; ++trial) {
    const ContactProblem problem = testing::randomSpatialProblem(
        random, {.bodies = 6, .patches = 12, .points = 4, .mass_ratio = 1000, .joints = 1});
    ContactSolution solution;
    sweeps(3)->solve(problem, solution);
    EXPECT_LE(Certifier().certify(problem, solution).momentum_residual, 1e-12);
  }
}

// Bodies with full inertia matrices: rows are scaled block by block.
TEST(Sweeps, MassesNeedNotBeDiagonal) {
  Random random(11);
  ContactProblem problem =
      testing::randomSpatialProblem(random, {.bodies = 3, .patches = 4, .largest_mu = 0.3});
  for (int block = 0; block < problem.M.blockCount(); ++block) {
    const MatrixView M = problem.M.block(block);
    for (const auto& [i, j] : {std::pair{4, 3}, std::pair{5, 3}, std::pair{5, 4}})
      M(i, j) = M(j, i) = 0.2 * std::min(M(i, i), M(j, j)) * random.uniform();
  }
  EXPECT_LE(residualAfter(3000, problem), 1e-8);
}

TEST(Sweeps, DoNotDependOnUnits) {
  Random random(12);
  const ContactProblem problem =
      testing::randomSpatialProblem(random, {.bodies = 5, .patches = 9, .joints = 1});
  ContactSolution solution, scaled_solution;
  sweeps(6)->solve(problem, solution);
  ContactProblem scaled = problem;
  constexpr double kMass = 1 << 20, kVelocity = 1.0 / 64;
  for (int block = 0; block < scaled.M.blockCount(); ++block) {
    const MatrixView M = scaled.M.block(block);
    for (int k = 0; k < M.rows * M.rows; ++k) M.data[k] *= kMass * kMass;
  }
  for (auto* values : {&scaled.v_free, &scaled.v_old, &scaled.b, &scaled.g})
    for (double& x : *values) x *= kVelocity;
  sweeps(6)->solve(scaled, scaled_solution);
  for (std::size_t k = 0; k < solution.v.size(); ++k)
    EXPECT_EQ(scaled_solution.v[k], kVelocity * solution.v[k]);
}

TEST(Sweeps, SameBitsForAnyNumberOfThreads) {
  const testing::SphereBox box = testing::settledSpheres(testing::kSanitized ? 5 : 8, 0.5, 60);
  const ContactProblem problem = box.nextProblem();
  ContactSolution on_one;
  sweeps(20)->solve(problem, on_one);
  for (const int threads : {2, 4, 8}) {
    setThreadCount(threads);
    ContactSolution on_these;
    sweeps(20)->solve(problem, on_these);
    EXPECT_EQ(on_these.v, on_one.v);
    EXPECT_EQ(on_these.p, on_one.p);
  }
  setThreadCount(1);
}

// A plate with a hundred balls on it: more contacts than colours.
TEST(Sweeps, OneBodyMayHaveManyContacts) {
  Random random(13);
  ContactProblem problem = testing::randomSpatialProblem(random, {.bodies = 101, .patches = 0});
  for (int ball = 1; ball <= 100; ++ball) {
    problem.J.addGroup(1);
    problem.J.addStrip(0, 6)(0, 2) = -1;
    problem.J.addStrip(6 * ball, 6)(0, 2) = 1;
    problem.b.push_back(0);
    problem.sets.push_back({});
    problem.contact_id.push_back(static_cast<std::uint64_t>(ball));
  }
  problem.gap.assign(100, 0.0);
  problem.drive.assign(100, 0.0);
  EXPECT_LE(residualAfter(2000, problem), 1e-8);
}

TEST(Sweeps, LocalProblems) {
  Random random(14);
  const ContactProblem problem =
      testing::randomSpatialProblem(random, {.bodies = 3, .patches = 3, .largest_mu = 0.4});
  const LocalProblem local = testing::localForm(problem);
  std::vector<double> p;
  EXPECT_EQ(sweeps(2000)->solveLocal(local, p).iterations, 2000);
  EXPECT_LE(certifyLocal(local, p).residual, 1e-8);
}

}  // namespace
}  // namespace stickslip
