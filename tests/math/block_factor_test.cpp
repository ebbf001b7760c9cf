// Block-sparse factorizations against dense copies of the same matrices.
#include "math/factor/block_factor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/dense/lu.hpp"
#include "support/block_systems.hpp"

namespace stickslip {
namespace {

using testing::BlockPattern;
using testing::Random;

constexpr double kTolerance = 1e-12;

TEST(BlockFactor, CholeskySolvesEveryPattern) {
  Random random(1);
  BlockFactor K;  // one object for all: sizes go up and down
  for (const BlockPattern& pattern : testing::samplePatterns(random)) {
    const auto A = testing::randomMatrix(random, pattern);
    testing::assemble(pattern, A, true, K);
    ASSERT_EQ(K.size(), pattern.rows());
    ASSERT_TRUE(K.factorCholesky()) << pattern.name;
    const auto b = random.vector(std::size_t(K.size()));
    auto x = b;
    K.solve(x);
    EXPECT_LT(testing::relativeResidual(A, x, b), kTolerance) << pattern.name;
  }
}

TEST(BlockFactor, LuSolvesEveryPattern) {
  Random random(2);
  BlockFactor K;
  for (const BlockPattern& pattern : testing::samplePatterns(random)) {
    const auto A = testing::randomMatrix(random, pattern, 0.8);
    testing::assemble(pattern, A, false, K);
    ASSERT_TRUE(K.factorLu()) << pattern.name;
    const auto b = random.vector(std::size_t(K.size()));
    auto x = b;
    K.solve(x);
    EXPECT_LT(testing::relativeResidual(A, x, b), kTolerance) << pattern.name;
  }
}

// The same answer as a dense solver that shares no code with this one, not only a small residual.
TEST(BlockFactor, AgreesWithDenseElimination) {
  Random random(3);
  BlockFactor K;
  for (int trial = 0; trial < 20; ++trial) {
    const BlockPattern pattern = testing::randomPattern(random, 12, 20);
    auto A = testing::randomMatrix(random, pattern, 0.5);
    testing::assemble(pattern, A, false, K);
    ASSERT_TRUE(K.factorLu());
    auto x = random.vector(std::size_t(K.size()));
    auto y = x;
    K.solve(x);
    std::vector<int> exchanges(y.size());
    ASSERT_TRUE(factorizeLu(A, exchanges));
    solveLu(A, exchanges, y);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-9) << trial;
  }
}

// What is no number, in a right-hand side or in the matrix, does not stay in what vectors are
// padded with.
TEST(BlockFactor, ForgetsWhatIsNoNumber) {
  Random random(5);
  for (const BlockPattern& pattern : testing::samplePatterns(random))
    for (const bool symmetric : {true, false}) {
      BlockFactor K;
      const auto factorize = [&] { return symmetric ? K.factorCholesky() : K.factorLu(); };
      const auto A = testing::randomMatrix(random, pattern, symmetric ? 0 : 0.5);
      testing::assemble(pattern, A, symmetric, K);
      ASSERT_TRUE(factorize()) << pattern.name;
      const auto b = random.vector(std::size_t(K.size()));
      std::vector<double> x(b.size(), std::nan(""));
      K.solve(x);
      x = b;
      K.solve(x);
      EXPECT_LT(testing::relativeResidual(A, x, b), kTolerance) << pattern.name;
      auto none = A;
      std::fill(none.begin(), none.end(), std::nan(""));
      testing::assemble(pattern, none, symmetric, K);
      factorize();
      x = b;
      K.solve(x);
      testing::assemble(pattern, A, symmetric, K);
      ASSERT_TRUE(factorize()) << pattern.name;
      x = b;
      K.solve(x);
      EXPECT_LT(testing::relativeResidual(A, x, b), kTolerance) << pattern.name;
    }
}

TEST(BlockFactor, MultiplyUsesTheEntries) {
  Random random(4);
  BlockFactor K;
  const BlockPattern pattern = testing::randomPattern(random, 15, 40);
  const auto n = std::size_t(pattern.rows());
  for (const bool symmetric : {true, false}) {
    const auto A = testing::randomMatrix(random, pattern, symmetric ? 0 : 0.5);
    testing::assemble(pattern, A, symmetric, K);
    ASSERT_TRUE(symmetric ? K.factorCholesky() : K.factorLu());
    const auto x = random.vector(n);
    std::vector<double> y(n);
    K.multiply(x, y);
    EXPECT_LT(testing::relativeResidual(A, x, y), 1e-14);
  }
}

TEST(BlockFactor, FactorizingLeavesTheEntries) {
  Random random(5);
  BlockFactor K;
  const BlockPattern pattern = testing::gridPattern(5, 3);
  const auto A = testing::randomMatrix(random, pattern);
  testing::assemble(pattern, A, false, K);
  const auto b = random.vector(std::size_t(K.size()));
  auto once = b, again = b, by_lu = b;
  ASSERT_TRUE(K.factorCholesky());
  K.solve(once);
  ASSERT_TRUE(K.factorLu());
  K.solve(by_lu);
  ASSERT_TRUE(K.factorCholesky());
  K.solve(again);
  EXPECT_EQ(once, again);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(once[i], by_lu[i], 1e-10);
}

TEST(BlockFactor, SignOfTheDeterminant) {
  Random random(6);
  BlockFactor K;
  int negative = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const BlockPattern pattern = testing::randomPattern(random, 8, 10);
    auto A = testing::randomMatrix(random, pattern, 0.3);
    // A few rows change sign, so that both signs occur.
    const auto n = std::size_t(pattern.rows());
    for (int flips = random.integer(0, 3); flips > 0; --flips) {
      const auto row = std::size_t(random.integer(0, int(n) - 1));
      for (std::size_t j = 0; j < n; ++j) A[row * n + j] = -A[row * n + j];
    }
    testing::assemble(pattern, A, false, K);
    ASSERT_TRUE(K.factorLu());
    EXPECT_EQ(K.determinantSign(), testing::denseDeterminantSign(A)) << trial;
    negative += K.determinantSign() < 0;
  }
  EXPECT_GT(negative, 15);
  EXPECT_LT(negative, 45);
}

// A pivot of zero on the diagonal of a block is no obstacle: rows change places.
TEST(BlockFactor, LuExchangesRowsWithinABlock) {
  BlockFactor K;
  const BlockPattern pattern{"pair", {2, 2}, {{0, 1}}};
  const std::vector<double> A{0, 2, 1, 0,  //
                              3, 0, 0, 1,  //
                              1, 0, 0, 5,  //
                              0, 1, 4, 0};
  testing::assemble(pattern, A, false, K);
  ASSERT_TRUE(K.factorLu());
  EXPECT_EQ(K.determinantSign(), testing::denseDeterminantSign(A));
  const std::vector<double> b{1, 2, 3, 4};
  auto x = b;
  K.solve(x);
  EXPECT_LT(testing::relativeResidual(A, x, b), 1e-15);
}

TEST(BlockFactor, NotPositiveDefiniteIsNoticed) {
  Random random(7);
  BlockFactor K;
  const BlockPattern pattern = testing::gridPattern(4, 3);
  const auto good = testing::randomMatrix(random, pattern);
  const auto n = std::size_t(pattern.rows());
  for (std::size_t row = 0; row < n; ++row) {
    auto A = good;
    A[row * n + row] = -A[row * n + row];
    testing::assemble(pattern, A, true, K);
    EXPECT_FALSE(K.factorCholesky()) << row;
    A[row * n + row] = std::nan("");
    testing::assemble(pattern, A, true, K);
    EXPECT_FALSE(K.factorCholesky()) << row;
  }
  testing::assemble(pattern, good, true, K);
  EXPECT_TRUE(K.factorCholesky());
}

TEST(BlockFactor, SingularIsNoticed) {
  BlockFactor K;
  const BlockPattern pair = testing::chainPattern(2, 2);
  testing::assemble(pair, std::vector<double>(16, 1.0), false, K);
  EXPECT_FALSE(K.factorCholesky());
  EXPECT_FALSE(K.factorLu());
  EXPECT_EQ(K.determinantSign(), 0);
}

TEST(BlockFactor, PatternsAreRecognized) {
  BlockFactor K;
  const std::vector<int> sizes{3, 3, 6, 1};
  const std::vector<std::pair<int, int>> couplings{{0, 1}, {2, 1}, {3, 0}};
  const std::vector<std::pair<int, int>> shuffled{{0, 3}, {1, 2}, {1, 0}, {0, 1}, {2, 1}};
  const std::vector<std::pair<int, int>> more{{0, 1}, {2, 1}, {3, 0}, {3, 2}};
  EXPECT_FALSE(K.analyze(sizes, couplings));
  EXPECT_TRUE(K.analyze(sizes, couplings));
  const int entry = K.entry(2, 1);
  EXPECT_TRUE(K.analyze(sizes, shuffled));
  EXPECT_EQ(K.entry(2, 1), entry);
  EXPECT_FALSE(K.analyze(sizes, more));
  EXPECT_FALSE(K.analyze(std::vector<int>{3, 3, 6, 2}, more));
  EXPECT_FALSE(K.analyze(sizes, couplings));
  EXPECT_EQ(K.block(K.entry(2, 1)).rows, 6);
  EXPECT_EQ(K.block(K.entry(2, 1)).columns, 3);
  EXPECT_NE(K.isLower(K.entry(2, 1)), K.isLower(K.entry(1, 2)));
  EXPECT_TRUE(K.isLower(K.entry(0, 0)));
}

// Units of rows and columns are powers of two here, which rounding does not see: the solution is
// the same to the last bit.
TEST(BlockFactor, PowersOfTwoChangeNothing) {
  Random random(9);
  BlockFactor K;
  for (int trial = 0; trial < 10; ++trial) {
    const BlockPattern pattern = testing::randomPattern(random, 20, 40);
    const auto n = std::size_t(pattern.rows());
    for (const bool lu : {false, true}) {
      const auto A = testing::randomMatrix(random, pattern, lu ? 0.4 : 0);
      const auto b = random.vector(n);
      std::vector<double> unit(n), scaled = A, x = b, y(n);
      for (double& u : unit) u = std::ldexp(1.0, random.integer(-15, 15));
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) scaled[i * n + j] *= unit[i] * unit[j];
      for (std::size_t i = 0; i < n; ++i) y[i] = b[i] * unit[i];
      testing::assemble(pattern, A, !lu, K);
      ASSERT_TRUE(lu ? K.factorLu() : K.factorCholesky());
      K.solve(x);
      testing::assemble(pattern, scaled, !lu, K);
      ASSERT_TRUE(lu ? K.factorLu() : K.factorCholesky());
      K.solve(y);
      for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(x[i], y[i] * unit[i]) << lu;
    }
  }
}

}  // namespace
}  // namespace stickslip
