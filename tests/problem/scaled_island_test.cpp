// Islands in coordinates without units: W as an operator against dense algebra, in both forms, and
// the way back to impulses.
#include "problem/scaled_island.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/dense/cholesky.hpp"
#include "problem/islands.hpp"
#include "problem/reduced_problem.hpp"
#include "support/lcp_enumerator.hpp"
#include "support/local_problems.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;
using testing::SpatialShape;

std::vector<ScaledIsland> islandsOf(const ContactProblem& problem) {
  BlockDiagonal L = problem.M;
  factorizeCholesky(L);
  Islands islands;
  islands.find(problem);
  std::vector<ScaledIsland> out(std::size_t(islands.count()));
  for (int k = 0; k < islands.count(); ++k)
    out[k].build(problem, L, islands.contacts(k), islands.joints(k), 1);
  return out;
}

std::vector<double> denseOperator(const Delassus& W) {
  const auto n = std::size_t(W.rowCount());
  std::vector<double> dense(n * n), unit(n), column(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[j] = 1;
    W.apply(unit, column);
    for (std::size_t i = 0; i < n; ++i) dense[i * n + j] = column[i];
  }
  return dense;
}

// By Gaussian elimination with partial pivoting.
int signOfDeterminant(std::vector<double> A, std::size_t n) {
  int sign = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[pivot * n + k])) pivot = i;
    if (pivot != k) {
      sign = -sign;
      for (std::size_t j = 0; j < n; ++j) std::swap(A[k * n + j], A[pivot * n + j]);
    }
    if (A[k * n + k] < 0) sign = -sign;
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = n; j-- > k;) A[i * n + j] -= A[i * n + k] / A[k * n + k] * A[k * n + j];
  }
  return sign;
}

// Random blocks; diagonal where a row may be compliant.
std::vector<double> randomBlocks(Random& random, const Delassus& W, bool symmetric) {
  std::vector<double> S(W.blockEntries(), 0.0);
  for (int cone = 0; cone < W.coneCount(); ++cone) {
    const int n = W.rowsOf(cone);
    double* block = S.data() + W.firstOfBlock(cone);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) block[i * n + j] = symmetric ? 0 : 0.3 * random.uniform();
    for (int i = 0; i < n; ++i) block[i * (n + 1)] += random.uniform(0, 3);
  }
  return S;
}

// d_u from (I + W S) d_u = W r + s by dense elimination.
void expectSolved(Random& random, Delassus& W, bool symmetric) {
  const auto n = std::size_t(W.rowCount());
  const std::vector<double> dense = denseOperator(W), S = randomBlocks(random, W, symmetric);
  const std::vector<double> r = random.vector(n), s = random.vector(n);
  std::vector<double> A(n * n, 0.0), b = s;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) b[i] += dense[i * n + j] * r[j];
    for (int cone = 0; cone < W.coneCount(); ++cone) {
      const int m = W.rowsOf(cone), first = W.firstRow(cone);
      for (int k = 0; k < m; ++k)
        for (int j = 0; j < m; ++j)
          A[i * n + std::size_t(first + j)] += dense[i * n + std::size_t(first + k)] *
                                               S[W.firstOfBlock(cone) + std::size_t(k * m + j)];
    }
    A[i * n + i] += 1;
  }
  const std::vector<double> expected = *testing::solveDense(A, b);
  std::vector<double> d_p(n), d_u(n);
  ASSERT_TRUE(W.factor(S, symmetric ? Delassus::Symmetry::symmetric : Delassus::Symmetry::general));
  EXPECT_LE(W.solve(r, s, d_p, d_u), 1e-12);
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(d_u[k], expected[k], 1e-9);
  if (!symmetric) {
    EXPECT_EQ(W.determinantSign(), signOfDeterminant(A, n));
  }
}

SpatialShape anyShape(Random& random) {
  return {.bodies = random.integer(1, 8),
          .patches = random.integer(1, 8),
          .points = random.integer(1, 4),
          .polyhedral = random.integer(0, 1) == 1,
          .mass_ratio = 100,
          .joints = random.integer(0, 2),
          .springs = random.integer(0, 2),
          .motors = random.integer(0, 2),
          .frictionless = random.integer(0, 1) == 1};
}

TEST(ScaledIsland, SolvesNewtonSystemsInVelocitySpace) {
  Random random(1);
  for (int trial = 0; trial < 60; ++trial)
    for (ScaledIsland& island : islandsOf(testing::randomSpatialProblem(random, anyShape(random))))
      for (const bool symmetric : {true, false}) expectSolved(random, island.W(), symmetric);
}

TEST(ScaledIsland, SolvesNewtonSystemsWithAGivenMatrix) {
  Random random(2);
  for (int trial = 0; trial < 60; ++trial) {
    SpatialShape shape = anyShape(random);
    shape.joints = shape.springs = 0;
    const LocalProblem problem = testing::localForm(testing::randomSpatialProblem(random, shape));
    Islands islands;
    islands.find(problem);
    for (int k = 0; k < islands.count(); ++k) {
      ScaledIsland island;
      island.build(problem, islands.contacts(k), 1);
      expectSolved(random, island.W(), false);
    }
  }
}

TEST(ScaledIsland, BothFormsAreTheSameProblem) {
  Random random(3);
  for (int trial = 0; trial < 30; ++trial) {
    SpatialShape shape = anyShape(random);
    shape.joints = shape.springs = 0;
    const ContactProblem problem = testing::randomSpatialProblem(random, shape);
    const LocalProblem local = testing::localForm(problem);
    std::vector<ScaledIsland> islands = islandsOf(problem);
    Islands local_islands;
    local_islands.find(local);
    ASSERT_EQ(islands.size(), std::size_t(local_islands.count()));
    for (int k = 0; k < local_islands.count(); ++k) {
      ScaledIsland& a = islands[k];
      ScaledIsland b;
      b.build(local, local_islands.contacts(k), 1);
      const auto n = std::size_t(a.rowCount());
      ASSERT_EQ(n, std::size_t(b.rowCount()));
      const std::vector<double> scaled_p = random.vector(n);
      std::vector<double> omega_a(n), omega_b(n);
      a.velocity(scaled_p, omega_a);
      b.velocity(scaled_p, omega_b);
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(omega_a[i], omega_b[i], 1e-12);
    }
  }
}

TEST(ScaledIsland, ScalesContactsToUnitConesAndUnitMass) {
  Random random(4);
  for (ScaledIsland& island :
       islandsOf(testing::randomSpatialProblem(random, {.bodies = 9, .patches = 9}))) {
    for (int cone = 0; cone < island.W().coneCount(); ++cone) {
      const int n = island.W().rowsOf(cone);
      std::vector<double> block(std::size_t(n * n));
      island.W().diagonalBlock(cone, {block.data(), n, n});
      double trace = 0;
      for (int k = 0; k < n; ++k) trace += block[k * (n + 1)];
      EXPECT_NEAR(trace / n, 1, 1e-12);
    }
    std::vector<double> q(island.q().begin(), island.q().end());
    const double largest = *std::max_element(
        q.begin(), q.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    EXPECT_GE(std::abs(largest), 1);
    EXPECT_LT(std::abs(largest), 2);
  }
}

// u = W p + q in the problem's own units, with joints held: natural map zero there means zero here.
TEST(ScaledIsland, TakesImpulsesThereAndBack) {
  Random random(5);
  const ContactProblem problem =
      testing::randomSpatialProblem(random, {.bodies = 5, .patches = 6, .joints = 1, .motors = 1});
  std::vector<double> p(problem.b.size()), c(problem.g.size());
  for (ScaledIsland& island : islandsOf(problem)) {
    const std::vector<double> scaled_p = random.vector(std::size_t(island.rowCount()));
    std::vector<double> back(scaled_p.size());
    island.toImpulses(scaled_p, p, c);
    island.fromImpulses(p, c, back);
    for (std::size_t k = 0; k < scaled_p.size(); ++k) EXPECT_NEAR(back[k], scaled_p[k], 1e-14);
  }
}

TEST(ScaledIsland, SweepsKeepTheVelocityUpToDate) {
  Random random(6);
  for (ScaledIsland& island : islandsOf(testing::randomSpatialProblem(
           random, {.bodies = 6, .patches = 8, .joints = 1, .springs = 1}))) {
    Delassus& W = island.W();
    std::vector<double> scaled_p = random.vector(std::size_t(W.rowCount())),
                        expected(scaled_p.size());
    W.startSweeps(scaled_p);
    for (int cone = 0; cone < W.coneCount(); ++cone) {
      const std::vector<double> change = random.vector(std::size_t(W.rowsOf(cone)));
      for (std::size_t k = 0; k < change.size(); ++k) scaled_p[W.firstRow(cone) + k] += change[k];
      W.sweepChange(cone, change);
    }
    W.apply(scaled_p, expected);
    for (int cone = 0; cone < W.coneCount(); ++cone) {
      std::vector<double> scaled_u(std::size_t(W.rowsOf(cone)));
      W.sweepVelocity(cone, scaled_u);
      for (std::size_t k = 0; k < scaled_u.size(); ++k)
        EXPECT_NEAR(scaled_u[k], expected[W.firstRow(cone) + k], 1e-12);
    }
  }
}

TEST(Islands, ContactsThatNothingMovesAreInNone) {
  ContactProblem problem;
  problem.M.resize(std::vector<int>{3, 3});
  for (int b = 0; b < 2; ++b)
    for (int k = 0; k < 3; ++k) problem.M.block(b)(k, k) = 1;
  problem.v_free.assign(6, 0.0);
  const auto touch = [&](std::vector<int> blocks, double value) {
    problem.J.addGroup(1);
    for (const int b : blocks) problem.J.addStrip(3 * b, 3)(0, 1) = value;
    problem.sets.push_back({});
    problem.b.push_back(0);
  };
  touch({}, 1);
  touch({1}, 1);
  touch({0, 1}, 0);
  touch({0}, 1);
  Islands islands;
  islands.find(problem);
  ASSERT_EQ(islands.count(), 2);
  EXPECT_EQ(islands.contacts(0).size(), 1u);
  EXPECT_EQ(islands.contacts(0)[0], 1);
  EXPECT_EQ(islands.contacts(1)[0], 3);
}

}  // namespace
}  // namespace stickslip
