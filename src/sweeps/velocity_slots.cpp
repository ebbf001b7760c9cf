#include "sweeps/velocity_slots.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "math/cholesky.hpp"
#include "math/index.hpp"
#include "parallel/parallel_for.hpp"

namespace stickslip {
namespace {

// Slots begin at multiples of this; the first one is kNoSlot's.
constexpr int kLine = 4;
constexpr int kNoSlotWidth = 8;
constexpr int kBlocksAtOnce = 512;

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

void VelocitySlots::reserve(int velocities) {
  block_of_.reserve(at(velocities));
  blocks_.reserve(at(velocities));
  for (std::vector<double>* list : {&mass_, &root_, &scale_, &w_})
    list->reserve(at(kNoSlotWidth + kLine * velocities));
}

// Masses rarely change from one step to the next.
void VelocitySlots::build(const BlockDiagonal& M) {
  if (isFor(M)) return;
  place(M);
  M_.resize(full_sizes_);
  for (int block = 0; block < M.blockCount(); ++block) {
    const ConstMatrixView A = M.block(block);
    const int full = blocks_[at(block)].full;
    if (full >= 0) std::copy_n(A.data, A.rows * A.rows, M_.block(full).data);
    for (int k = 0; k < A.rows; ++k) {
      mass_[at(slot(block) + k)] = A(k, k);
      root_[at(slot(block) + k)] = std::sqrt(A(k, k));
    }
  }
  L_ = M_;
  factorizeCholesky(L_);
  for (int block = 0; block < M.blockCount(); ++block)
    for (int k = 0; k < size(block); ++k) {
      double& root = root_[at(slot(block) + k)];
      if (!isDiagonal(block)) root = L_.block(blocks_[at(block)].full)(k, k);
      scale_[at(slot(block) + k)] = 1 / root;
    }
}

bool VelocitySlots::isFor(const BlockDiagonal& M) const {
  if (blocks_.size() != at(M.blockCount()) || block_of_.size() != at(M.size())) return false;
  std::atomic<bool> same{true};
  parallelFor(M.blockCount(), kBlocksAtOnce, [&](int begin, int end) {
    for (int block = begin; block < end; ++block)
      if (!isFor(blocks_[at(block)], M.block(block))) same.store(false, std::memory_order_relaxed);
  });
  return same;
}

bool VelocitySlots::isFor(const Block& block, ConstMatrixView M) const {
  if (block.size != M.rows) return false;
  if (block.full >= 0)
    return std::equal(M.data, M.data + M.rows * M.rows, M_.block(block.full).data);
  bool same = hasOnlyDiagonal(M);
  for (int k = 0; k < M.rows; ++k) same &= M(k, k) == mass_[at(block.slot + k)];
  return same;
}

void VelocitySlots::place(const BlockDiagonal& M) {
  block_of_.resize(at(M.size()));
  blocks_.resize(at(M.blockCount()));
  full_sizes_.clear();
  int next = kNoSlotWidth;
  for (int block = 0; block < M.blockCount(); ++block) {
    const ConstMatrixView A = M.block(block);
    const int first = M.firstRow(block);
    const bool diagonal = hasOnlyDiagonal(A);
    std::fill_n(block_of_.begin() + first, A.rows, block);
    blocks_[at(block)] = {first, A.rows, next,
                          diagonal ? -1 : static_cast<int>(full_sizes_.size())};
    blocks_[at(block)].is_body = isOfOneMass(A);
    if (!diagonal) full_sizes_.push_back(A.rows);
    next += (A.rows + kLine - 1) / kLine * kLine;
  }
  for (std::vector<double>* list : {&mass_, &root_, &scale_, &w_}) list->assign(at(next), 0.0);
}

void VelocitySlots::toScaled(int block, std::span<double> row) const {
  if (!isDiagonal(block)) return solveLower(L_.block(blocks_[at(block)].full), row);
  for (std::size_t k = 0; k < row.size(); ++k) row[k] /= root_[at(slot(block)) + k];
}

void VelocitySlots::start(std::span<const double> v) {
  parallelFor(static_cast<int>(blocks_.size()), kBlocksAtOnce, [&](int begin, int end) {
    for (const Block& block : std::span(blocks_).subspan(at(begin), at(end - begin))) {
      const double* from = v.data() + block.first;
      const double* root = root_.data() + block.slot;
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
  parallelFor(static_cast<int>(blocks_.size()), kBlocksAtOnce, [&](int begin, int end) {
    for (const Block& block : std::span(blocks_).subspan(at(begin), at(end - begin))) {
      const double* from = w_.data() + block.slot;
      const double* inverse = scale_.data() + block.slot;
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
