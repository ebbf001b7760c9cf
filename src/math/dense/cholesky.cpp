#include "math/dense/cholesky.hpp"

#include <cmath>

#include "base/parallel_for.hpp"

namespace stickslip {
namespace {

constexpr int kBlocksOfALoop = 512;

template <class Visit>
void forBlocks(const BlockDiagonal& A, const Visit& visit) {
  parallelFor(A.blockCount(), kBlocksOfALoop, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) visit(b);
  });
}

void factorizeBlock(MatrixView A) {
  for (int j = 0; j < A.rows; ++j) {
    double* row_j = A.row(j).data();
    double pivot = row_j[j];
    for (int k = 0; k < j; ++k) pivot -= row_j[k] * row_j[k];
    row_j[j] = std::sqrt(pivot);
    for (int i = j + 1; i < A.rows; ++i) {
      double* row_i = A.row(i).data();
      double sum = row_i[j];
      for (int k = 0; k < j; ++k) sum -= row_i[k] * row_j[k];
      row_i[j] = sum / row_j[j];
    }
  }
}

void solveLowerBlock(ConstMatrixView L, double* x) {
  for (int i = 0; i < L.rows; ++i) {
    const double* row = L.row(i).data();
    double sum = x[i];
    for (int k = 0; k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum / row[i];
  }
}

// Column-oriented, so that the row-major factor is read along its rows.
void solveLowerTransposedBlock(ConstMatrixView L, double* x) {
  for (int i = L.rows - 1; i >= 0; --i) {
    const double* row = L.row(i).data();
    x[i] /= row[i];
    for (int k = 0; k < i; ++k) x[k] -= row[k] * x[i];
  }
}

}  // namespace

void factorizeCholesky(BlockDiagonal& M) {
  for (int b = 0; b < M.blockCount(); ++b)
    if (M.isOriginal(b)) factorizeBlock(M.block(b));
}

void solveLower(ConstMatrixView L, std::span<double> x) {
  solveLowerBlock(L, x.data());
}

void solveLowerTransposed(ConstMatrixView L, std::span<double> x) {
  solveLowerTransposedBlock(L, x.data());
}

void solveLower(const BlockDiagonal& L, std::span<double> x) {
  forBlocks(L, [&](int b) { solveLowerBlock(L.block(b), x.data() + L.firstRow(b)); });
}

void solveLowerTransposed(const BlockDiagonal& L, std::span<double> x) {
  forBlocks(L, [&](int b) { solveLowerTransposedBlock(L.block(b), x.data() + L.firstRow(b)); });
}

void multiplyLowerTransposed(const BlockDiagonal& L, std::span<const double> x,
                             std::span<double> y) {
  forBlocks(L, [&](int b) {
    const ConstMatrixView block = L.block(b);
    const std::size_t first = L.firstRow(b);
    const double* in = x.data() + first;
    double* out = y.data() + first;
    for (int j = 0; j < block.rows; ++j) {
      const double* row = block.row(j).data();
      out[j] = 0;
      for (int k = 0; k <= j; ++k) out[k] += row[k] * in[j];
    }
  });
}

}  // namespace stickslip
