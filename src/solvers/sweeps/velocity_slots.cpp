#include "solvers/sweeps/velocity_slots.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "base/index.hpp"
#include "base/parallel_for.hpp"
#include "math/dense/cholesky.hpp"
#include "solvers/sweeps/settings.hpp"

namespace stickslip {
namespace {

// Slots begin at multiples of this; the first one is kNoSlot's.
constexpr int kLine = 4;
constexpr int kNoSlotWidth = 8;

// Without short cuts: a loop that ends early is slower for the few numbers of a block. `kRows` is 0
// if the compiler cannot know how many.
template <int kRows>
bool isDiagonalBlock(ConstMatrixView A) {
  const int rows = kRows > 0 ? kRows : A.rows;
  bool only = true;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < i; ++j) only &= A.data[i * rows + j] == 0;
  return only;
}

bool hasOnlyDiagonal(ConstMatrixView A) {
  return A.rows == 6 ? isDiagonalBlock<6>(A) : isDiagonalBlock<0>(A);
}

bool isOfOneMass(ConstMatrixView A) {
  if (A.rows != 3 && A.rows != 6) return false;
  const int linear = A.rows == 3 ? 2 : 3;
  bool is = true;
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < linear; ++j) is &= A(i, j) == (i == j ? A(0, 0) : 0);
  return is;
}

}  // namespace

// Masses rarely change from one step to the next.
void VelocitySlots::build(const BlockDiagonal& M) {
  if (isFor(M)) return;
  place(M);
  M_.resize(full_sizes_);
  for (int block = 0; block < M.blockCount(); ++block) {
    if (!M.isOriginal(block)) continue;
    const ConstMatrixView A = M.block(block);
    const int full = blocks_[block].full;
    if (full >= 0) std::copy_n(A.data, A.rows * A.rows, M_.block(full).data);
    for (int k = 0; k < A.rows; ++k) mass_[slot(block) + k] = A(k, k);
  }
  L_ = M_;
  factorizeCholesky(L_);
  for (int block = 0; block < M.blockCount(); ++block) {
    if (!M.isOriginal(block)) continue;
    for (int k = 0; k < size(block); ++k) {
      const std::size_t place = at(slot(block) + k);
      root_[place] =
          isDiagonal(block) ? std::sqrt(mass_[place]) : L_.block(blocks_[block].full)(k, k);
      scale_[place] = 1 / root_[place];
    }
  }
}

bool VelocitySlots::isFor(const BlockDiagonal& M) const {
  if (blocks_.size() != at(M.blockCount()) || index_.size() != M.size()) return false;
  std::atomic<bool> same{true};
  parallelFor(M.blockCount(), SweepTasks::blocks, [&](int begin, int end) {
    for (int block = begin; block < end; ++block)
      if (blocks_[block].original != M.original(block) ||
          (M.isOriginal(block) && !isFor(blocks_[block], M.block(block))))
        same.store(false, std::memory_order_relaxed);
  });
  return same;
}

bool VelocitySlots::isFor(const Block& block, ConstMatrixView M) const {
  if (block.size != M.rows) return false;
  if (block.full >= 0)
    return std::equal(M.data, M.data + M.rows * M.rows, M_.block(block.full).data);
  bool same = hasOnlyDiagonal(M);
  for (int k = 0; k < M.rows; ++k) same &= M(k, k) == mass_[block.slot + k];
  return same;
}

void VelocitySlots::place(const BlockDiagonal& M) {
  index_ = M.index();
  blocks_.resize(M.blockCount());
  full_sizes_.clear();
  int next = kNoSlotWidth, end_of_originals = kNoSlotWidth;
  for (int b = 0; b < M.blockCount(); ++b) {
    const ConstMatrixView A = M.block(b);
    Block& block = blocks_[b];
    block = M.isOriginal(b) ? originalBlock(A) : blocks_[M.original(b)];
    block.first = M.firstRow(b);
    block.slot = next;
    block.original = M.original(b);
    next += (A.rows + kLine - 1) / kLine * kLine;
    if (M.isOriginal(b)) end_of_originals = next;
  }
  for (std::vector<double>* list : {&mass_, &root_, &scale_})
    list->assign(at(end_of_originals), 0.0);
  w_.assign(at(next), 0.0);
}

// Where it is has yet to be said.
VelocitySlots::Block VelocitySlots::originalBlock(ConstMatrixView A) {
  Block block;
  block.size = A.rows;
  block.is_body = isOfOneMass(A);
  if (hasOnlyDiagonal(A)) {
    block.has_one_inertia =
        block.is_body && A.rows == 6 && A(3, 3) == A(4, 4) && A(3, 3) == A(5, 5);
    return block;
  }
  block.full = static_cast<int>(full_sizes_.size());
  full_sizes_.push_back(A.rows);
  return block;
}

void VelocitySlots::toScaled(int block, std::span<double> row) const {
  if (!isDiagonal(block)) return solveLower(L_.block(blocks_[block].full), row);
  for (std::size_t k = 0; k < row.size(); ++k) row[k] /= root_[originalSlot(block) + k];
}

void VelocitySlots::start(std::span<const double> v) {
  parallelFor(static_cast<int>(blocks_.size()), SweepTasks::blocks, [&](int begin, int end) {
    for (const Block& block : std::span(blocks_).subspan(at(begin), at(end - begin))) {
      const double* from = v.data() + block.first;
      const double* root = root_.data() + slot(block.original);
      double* to = w_.data() + block.slot;
      if (block.full < 0) {
        for (int j = 0; j < block.size; ++j) to[j] = root[j] * from[j];
        continue;
      }
      const ConstMatrixView L = std::as_const(L_).block(block.full);
      for (int j = 0; j < L.rows; ++j) {
        to[j] = 0;
        for (int i = j; i < L.rows; ++i) to[j] += L(i, j) * from[i];
      }
    }
  });
}

void VelocitySlots::finish(std::span<double> v) const {
  parallelFor(static_cast<int>(blocks_.size()), SweepTasks::blocks, [&](int begin, int end) {
    for (const Block& block : std::span(blocks_).subspan(at(begin), at(end - begin))) {
      const double* from = w_.data() + block.slot;
      const double* inverse = scale_.data() + slot(block.original);
      double* to = v.data() + block.first;
      if (block.full < 0) {
        for (int j = 0; j < block.size; ++j) to[j] = from[j] * inverse[j];
        continue;
      }
      const ConstMatrixView L = L_.block(block.full);
      for (int j = L.rows - 1; j >= 0; --j) {
        double sum = from[j];
        for (int i = j + 1; i < L.rows; ++i) sum -= L(i, j) * to[i];
        to[j] = sum * inverse[j];
      }
    }
  });
}

}  // namespace stickslip
