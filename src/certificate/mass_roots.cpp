#include "certificate/mass_roots.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel_for.hpp"

namespace stickslip {
namespace {

// Blocks of a chunk.
constexpr int kBlocksAtOnce = 512;

// Without short cuts: a loop that ends early is slower for the few numbers of a block. `kRows` is 0
// if the compiler cannot know how many.
template <int kRows>
bool hasZerosBelow(const double* A, int given_rows) {
  const int rows = kRows > 0 ? kRows : given_rows;
  bool zeros = true;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < i; ++j) zeros &= A[i * rows + j] == 0;
  return zeros;
}

bool isDiagonalMatrix(ConstMatrixView A) {
  return A.rows == 6 ? hasZerosBelow<6>(A.data, 6) : hasZerosBelow<0>(A.data, A.rows);
}

}  // namespace

void MassRoots::start(const BlockDiagonal& M) {
  blocks_.resize(M.blockCount());
  index_ = M.index();
  diagonal_.resize(M.rowsWithOriginals(), NAN);
  inverse_root_.resize(diagonal_.size());
  parallelFor(M.blockCount(), kBlocksAtOnce, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) startBlock(M, b);
  });
  int values = 0;
  for (int b = 0; b < M.blockCount(); ++b) {
    Block& block = blocks_[b];
    if (block.factor < 0) continue;
    block.factor = blocks_[M.original(b)].factor;
    if (!M.isOriginal(b)) continue;
    block.factor = values;
    values += block.size * block.size;
  }
  factors_.resize(values);
  if (values == 0) return;
  parallelFor(M.blockCount(), kBlocksAtOnce, [&](int begin, int end) {
    for (int b = begin; b < end; ++b)
      if (!isDiagonal(b) && M.isOriginal(b)) factorize(M.block(b), blocks_[b]);
  });
}

void MassRoots::startBlock(const BlockDiagonal& M, int b) {
  const ConstMatrixView A = M.block(b);
  const int first = M.firstRow(M.original(b));
  blocks_[b] = {M.firstRow(b), A.rows, first, isDiagonalMatrix(A) ? -1 : 0};
  if (!M.isOriginal(b)) return;
  for (int i = 0; i < A.rows; ++i) {
    const std::size_t k = first + i;
    if (diagonal_[k] == A(i, i)) continue;
    diagonal_[k] = A(i, i);
    inverse_root_[k] = 1 / std::sqrt(A(i, i));
  }
}

// Column by column, in a copy of the block.
void MassRoots::factorize(ConstMatrixView A, const Block& block) {
  const int n = A.rows;
  const MatrixView L{factors_.data() + block.factor, n, n};
  std::copy_n(A.data, static_cast<std::ptrdiff_t>(n) * n, L.data);
  for (int k = 0; k < n; ++k) {
    L(k, k) = std::sqrt(L(k, k));
    for (int i = k + 1; i < n; ++i) L(i, k) /= L(k, k);
    for (int j = k + 1; j < n; ++j)
      for (int i = j; i < n; ++i) L(i, j) -= L(i, k) * L(j, k);
  }
}

void MassRoots::divide(int block, std::span<double> x) const {
  const Block& b = blocks_[block];
  if (b.factor < 0) {
    for (int k = 0; k < b.size; ++k) x[k] *= inverse_root_[b.roots + k];
    return;
  }
  const ConstMatrixView L{factors_.data() + b.factor, b.size, b.size};
  for (int k = 0; k < b.size; ++k) {
    const std::size_t pivot = k;
    x[pivot] /= L(k, k);
    for (int i = k + 1; i < b.size; ++i) x[i] -= L(i, k) * x[pivot];
  }
}

void MassRoots::divideTwice(std::span<double> x) const {
  for (int block = 0; block < blockCount(); ++block) {
    const Block& b = blocks_[block];
    const std::span<double> part = x.subspan(b.first, b.size);
    divide(block, part);
    if (b.factor < 0) {
      divide(block, part);
      continue;
    }
    const ConstMatrixView L{factors_.data() + b.factor, b.size, b.size};
    for (int k = b.size - 1; k >= 0; --k) {
      double sum = part[k];
      for (int i = k + 1; i < b.size; ++i) sum -= L(i, k) * part[i];
      part[k] = sum / L(k, k);
    }
  }
}

// Block after block: a strip need not be a whole block, nor stay within one.
double MassRoots::squareNorm(const BlockRows& rows, int group, int row,
                             std::vector<double>& part) const {
  double sum = 0;
  int done = -1;  // blocks up to this one are in the sum
  for (;;) {
    int next = blockCount();
    for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
      if (strip.columns == 0) continue;
      const int last = blockOf(strip.first_column + strip.columns - 1);
      if (last > done) next = std::min(next, std::max(blockOf(strip.first_column), done + 1));
    }
    if (next == blockCount()) return sum;
    done = next;
    const int first = firstColumn(next), end = first + sizeOf(next);
    part.assign(sizeOf(next), 0.0);
    for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
      const StripValues entries = rows.values(group, strip);
      const std::span<const double> values = entries.row(row);
      const int from = std::max(first, strip.first_column);
      const int to = std::min(end, strip.first_column + strip.columns);
      for (int k = from; k < to; ++k) part[k - first] = values[k - strip.first_column];
    }
    divide(next, part);
    for (const double x : part) sum += x * x;
  }
}

}  // namespace stickslip
