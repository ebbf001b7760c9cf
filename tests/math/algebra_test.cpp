// The small linear algebra under the engine, each piece against its definition.
#include <gtest/gtest.h>

#include <cmath>

#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"
#include "math/dense/lu.hpp"
#include "math/dense/orthonormal_rows.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

BlockDiagonal randomSpd(Random& random, std::span<const int> sizes) {
  BlockDiagonal M;
  M.resize(sizes);
  for (int b = 0; b < M.blockCount(); ++b) {
    const MatrixView block = M.block(b);
    const int n = block.rows;
    const auto B = random.vector(std::size_t(n * n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        block(i, j) = i == j ? 0.1 : 0.0;
        for (int k = 0; k < n; ++k) block(i, j) += B[i * n + k] * B[j * n + k];
      }
  }
  return M;
}

TEST(Cholesky, InvertsABlockDiagonalMatrix) {
  Random random(11);
  const int sizes[] = {3, 1, 6};
  const BlockDiagonal M = randomSpd(random, sizes);
  BlockDiagonal L = M;
  factorizeCholesky(L);
  const std::vector<double> x = random.vector(10);
  std::vector<double> y(10), Ltx(10);
  multiply(M, x, y);
  multiplyLowerTransposed(L, x, Ltx);
  EXPECT_NEAR(dot(Ltx, Ltx), dot(x, y), 1e-12);
  solveLower(L, y);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(y[k], Ltx[k], 1e-12);
  solveLowerTransposed(L, y);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(y[k], x[k], 1e-10);
}

TEST(Cholesky, AnIndefiniteMatrixGivesNotANumber) {
  BlockDiagonal M;
  const int sizes[] = {2};
  M.resize(sizes);
  M.block(0)(0, 0) = 1;
  M.block(0)(0, 1) = M.block(0)(1, 0) = 2;
  M.block(0)(1, 1) = 1;
  factorizeCholesky(M);
  EXPECT_TRUE(std::isnan(M.block(0)(1, 1)));
}

TEST(DenseLu, SolvesAndFindsSingularMatrices) {
  Random random(12);
  // Up to several panels of columns, with and without a rest.
  for (const std::size_t n : {1, 2, 3, 5, 8, 15, 16, 17, 32, 53}) {
    const std::vector<double> A = random.vector(n * n), x = random.vector(n);
    std::vector<double> b(n, 0.0), factor = A;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) b[i] += A[i * n + j] * x[j];
    std::vector<int> exchanges(n);
    ASSERT_TRUE(factorizeLu(factor, exchanges));
    solveLu(factor, exchanges, b);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i], 1e-10);
  }
  std::vector<double> singular{1, 2, 2, 4};
  std::vector<int> exchanges(2);
  EXPECT_FALSE(factorizeLu(singular, exchanges));
  std::vector<double> zero{0};
  exchanges.resize(1);
  EXPECT_FALSE(factorizeLu(zero, exchanges));
}

TEST(OrthonormalRows, FindsTheRankWhateverTheUnitsOfTheRows) {
  Random random(13);
  const int columns = 6;
  std::vector<double> B = random.vector(5 * columns);
  for (int k = 0; k < columns; ++k) {
    B[3 * columns + k] = 1e9 * (B[k] - 2 * B[columns + k]);
    B[4 * columns + k] *= 1e-9;
  }
  OrthonormalRows rows;
  rows.factorize({B.data(), 5, columns});
  EXPECT_EQ(rows.rank(), 4);
  for (int i = 0; i < rows.rank(); ++i)
    for (int j = 0; j <= i; ++j)
      EXPECT_NEAR(dot(rows.basis(i), rows.basis(j)), i == j ? 1.0 : 0.0, 1e-14);
}

TEST(OrthonormalRows, SolvesWithTheRowsAndTheirTranspose) {
  Random random(14);
  const int m = 4, n = 6;
  const std::vector<double> B = random.vector(std::size_t(m * n));
  OrthonormalRows rows;
  rows.factorize({B.data(), m, n});
  const std::vector<double> r = random.vector(std::size_t(m));
  std::vector<double> y(std::size_t(n), 0.0), c(std::size_t(m), 0.0), d(std::size_t(n), 0.0);
  rows.solveRows(r, y);
  for (int i = 0; i < m; ++i) EXPECT_NEAR(dot({B.data() + i * n, std::size_t(n)}, y), r[i], 1e-12);
  for (int i = 0; i < m; ++i) addScaled(r[i], {B.data() + i * n, std::size_t(n)}, d);
  rows.solveTransposed(d, c);
  for (int i = 0; i < m; ++i) EXPECT_NEAR(c[i], r[i], 1e-11);
}

TEST(OrthonormalRows, AZeroRowIsDependent) {
  const std::vector<double> B{0, 0, 1, 1};
  OrthonormalRows rows;
  rows.factorize({B.data(), 2, 2});
  EXPECT_EQ(rows.rank(), 1);
}

}  // namespace
}  // namespace stickslip
