// Independence of sparse rows, against elimination of the dense matrix with full pivoting.
#include "certificate/row_independence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/contact_problems.hpp"

namespace stickslip {
namespace {

using testing::Random;

constexpr long kNoLimit = 1L << 50;

BlockDiagonal unitMass(const std::vector<int>& sizes) {
  BlockDiagonal M;
  M.resize(sizes);
  for (int b = 0; b < M.blockCount(); ++b)
    for (int i = 0; i < M.block(b).rows; ++i) M.block(b)(i, i) = 1;
  return M;
}

bool isProven(const BlockDiagonal& M, const BlockRows& rows, long work_limit = kNoLimit) {
  ScaledDirections directions;
  directions.start(M);
  RowIndependence test;
  test.start(M);
  const double whole[] = {1};
  for (int group = 0; group < rows.groupCount(); ++group) directions.addGroup(rows, group);
  for (int row = 0; row < rows.rowCount(); ++row) test.add(directions, row, whole);
  return test.isProven(work_limit);
}

int denseRank(const BlockRows& rows, int columns) {
  std::vector<std::vector<double>> A;
  for (int row = 0; row < rows.rowCount(); ++row)
    A.push_back(testing::denseRow(rows, row, columns));
  int rank = 0;
  for (std::size_t k = 0; k < A.size(); ++k) {
    std::size_t pivot_row = k, pivot_column = 0;
    for (std::size_t i = k; i < A.size(); ++i)
      for (std::size_t j = 0; j < A[i].size(); ++j)
        if (std::abs(A[i][j]) > std::abs(A[pivot_row][pivot_column])) {
          pivot_row = i;
          pivot_column = j;
        }
    std::swap(A[k], A[pivot_row]);
    if (std::abs(A[k][pivot_column]) < 1e-10) break;
    ++rank;
    for (std::size_t i = k + 1; i < A.size(); ++i) {
      const double factor = A[i][pivot_column] / A[k][pivot_column];
      for (std::size_t j = 0; j < A[i].size(); ++j) A[i][j] -= factor * A[k][j];
    }
  }
  return rank;
}

// Rows of one contact between two random blocks, with small whole numbers, which make some of them
// depend on others.
void addRandomGroup(Random& random, const BlockDiagonal& M, BlockRows& rows) {
  rows.addGroup(random.integer(1, 2));
  const int a = random.integer(0, M.blockCount() - 1), b = random.integer(0, M.blockCount() - 1);
  for (const int block : a == b ? std::vector{a} : std::vector{a, b}) {
    const MatrixView strip = rows.addStrip(M.firstRow(block), M.block(block).rows);
    for (int i = 0; i < strip.rows; ++i)
      for (int j = 0; j < strip.columns; ++j) strip(i, j) = random.integer(-1, 1);
  }
}

TEST(RowIndependence, AgreesWithTheRankOfTheDenseMatrix) {
  Random random(7);
  int independent = 0, dependent = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<int> sizes(static_cast<std::size_t>(random.integer(1, 12)));
    for (int& size : sizes) size = random.integer(1, 4);
    const BlockDiagonal M = unitMass(sizes);
    BlockRows rows;
    for (int k = random.integer(1, M.size()); k > 0; --k) addRandomGroup(random, M, rows);
    const bool expected = denseRank(rows, M.size()) == rows.rowCount();
    ++(expected ? independent : dependent);
    EXPECT_EQ(isProven(M, rows), expected) << trial;
  }
  EXPECT_GT(independent, 100);
  EXPECT_GT(dependent, 100);
}

// Differences around a ring add up to zero, which shows only when the last block is eliminated.
BlockRows ring(int blocks, double last) {
  BlockRows rows;
  for (int k = 0; k < blocks; ++k) {
    rows.addGroup(1);
    rows.addStrip(2 * k, 2)(0, 0) = 1;
    rows.addStrip(2 * ((k + 1) % blocks), 2)(0, 0) = k + 1 < blocks ? -1 : -last;
  }
  return rows;
}

TEST(RowIndependence, SeesDependenceAroundALongRing) {
  const BlockDiagonal M = unitMass(std::vector<int>(500, 2));
  EXPECT_FALSE(isProven(M, ring(500, 1)));
  EXPECT_TRUE(isProven(M, ring(500, 1 + 1e-6)));
}

TEST(RowIndependence, ClaimsNothingWhenTheWorkIsLimited) {
  const BlockDiagonal M = unitMass(std::vector<int>(500, 2));
  EXPECT_FALSE(isProven(M, ring(500, 2), 1000));
  EXPECT_TRUE(isProven(M, ring(500, 2), 20000));  // in proportion to the rows
}

}  // namespace
}  // namespace stickslip
