// Contact laws as pairs: the linear systems against a dense solution of all equations together.
#include "solvers/exact/law_pairs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "math/dense/cholesky.hpp"
#include "problem/islands.hpp"
#include "support/contact_problems.hpp"
#include "support/lcp_enumerator.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

// The first island of a problem.
struct Built {
  explicit Built(const ContactProblem& problem) : L(problem.M) {
    factorizeCholesky(L);
    islands.find(problem);
    island.build(problem, L, islands.contacts(0), islands.joints(0), 1);
    pairs.build(island);
  }
  BlockDiagonal L;
  Islands islands;
  ScaledIsland island;
  LawPairs pairs;
};

// w as a function of z alone.
std::vector<double> pairVelocities(Built& built, const std::vector<double>& z) {
  const std::size_t rows = built.island.rowCount();
  std::vector<double> p(rows), u(rows), w(z.size());
  built.pairs.impulses(z, p);
  built.island.velocity(p, u);
  built.pairs.velocities(u, z, w);
  return w;
}

// dw/dz, column by column; w is affine.
std::vector<double> denseMatrix(Built& built) {
  const std::size_t n = built.pairs.size();
  std::vector<double> z(n, 0.0), A(n * n);
  const std::vector<double> w_0 = pairVelocities(built, z);
  for (std::size_t j = 0; j < n; ++j) {
    z[j] = 1;
    const std::vector<double> w = pairVelocities(built, z);
    for (std::size_t i = 0; i < n; ++i) A[i * n + j] = w[i] - w_0[i];
    z[j] = 0;
  }
  return A;
}

double determinant(std::vector<double> A, std::size_t n) {
  double product = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[pivot * n + k])) pivot = i;
    if (pivot != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(A[k * n + j], A[pivot * n + j]);
      product = -product;
    }
    product *= A[k * n + k];
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] / A[k * n + k];
      for (std::size_t j = k; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
    }
  }
  return product;
}

void compareWithDense(const ContactProblem& problem, Random& random, int& negative) {
  Built built(problem);
  const std::size_t n = built.pairs.size();
  std::vector<double> a(n), rho = random.vector(n), dz(n, 0.0);
  for (double& value : a) value = std::pow(10.0, random.uniform(-4, 1));
  PairSystem system;
  ASSERT_TRUE(system.factor(built.pairs, built.island.W(), a));
  ASSERT_LE(system.solve(rho, dz), 1e-9);
  std::vector<double> A = denseMatrix(built);
  for (std::size_t k = 0; k < n; ++k) A[k * n + k] += a[k];
  const auto expected = testing::solveDense(A, rho);
  ASSERT_TRUE(expected.has_value());
  double size = 0;
  for (const double x : *expected) size = std::max(size, std::abs(x));
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(dz[k], (*expected)[k], 1e-7 * size);
  const double det = determinant(A, n);
  EXPECT_EQ(system.determinantSign(), det > 0 ? 1 : -1);
  negative += det < 0;
}

TEST(PairSystem, AgreesWithADenseSolutionInThePlane) {
  Random random(1);
  int negative = 0;
  for (int trial = 0; trial < 100; ++trial)
    compareWithDense(testing::randomContactProblem(random, {.velocities = 4,
                                                            .contacts = 4,
                                                            .joints = trial % 3,
                                                            .largest_mu = 10,
                                                            .some_frictionless = true}),
                     random, negative);
  EXPECT_GT(negative, 0);
}

TEST(PairSystem, AgreesWithADenseSolutionInSpace) {
  Random random(2);
  int negative = 0;
  for (int trial = 0; trial < 60; ++trial)
    compareWithDense(testing::randomSpatialProblem(random, {.bodies = 1,
                                                            .patches = 2,
                                                            .polyhedral = true,
                                                            .directions = 4 + 2 * (trial % 3),
                                                            .joints = trial % 2,
                                                            .springs = trial % 2,
                                                            .motors = 1}),
                     random, negative);
}

// All kinds of bounds: p between them, the sign of u where it is at one.
TEST(LawPairs, KnowsEveryKindOfInterval) {
  constexpr double kForever = std::numeric_limits<double>::infinity();
  const double bounds[][2] = {
      {-1, 2}, {0, kForever}, {-kForever, 0}, {0, 0}, {-kForever, kForever}};
  const int pairs[] = {2, 1, 1, 0, 0}, all[] = {2, 1, 1, 0, 1};
  for (std::size_t k = 0; k < 5; ++k) {
    ContactProblem problem;
    problem.M.resize(std::vector<int>{1});
    problem.M.block(0)(0, 0) = 1;
    problem.v_free = {1};
    problem.J.addGroup(1);
    problem.J.addStrip(0, 1)(0, 0) = 1;
    problem.b = {0};
    problem.sets = {{ImpulseSet::Kind::interval, 0, 0, 0, bounds[k][0], bounds[k][1]}};
    Built built(problem);
    EXPECT_EQ(built.pairs.pairCount(), pairs[k]);
    EXPECT_EQ(built.pairs.size(), all[k]);
    // At z = 0 the impulse is at a bound, or zero if there is none.
    std::vector<double> p(1), z(static_cast<std::size_t>(all[k]), 0.0);
    built.pairs.impulses(z, p);
    EXPECT_DOUBLE_EQ(p[0], k == 0 ? -1 : 0);
  }
}

}  // namespace
}  // namespace stickslip
