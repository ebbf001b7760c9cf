#include "problem/mass_factor.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "base/index.hpp"
#include "base/parallel_for.hpp"
#include "math/dense/cholesky.hpp"

namespace stickslip {
namespace {

constexpr int kGrain = 512;

// Without short cuts: a loop that ends early is slower for the few numbers of a block. `kRows` is 0
// if the compiler cannot know how many.
template <int kRows>
bool hasOnlyDiagonal(ConstMatrixView A) {
  const int rows = kRows > 0 ? kRows : A.rows;
  bool only = true;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < i; ++j) only &= A.data[i * rows + j] == 0;
  return only;
}

bool isMassOfBall(ConstMatrixView L) {
  bool is = L.rows == 6;
  for (int i = 0; i < L.rows && is; ++i) is = L(i, i) == L(i < 3 ? 0 : 3, i < 3 ? 0 : 3);
  return is;
}

}  // namespace

bool MassFactor::isFor(const BlockDiagonal& M) const {
  if (blocks_.size() != at(M.blockCount()) || M_.size() != M.size()) return false;
  std::atomic<bool> same{true};
  parallelFor(M.blockCount(), kGrain, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      const ConstMatrixView A = M.block(b), before = M_.block(b);
      if (M_.original(b) != M.original(b) || before.rows != A.rows ||
          (M.isOriginal(b) && !std::equal(A.data, A.data + A.rows * A.rows, before.data)))
        same.store(false, std::memory_order_relaxed);
    }
  });
  return same;
}

bool MassFactor::start(const BlockDiagonal& M) {
  if (isFor(M)) return false;
  M_ = M;
  L_ = M;
  factorizeCholesky(L_);
  inverse_.resize(M.rowsWithOriginals());
  blocks_.resize(M.blockCount());
  for (int b = 0; b < M.blockCount(); ++b) {
    blocks_[b] = M.isOriginal(b) ? blockOf(b) : blocks_[M.original(b)];
    blocks_[b].first = M.firstRow(b);
  }
  return true;
}

// Of an original.
MassFactor::Block MassFactor::blockOf(int b) {
  const ConstMatrixView A = std::as_const(M_).block(b), L = std::as_const(L_).block(b);
  Block block{M_.firstRow(b), A.rows, M_.firstRow(b)};
  for (int i = 0; i < A.rows; ++i) inverse_[block.inverse + i] = 1 / A(i, i);
  block.is_diagonal = A.rows == 6 ? hasOnlyDiagonal<6>(A) : hasOnlyDiagonal<0>(A);
  if (block.is_diagonal && isMassOfBall(L)) {
    block.share = 1 / L(0, 0);
    block.turn = 1 / L(3, 3);
  }
  return block;
}

void MassFactor::divide(std::span<double> x) const {
  parallelFor(static_cast<int>(blocks_.size()), kGrain, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      const Block& block = blocks_[b];
      const std::span<double> part = x.subspan(block.first, block.size);
      if (block.is_diagonal) {
        const double* inverse = inverse_.data() + block.inverse;
        for (std::size_t k = 0; k < part.size(); ++k) part[k] *= inverse[k];
      } else {
        solveLower(L_.block(b), part);
        solveLowerTransposed(L_.block(b), part);
      }
    }
  });
}

double MassFactor::mobility(const BlockRows& rows, int group, int k) {
  row_.clear();
  row_.add(L_, rows, group, std::array{k});
  return row_.product(0, 0, 0);
}

}  // namespace stickslip
