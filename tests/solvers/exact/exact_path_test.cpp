// The parts of the solver `exact` that hard problems need: local problems, interior point, paths.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cones/single_contact.hpp"
#include "solvers/exact/central_path.hpp"
#include "solvers/exact/exact_solver.hpp"
#include "solvers/interior_point/interior_point.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/problem_forms.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

TEST(ExactPath, LocalProblemsHaveTheSameAnswers) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const ContactProblem problem =
        testing::randomSpatialProblem(random, {.bodies = 4, .patches = 6, .largest_mu = 0.4});
    const LocalProblem local = localForm(problem);
    ContactSolution solution;
    std::vector<double> p;
    ExactSolver(Method{}).solve(problem, solution);
    ASSERT_EQ(ExactSolver(Method{}).solveLocal(local, p).status, SolveStatus::solved) << trial;
    EXPECT_LE(certifyLocal(local, p).residual, 1e-9) << trial;
    // Velocities are unique with little friction: compare W p.
    for (int i = 0; i < local.W.rows; ++i) {
      double difference = 0;
      for (std::size_t k = local.W.start[i]; k < local.W.start[i + 1]; ++k) {
        const std::size_t j = local.W.column[k];
        difference += local.W.value[k] * (p[j] - solution.p[j]);
      }
      EXPECT_NEAR(difference, 0, 1e-7) << trial;
    }
  }
}

// An island of a problem, and a search in it that has found nothing yet.
struct IslandSearch {
  explicit IslandSearch(const LocalProblem& local) {
    for (int i = 0; i < local.contactCount(); ++i) contacts.push_back(i);
    island.build(local, contacts, 1);
    point.resize(island.rowCount());
    point.evaluate(island);
    search.start(island, point, 1e-10, 100000);
  }
  std::vector<int> contacts;
  ScaledIsland island;
  Iterate point;
  Search search;
};

double residualAt(IslandSearch& s, std::span<const double> p) {
  Iterate point;
  point.resize(s.island.rowCount());
  point.p.assign(p.begin(), p.end());
  point.evaluate(s.island);
  return point.residual;
}

TEST(ExactPath, CentralPathsEndInSolutions) {
  Random random(2);
  int arrived = 0;
  for (int trial = 0; trial < 20; ++trial) {
    IslandSearch s(localForm(testing::randomSpatialProblem(
        random, {.bodies = 3, .patches = 4, .points = 3, .largest_mu = 1})));
    CentralPath path;
    ASSERT_TRUE(path.start(s.search, 300, 0)) << trial;
    if (path.follow(s.search, 1e-13, 1000) != CentralPath::Outcome::arrived) continue;
    ++arrived;
    EXPECT_LE(residualAt(s, path.impulses()), 1e-4) << trial;
  }
  EXPECT_GE(arrived, 19);
}

TEST(ExactPath, InteriorPointsComeCloseWhateverTheMasses) {
  for (const double ratio : {1.0, 1.4, 0.7}) {
    IslandSearch s(localForm(testing::towerProblem(12, ratio, 0.5, 0.01)));
    CoulombInteriorPoint interior;
    interior.start(s.island);
    EXPECT_TRUE(interior.run(s.search, 1e-6, 40)) << ratio;
    EXPECT_LE(s.search.iterations(), 40);
    EXPECT_LE(residualAt(s, interior.best().p), 1e-6);
  }
}

// A cone of four rows, as friction with torsion has it: the answer obeys the law.
TEST(ExactPath, SingleContactsOfManyRowsObeyTheLaw) {
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const int rows = random.integer(1, 6);
    const std::size_t n = rows;
    const std::vector<double> R = random.vector(n * n);
    std::vector<double> A(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) A[i * n + j] += R[i * n + k] * R[j * n + k];
    const std::vector<double> b = random.vector(n);
    SingleContact contact;
    contact.prepare({A.data(), rows, rows});
    std::vector<double> p(n), u(b), map(n);
    contact.solve(b, p);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) u[i] += A[i * n + k] * p[k];
    Cone cone;
    cone.rows = rows;
    naturalMap(cone, Law::coulomb, p, u, map);
    double size = 1;
    for (const double x : p) size = std::max(size, std::abs(x));
    for (const double x : map) EXPECT_NEAR(x, 0, 1e-9 * size) << trial;
  }
}

// Towers on which sweeps are hopeless.
TEST(ExactPath, SolvesTallTowers) {
  for (const double ratio : {1.0, 1.0 / 1.44, 1.44})
    for (const double shear : {0.0, 0.5}) {
      const ContactProblem problem = testing::towerProblem(20, ratio, 0.5, shear);
      ContactSolution solution;
      const SolveReport report = ExactSolver(Method{}).solve(problem, solution);
      EXPECT_EQ(report.status, SolveStatus::solved) << ratio << " " << shear;
      EXPECT_LE(report.iterations, 100) << ratio << " " << shear;
      EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-8);
    }
}

TEST(ExactPath, SolvesPolyhedralCones) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const ContactProblem problem = testing::randomSpatialProblem(
        random, {.bodies = 3, .patches = 5, .polyhedral = true, .springs = 1, .motors = 1});
    ContactSolution solution;
    EXPECT_EQ(ExactSolver(Method{}).solve(problem, solution).status, SolveStatus::solved) << trial;
    EXPECT_LE(Certifier().certify(problem, solution).worstResidual(), 1e-9) << trial;
  }
}

}  // namespace
}  // namespace stickslip
