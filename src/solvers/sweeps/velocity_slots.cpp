#include "solvers/sweeps/velocity_slots.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel_for.hpp"
#include "math/dense/cholesky.hpp"
#include "solvers/sweeps/settings.hpp"

namespace stickslip {
namespace {

// Slots begin at multiples of this; the first one is kNoSlot's.
constexpr int kLine = 4;
constexpr int kNoSlotWidth = 8;

bool isOfOneMass(ConstMatrixView A) {
  if (A.rows != 3 && A.rows != 6) return false;
  const int linear = A.rows == 3 ? 2 : 3;
  bool is = true;
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < linear; ++j) is &= A(i, j) == (i == j ? A(0, 0) : 0);
  return is;
}

}  // namespace

void VelocitySlots::build(const BlockDiagonal& M) {
  if (!mass_.start(M)) return;
  place(M);
  for (int block = 0; block < M.blockCount(); ++block) {
    if (!M.isOriginal(block)) continue;
    const ConstMatrixView L = mass_.L().block(block);
    for (int k = 0; k < size(block); ++k) {
      const std::size_t place = slot(block) + k;
      root_[place] = L(k, k);
      scale_[place] = 1 / root_[place];
    }
  }
}

void VelocitySlots::place(const BlockDiagonal& M) {
  index_ = M.index();
  blocks_.resize(M.blockCount());
  int next = kNoSlotWidth, end_of_originals = kNoSlotWidth;
  for (int b = 0; b < M.blockCount(); ++b) {
    const ConstMatrixView A = M.block(b);
    Block& block = blocks_[b];
    if (M.isOriginal(b)) {
      block = {};
      block.size = A.rows;
      block.is_body = isOfOneMass(A);
      block.has_one_inertia = block.is_body && A.rows == 6 && mass_.isDiagonal(b) &&
                              A(3, 3) == A(4, 4) && A(3, 3) == A(5, 5);
    } else {
      block = blocks_[M.original(b)];
    }
    block.first = M.firstRow(b);
    block.slot = next;
    block.original = M.original(b);
    next += (A.rows + kLine - 1) / kLine * kLine;
    if (M.isOriginal(b)) end_of_originals = next;
  }
  for (std::vector<double>* list : {&root_, &scale_}) list->assign(end_of_originals, 0.0);
  w_.assign(next, 0.0);
}

void VelocitySlots::toScaled(int block, std::span<double> row) const {
  if (!isDiagonal(block)) return solveLower(mass_.L().block(block), row);
  for (std::size_t k = 0; k < row.size(); ++k) row[k] /= root_[originalSlot(block) + k];
}

void VelocitySlots::start(std::span<const double> v) {
  parallelFor(static_cast<int>(blocks_.size()), SweepTasks::blocks, [&](int begin, int end) {
    for (const Block& block : std::span(blocks_).subspan(begin, end - begin)) {
      const double* from = v.data() + block.first;
      const double* root = root_.data() + slot(block.original);
      double* to = w_.data() + block.slot;
      if (isDiagonal(block.original)) {
        for (int j = 0; j < block.size; ++j) to[j] = root[j] * from[j];
        continue;
      }
      const ConstMatrixView L = mass_.L().block(block.original);
      for (int j = 0; j < L.rows; ++j) {
        to[j] = 0;
        for (int i = j; i < L.rows; ++i) to[j] += L(i, j) * from[i];
      }
    }
  });
}

void VelocitySlots::finish(std::span<double> v) const {
  parallelFor(static_cast<int>(blocks_.size()), SweepTasks::blocks, [&](int begin, int end) {
    for (const Block& block : std::span(blocks_).subspan(begin, end - begin)) {
      const double* from = w_.data() + block.slot;
      const double* inverse = scale_.data() + slot(block.original);
      double* to = v.data() + block.first;
      if (isDiagonal(block.original)) {
        for (int j = 0; j < block.size; ++j) to[j] = from[j] * inverse[j];
        continue;
      }
      const ConstMatrixView L = mass_.L().block(block.original);
      for (int j = L.rows - 1; j >= 0; --j) {
        double sum = from[j];
        for (int i = j + 1; i < L.rows; ++i) sum -= L(i, j) * to[i];
        to[j] = sum * inverse[j];
      }
    }
  });
}

}  // namespace stickslip
