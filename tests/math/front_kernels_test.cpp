// The dense kernels against plain loops, and every instruction set against the first: same bits.
#include "math/factor/front_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/random.hpp"

namespace stickslip {
namespace {

using testing::Random;

int padded(int n) {
  return (n + 3) / 4 * 4;
}

// A random problem for all kernels, and what they made of it.
struct Case {
  int columns, rows, leading;
  std::vector<double> A;           // columns x columns, positive definite, column-major
  std::vector<double> X, Y;        // rows x columns, column-major
  std::vector<double> right_side;  // columns + rows, each padded

  Case(Random& random, int columns_, int rows_)
      : columns(columns_), rows(padded(rows_)), leading(padded(columns_)) {
    const auto k = std::size_t(columns), ld = std::size_t(leading);
    A.assign(ld * k, 0.0);
    const auto B = random.vector(k * k);
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t j = 0; j < k; ++j) {
        A[j * ld + i] = i == j;
        for (std::size_t l = 0; l < k; ++l) A[j * ld + i] += B[i * k + l] * B[j * k + l];
      }
    for (auto* below : {&X, &Y}) {
      *below = random.vector(std::size_t(rows) * k);
      for (std::size_t j = 0; j < k; ++j)
        for (int i = rows_; i < rows; ++i) (*below)[j * std::size_t(rows) + std::size_t(i)] = 0;
    }
    right_side = random.vector(std::size_t(leading + rows));
    for (int i = columns; i < leading; ++i) right_side[i] = 0;
  }
};

struct Result {
  std::vector<double> L, inverse, below, unit_below, lower, full, forward, forward_below, backward;
  std::vector<double> lu;
  std::vector<int> exchange;
};

// The same as in the positive definite A, but without symmetry, and with rows in another order.
std::vector<double> unsymmetric(const Case& c) {
  std::vector<double> B(c.A.size(), 0.0);
  for (int j = 0; j < c.columns; ++j)
    for (int i = 0; i < c.columns; ++i)
      B[j * c.leading + (i + j) % c.columns] = c.A[j * c.leading + i] * (i < j ? 0.5 : 1);
  return B;
}

Result run(const FrontKernels& kernels, const Case& c) {
  const auto k = std::size_t(c.columns), r = std::size_t(c.rows);
  Result result;
  result.L = c.A;
  result.inverse.resize(k);
  const std::vector<double> smallest(k, 0.0);
  EXPECT_TRUE(kernels.cholesky(result.L.data(), c.columns, c.leading, smallest.data(),
                               result.inverse.data()));
  const TriangleView T{result.L.data(), c.columns, c.leading};
  result.below.resize(r * k);
  result.unit_below.resize(r * k);
  kernels.solveStrips(c.X.data(), c.rows, c.rows, T, result.inverse.data(), result.below.data());
  kernels.solveStrips(c.Y.data(), c.rows, c.rows, T, nullptr, result.unit_below.data());
  result.lower.assign(r * r, 0.0);
  result.full.assign(r * r, 0.0);
  kernels.updateLower(result.lower.data(), c.rows, result.below.data(), c.columns);
  // Above the diagonal the lower update is nobody's business.
  for (std::size_t j = 0; j < r; ++j)
    for (std::size_t i = 0; i < j; ++i) result.lower[j * r + i] = 0;
  kernels.updateFull(result.full.data(), c.rows, result.below.data(), result.unit_below.data(),
                     c.columns);
  result.forward.assign(c.right_side.begin(), c.right_side.begin() + c.leading);
  result.forward_below.resize(r);
  kernels.forward(T, result.inverse.data(), result.below.data(), c.rows, result.forward.data(),
                  result.forward_below.data());
  result.backward.assign(c.right_side.begin(), c.right_side.begin() + c.leading);
  kernels.backward(T, result.inverse.data(), result.below.data(), c.rows,
                   c.right_side.data() + c.leading, result.backward.data());
  result.lu = unsymmetric(c);
  result.exchange.resize(k);
  std::vector<double> row_scale(k, 1.0), column_scale(k, 0.0), inverse(k),
      multipliers(std::size_t(c.leading));
  EXPECT_TRUE(kernels.lu(result.lu.data(), c.columns, c.leading, row_scale.data(),
                         column_scale.data(), inverse.data(), result.exchange.data(),
                         multipliers.data()));
  return result;
}

// Entry (i, j) of rows in strips.
double inStrips(const std::vector<double>& strips, int columns, int i, int j) {
  return strips[(i / 4 * columns + j) * 4 + i % 4];
}

void expectCorrect(const Case& c, const Result& result) {
  const int k = c.columns, r = c.rows, ld = c.leading;
  const double tolerance = 1e-11;
  const auto L = [&](int i, int j) { return i < j ? 0.0 : result.L[j * ld + i]; };
  const auto below = [&](int i, int j) { return inStrips(result.below, k, i, j); };
  const auto unit_below = [&](int i, int j) { return inStrips(result.unit_below, k, i, j); };
  for (int i = 0; i < k; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int q = 0; q <= j; ++q) sum += L(i, q) * L(j, q);
      EXPECT_NEAR(sum, c.A[j * ld + i], tolerance);
    }
  for (int i = 0; i < r; ++i)
    for (int j = 0; j < k; ++j) {
      double sum = 0, unit_sum = unit_below(i, j);
      for (int q = 0; q <= j; ++q) sum += below(i, q) * L(j, q);
      for (int q = 0; q < j; ++q) unit_sum += unit_below(i, q) * L(j, q);
      EXPECT_NEAR(sum, c.X[j * r + i], tolerance);
      EXPECT_NEAR(unit_sum, c.Y[j * r + i], tolerance * (1 + std::abs(unit_below(i, j))));
    }
  for (int i = 0; i < r; ++i)
    for (int j = 0; j < r; ++j) {
      double lower = 0, full = 0, size = 1;
      for (int q = 0; q < k; ++q) {
        lower += below(i, q) * below(j, q);
        full += below(i, q) * unit_below(j, q);
        size += std::abs(below(i, q) * unit_below(j, q));
      }
      if (i >= j) {
        EXPECT_NEAR(result.lower[j * r + i], -lower, tolerance);
      }
      EXPECT_NEAR(result.full[j * r + i], -full, tolerance * size);
    }
  for (int i = 0; i < k; ++i) {
    double forward = 0, backward = 0;
    for (int q = 0; q < k; ++q) {
      forward += L(i, q) * result.forward[q];
      backward += L(q, i) * result.backward[q];
    }
    for (int q = 0; q < r; ++q) backward += below(q, i) * c.right_side[ld + q];
    EXPECT_NEAR(forward, c.right_side[i], tolerance);
    EXPECT_NEAR(backward, c.right_side[i], tolerance);
  }
  auto B = unsymmetric(c);
  for (int row = 0; row < k; ++row)
    for (int j = 0; j < k; ++j) std::swap(B[j * ld + row], B[j * ld + result.exchange[row]]);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j) {
      double sum = 0;
      for (int q = 0; q <= std::min(i, j); ++q)
        sum += (q == i ? 1 : result.lu[q * ld + i]) * result.lu[j * ld + q];
      EXPECT_NEAR(sum, B[j * ld + i], tolerance);
    }
  for (int i = 0; i < r; ++i) {
    double sum = 0;
    for (int q = 0; q < k; ++q) sum += below(i, q) * result.forward[q];
    EXPECT_NEAR(result.forward_below[i], sum, tolerance);
  }
}

TEST(FrontKernels, AreRightAndTheSameOnEveryMachine) {
  Random random(31);
  ASSERT_GE(instructionSets().size(), 1u);
  for (int columns = 1; columns <= 21; ++columns)
    for (const int rows : {0, 1, 6, 13, 24}) {
      const Case c(random, columns, rows);
      const Result first = run(kernelsFor<FrontKernels>(instructionSets()[0]), c);
      expectCorrect(c, first);
      for (const InstructionSet set : instructionSets().subspan(1)) {
        const Result other = run(kernelsFor<FrontKernels>(set), c);
        const auto members = {&Result::L,          &Result::inverse,       &Result::below,
                              &Result::unit_below, &Result::lower,         &Result::full,
                              &Result::forward,    &Result::forward_below, &Result::backward,
                              &Result::lu};
        for (const auto member : members) EXPECT_EQ(first.*member, other.*member) << columns;
        EXPECT_EQ(first.exchange, other.exchange);
      }
    }
}

TEST(FrontKernels, CholeskyNoticesEveryBadPivot) {
  Random random(32);
  for (const InstructionSet set : instructionSets())
    for (const int columns : {1, 3, 6, 7, 13}) {
      const FrontKernels& kernels = kernelsFor<FrontKernels>(set);
      const Case c(random, columns, 0);
      for (int bad = 0; bad < columns; ++bad)
        for (const double value : {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
          auto A = c.A;
          A[bad * (c.leading + 1)] = value;
          std::vector<double> inverse(std::size_t(columns), 0.0), smallest = inverse;
          EXPECT_FALSE(
              kernels.cholesky(A.data(), columns, c.leading, smallest.data(), inverse.data()));
        }
    }
}

}  // namespace
}  // namespace stickslip
