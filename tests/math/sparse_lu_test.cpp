// Sparse LU against dense elimination with complete pivoting, and on named pathologies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/factor/sparse_lu.hpp"
#include "support/lcp_enumerator.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

struct Matrix {
  int n = 0;
  std::vector<double> dense;  ///< row-major
  double& at(int i, int j) { return dense[i * n + j]; }
  double at(int i, int j) const { return dense[i * n + j]; }

  SparseColumns sparse() const {
    SparseColumns columns;
    columns.start(n);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i)
        if (at(i, j) != 0) columns.add(i, at(i, j));
      columns.endColumn();
    }
    return columns;
  }
  Matrix transposed() const {
    Matrix other{n, dense};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) other.at(j, i) = at(i, j);
    return other;
  }
};

Matrix randomSparse(Random& random, int n, double density) {
  Matrix A{n, std::vector<double>(std::size_t(n * n))};
  for (double& a : A.dense) a = random.uniform(0, 1) < density ? random.uniform() : 0;
  // A permuted diagonal keeps it regular; small entries ask for row exchanges.
  for (int i = 0; i < n; ++i) A.at(i, (i + 1) % n) = random.uniform() * (i % 3 == 0 ? 1e-6 : 1);
  return A;
}

// Sign of the determinant by elimination with partial pivoting.
int determinantSign(Matrix A) {
  int sign = 1;
  for (int k = 0; k < A.n; ++k) {
    int pivot = k;
    for (int i = k; i < A.n; ++i)
      if (std::abs(A.at(i, k)) > std::abs(A.at(pivot, k))) pivot = i;
    for (int j = 0; j < A.n && pivot != k; ++j) std::swap(A.at(k, j), A.at(pivot, j));
    if (pivot != k) sign = -sign;
    if (A.at(k, k) < 0) sign = -sign;
    for (int i = k + 1; i < A.n; ++i) {
      const double factor = A.at(i, k) / A.at(k, k);
      for (int j = k; j < A.n; ++j) A.at(i, j) -= factor * A.at(k, j);
    }
  }
  return sign;
}

TEST(SparseLu, AgreesWithDenseElimination) {
  Random random(1);
  SparseLu lu;
  int solved = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = random.integer(1, 30);
    const Matrix A = randomSparse(random, n, random.uniform(0.02, 0.4));
    const std::vector<double> b = random.vector(std::size_t(n));
    const auto expected = testing::solveDense(A.dense, b);
    const auto expected_transposed = testing::solveDense(A.transposed().dense, b);
    if (!expected) continue;
    ++solved;
    ASSERT_TRUE(lu.factorize(A.sparse())) << trial;
    std::vector<double> x = b, y = b;
    lu.solve(x);
    lu.solveTransposed(y);
    const double size =
        std::abs(*std::max_element(expected->begin(), expected->end(),
                                   [](double a, double c) { return std::abs(a) < std::abs(c); }));
    for (std::size_t k = 0; k < x.size(); ++k) {
      EXPECT_NEAR(x[k], (*expected)[k], 1e-9 * size) << trial;
      EXPECT_NEAR(y[k], (*expected_transposed)[k], 1e-9 * (size + std::abs(y[k]))) << trial;
    }
    EXPECT_EQ(lu.determinantSign(), determinantSign(A)) << trial;
  }
  EXPECT_GT(solved, 200);
}

TEST(SparseLu, TheGivenOrderGivesTheSameSolution) {
  Random random(2);
  const Matrix A = randomSparse(random, 40, 0.1);
  std::vector<double> x = random.vector(40), y = x;
  SparseLu lu;
  ASSERT_TRUE(lu.factorize(A.sparse()));
  lu.solve(x);
  ASSERT_TRUE(lu.factorizeInOrder(A.sparse()));
  lu.solve(y);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], y[k], 1e-9);
}

// Eliminating the first column of an arrow first would fill the matrix.
TEST(SparseLu, AnArrowMatrixDoesNotFill) {
  const int n = 200;
  Matrix A{n, std::vector<double>(std::size_t(n * n))};
  for (int i = 0; i < n; ++i) A.at(i, i) = A.at(0, i) = A.at(i, 0) = 1 + i % 3;
  SparseLu lu;
  ASSERT_TRUE(lu.factorize(A.sparse()));
  EXPECT_EQ(lu.entries(), A.sparse().entries());
}

TEST(SparseLu, ALaplacianOfAGridFillsLittle) {
  const int side = 20, n = side * side;
  Matrix A{n, std::vector<double>(std::size_t(n * n))};
  for (int i = 0; i < n; ++i) {
    A.at(i, i) = 4;
    if (i % side > 0) A.at(i, i - 1) = A.at(i - 1, i) = -1;
    if (i >= side) A.at(i, i - side) = A.at(i - side, i) = -1;
  }
  SparseLu lu, natural;
  ASSERT_TRUE(lu.factorize(A.sparse()));
  ASSERT_TRUE(natural.factorizeInOrder(A.sparse()));
  EXPECT_LT(lu.entries(), 0.75 * double(natural.entries()));
}

TEST(SparseLu, NamesDependentColumns) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    // Six columns of twelve rows, the last two made of the others.
    std::vector<std::vector<double>> column;
    for (int j = 0; j < 4; ++j) column.push_back(random.vector(12));
    for (int j = 0; j < 2; ++j) {
      column.emplace_back(12);
      for (std::size_t k = 0; k < 4; ++k) {
        const double weight = random.uniform();
        for (std::size_t i = 0; i < 12; ++i) column.back()[i] += weight * column[k][i];
      }
    }
    SparseColumns A;
    A.start(12);
    for (const auto& c : column) {
      for (int i = 0; i < 12; ++i) A.add(i, c[i]);
      A.endColumn();
    }
    SparseLu lu;
    EXPECT_FALSE(lu.factorize(A, 1e-10)) << trial;
    EXPECT_EQ(lu.dependentColumns().size(), 2u) << trial;
  }
}

TEST(SparseLu, SaysThatAMatrixIsSingular) {
  SparseLu lu;
  const Matrix zero_row{3, {1, 2, 3, 0, 0, 0, 4, 5, 7}}, repeated{2, {1, 2, 2, 4}};
  EXPECT_FALSE(lu.factorize(zero_row.sparse()));
  EXPECT_FALSE(lu.factorize(repeated.sparse()));
  const Matrix regular{2, {0, 1, 1, 0}};
  EXPECT_TRUE(lu.factorize(regular.sparse()));
  EXPECT_EQ(lu.determinantSign(), -1);
}

}  // namespace
}  // namespace stickslip
