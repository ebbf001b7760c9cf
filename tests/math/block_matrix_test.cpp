// Blocks that are stored once, and rows that grow.
#include "stickslip/block_matrix.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"
#include "problem/mass_factor.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"
#include "support/random.hpp"
#include "support/spatial_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

TEST(BlockIndex, FindsTheBlockOfARow) {
  for (const std::vector<int>& sizes :
       {std::vector{6, 6, 6}, std::vector{3, 3}, std::vector{2, 2}, std::vector{3, 1, 6, 6}}) {
    detail::BlockIndex index;
    index.build(sizes);
    int row = 0;
    for (std::size_t b = 0; b < sizes.size(); ++b)
      for (int k = 0; k < sizes[b]; ++k) EXPECT_EQ(index.blockOf(row++), static_cast<int>(b));
    EXPECT_EQ(index.size(), row);
  }
}

// The same problem with every block stored for itself, and with equal ones stored once. The first
// body is like the third, the second like the last.
std::pair<ContactProblem, ContactProblem> twoWays(Random& random, bool diagonal) {
  ContactProblem apart = testing::randomSpatialProblem(
      random, {.bodies = 4, .patches = 5, .largest_mu = 0.4, .joints = 1});
  const std::vector<int> like{0, 1, 0, 1}, sizes{6, 6, 6, 6};
  ContactProblem together = apart;
  together.M.resize(sizes, like);
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        const double entry = diagonal && i != j ? 0 : apart.M.block(b)(i, j);
        together.M.block(b)(i, j) = apart.M.block(b)(i, j) = apart.M.block(b + 2)(i, j) = entry;
      }
  return {apart, together};
}

TEST(BlockDiagonal, BlocksThatAreStoredOnceAreEqual) {
  Random random(1);
  const auto [apart, together] = twoWays(random, false);
  EXPECT_FALSE(together.M.isOriginal(2));
  EXPECT_EQ(together.M.original(3), 1);
  EXPECT_EQ(together.M.rowsWithOriginals(), 12);
  EXPECT_EQ(together.M.size(), 24);
  BlockDiagonal L_apart = apart.M, L_together = together.M;
  factorizeCholesky(L_apart);
  factorizeCholesky(L_together);
  std::vector<double> x = random.vector(24), y = x;
  MassFactor mass_apart, mass_together;
  mass_apart.start(apart.M);
  mass_together.start(together.M);
  mass_apart.divide(x);
  mass_together.divide(y);
  EXPECT_EQ(x, y);
  for (int b = 0; b < 4; ++b)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j <= i; ++j) EXPECT_EQ(L_apart.block(b)(i, j), L_together.block(b)(i, j));
}

// To the last bit, for every solver and the certificate.
TEST(BlockDiagonal, QuadraticFormIsTheProductFromBothSides) {
  Random random(5);
  for (const bool diagonal : {true, false}) {
    const BlockDiagonal M = twoWays(random, diagonal).second.M;
    std::vector<double> x(static_cast<std::size_t>(M.size())), product(x.size());
    for (double& entry : x) entry = random.uniform(-1, 1);
    multiply(M, x, product);
    EXPECT_NEAR(quadraticForm(M, x), dot(x, product), 1e-14 * dot(x, product));
  }
}

TEST(BlockDiagonal, SolversCannotTellWhatIsStoredOnce) {
  Random random(2);
  for (const char* solver : {"auto", "exact", "sweeps", "accelerated", "convex"})
    for (int trial = 0; trial < 6; ++trial) {
      auto [apart, together] = twoWays(random, trial % 2 == 0);
      Method method;
      method.solver = solver;
      if (method.solver == "convex") {
        method.law = Law::relaxed;
        apart.law = together.law = Law::relaxed;
      }
      ContactSolution first, second;
      makeSolver(method)->solve(apart, first);
      makeSolver(method)->solve(together, second);
      EXPECT_EQ(first.v, second.v) << solver;
      EXPECT_EQ(first.p, second.p) << solver;
      EXPECT_EQ(Certifier().certify(apart, first).residual,
                Certifier().certify(together, second).residual);
    }
}

TEST(GrowingArray, KeepsWhatItHas) {
  detail::GrowingArray<int> array;
  for (int k = 0; k < 100000; ++k) {
    array.resize(static_cast<std::size_t>(k) + 1);
    array.data()[k] = k;
  }
  const detail::GrowingArray<int> copy = array;
  detail::GrowingArray<int> moved = std::move(array);
  moved.resize(50000);
  moved = copy;
  ASSERT_EQ(moved.size(), 100000u);
  for (int k = 0; k < 100000; ++k) ASSERT_EQ(moved.data()[k], k);
}

}  // namespace
}  // namespace stickslip
