// The lexicographic rule on problems made of ties: with a covering vector of ones nothing else
// keeps the path from cycling.
#include <gtest/gtest.h>

#include "problem/reduced_problem.hpp"
#include "solvers/lemke/dense_path.hpp"
#include "solvers/lemke/friction_lcp.hpp"
#include "support/contact_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

// Follows the path with d = 1 and checks that it ends in a solution.
void expectSolved(const Lcp& lcp, const std::string& what) {
  ScaledLcp scaled;
  scaled.scale(lcp);
  const std::vector<double> ones(lcp.q.size(), 1.0);
  DensePath path;
  path.start(scaled, ones);
  long pivots = 0;
  const DensePath::End end = path.follow(20000, pivots);
  std::vector<double> z(lcp.q.size());
  std::vector<int> support;
  path.readPoint(z, support);
  EXPECT_NE(end, DensePath::End::cycle) << what;
  EXPECT_NE(end, DensePath::End::limit) << what;
  EXPECT_LE(scaled.residual(z), 1e-9) << what;
}

// Problems on which taking the first of the tied rows, instead of the lexicographically least, goes
// round in circles for ever.
TEST(DensePath, DoesNotCycleWhereAPlainRatioTestDoes) {
  const std::vector<double> circulant{1, 2, 0, 0, 1, 2, 2, 0, 1}, minus_one(3, -1.0);
  expectSolved({{circulant.data(), 3, 3}, minus_one}, "circulant");
  const std::vector<double> N{2, 2, 0, -1, 2, 1, 2, 0, 0,  2,  -1, 2, 1,
                              2, 0, 2, -1, 0, 1, 0, 0, -1, -1, 2,  1};
  const std::vector<double> q{-1, -1, -1, 0, 0};
  expectSolved({{N.data(), 5, 5}, q}, "five rows");
}

// Any small whole numbers: the path may end in a ray, but it ends, and without coming back.
TEST(DensePath, NeverComesBackToABasis) {
  Random random(43);
  for (int trial = 0; trial < 100000; ++trial) {
    const int n = random.integer(3, 6);
    std::vector<double> N(std::size_t(n * n)), q(std::size_t(n), -1.0);
    for (double& x : N) x = random.integer(-1, 2);
    for (int i = 0; i < n; ++i) N[i * n + i] = random.integer(1, 2);
    for (std::size_t i = 1; i < q.size(); ++i) q[i] = random.integer(-1, 0);
    ScaledLcp scaled;
    scaled.scale({{N.data(), n, n}, q});
    DensePath path;
    path.start(scaled, std::vector<double>(q.size(), 1.0));
    long pivots = 0;
    const DensePath::End end = path.follow(1000, pivots);
    ASSERT_TRUE(end == DensePath::End::solution || end == DensePath::End::ray) << trial;
  }
}

// N = B B' + skew part + I in small whole numbers and q in {-2, -1, 0}: most ratio tests tie.
TEST(DensePath, EndsOnProblemsOfSmallWholeNumbers) {
  Random random(41);
  for (int trial = 0; trial < 2000; ++trial) {
    const int n = random.integer(2, 20);
    const auto size = std::size_t(n);
    std::vector<double> B(size * size), N(size * size), q(size);
    for (double& b : B) b = random.integer(-1, 1);
    for (double& x : q) x = random.integer(-2, 0);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t k = 0; k < size; ++k) N[i * size + j] += B[i * size + k] * B[j * size + k];
        if (i == j) N[i * size + j] += 1;
        if (i > j) {
          const double skew = random.integer(-1, 1);
          N[i * size + j] += skew;
          N[j * size + i] -= skew;
        }
      }
    expectSolved({{N.data(), n, n}, q}, "trial " + std::to_string(trial));
  }
}

// The same contact again and again: every copy ties with every other.
TEST(DensePath, EndsWhenContactsAreRepeated) {
  Random random(42);
  for (int trial = 0; trial < 500; ++trial) {
    ContactProblem problem =
        testing::randomContactProblem(random, {.velocities = 3, .contacts = 2});
    for (int copy = 0; copy < 3; ++copy)
      for (int i = 0; i < 2; ++i) {
        problem.J.addGroup(2);
        const MatrixView strip = problem.J.addStrip(0, 3);
        for (int row = 0; row < 2; ++row) {
          const auto original = testing::denseRow(problem.J, 2 * i + row, 3);
          for (int k = 0; k < 3; ++k) strip(row, k) = original[k];
        }
        problem.sets.push_back(problem.sets[i]);
        problem.b.insert(problem.b.end(), 2, 0.0);
      }
    ReducedProblem reduced;
    reduced.reduce(problem);
    FrictionLcp planar;
    planar.build(FrictionLcp::Form::cone, reduced.W(), reduced.q(), problem.J, problem.sets);
    expectSolved(planar.lcp(), "trial " + std::to_string(trial));
  }
}

}  // namespace
}  // namespace stickslip
