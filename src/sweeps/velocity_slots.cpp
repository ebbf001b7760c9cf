#include "sweeps/velocity_slots.hpp"

#include <algorithm>
#include <cstring>

#include "math/cholesky.hpp"
#include "math/index.hpp"
#include "parallel/parallel_for.hpp"

namespace stickslip {
namespace {

// Slots begin at multiples of this; the first one is kNoSlot's.
constexpr int kLine = 4;
constexpr int kNoSlotWidth = 8;
constexpr int kBlocksAtOnce = 512;

bool isSame(const BlockDiagonal& a, const BlockDiagonal& b) {
  if (a.size() != b.size() || a.blockCount() != b.blockCount()) return false;
  for (int k = 0; k < a.blockCount(); ++k) {
    const ConstMatrixView x = a.block(k), y = b.block(k);
    // Their bits: a zero with another sign does no harm.
    if (x.rows != y.rows || std::memcmp(x.data, y.data, at(x.rows * x.rows) * sizeof(double)) != 0)
      return false;
  }
  return true;
}

bool hasOnlyDiagonal(ConstMatrixView A) {
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < i; ++j)
      if (A(i, j) != 0) return false;
  return true;
}

}  // namespace

void VelocitySlots::reserve(int velocities) {
  block_of_.reserve(at(velocities));
  slots_.reserve(at(velocities));
  diagonal_.reserve(at(velocities));
  scale_.reserve(at(kNoSlotWidth + kLine * velocities));
  w_.reserve(at(kNoSlotWidth + kLine * velocities));
}

// Masses rarely change from one step to the next.
void VelocitySlots::build(const BlockDiagonal& M) {
  if (isSame(M, M_)) return;
  M_ = M;
  L_ = M;
  factorizeCholesky(L_);
  place();
  for (int block = 0; block < L_.blockCount(); ++block) {
    const ConstMatrixView L = L_.block(block);
    diagonal_[at(block)] = hasOnlyDiagonal(L) ? 1 : 0;
    for (int k = 0; k < L.rows; ++k) scale_[at(slot(block) + k)] = 1 / L(k, k);
  }
}

void VelocitySlots::place() {
  const int blocks = L_.blockCount();
  block_of_.resize(at(L_.size()));
  slots_.resize(at(blocks));
  diagonal_.resize(at(blocks));
  int next = kNoSlotWidth;
  for (int block = 0; block < blocks; ++block) {
    const int rows = L_.block(block).rows, first = L_.firstRow(block);
    std::fill_n(block_of_.begin() + first, rows, block);
    slots_[at(block)] = next;
    next += (rows + kLine - 1) / kLine * kLine;
  }
  scale_.assign(at(next), 0.0);
  w_.assign(at(next), 0.0);
}

void VelocitySlots::toScaled(int block, std::span<double> row) const {
  solveLower(L_.block(block), row);
}

void VelocitySlots::start(std::span<const double> v) {
  parallelFor(L_.blockCount(), kBlocksAtOnce, [&](int begin, int end) {
    for (int block = begin; block < end; ++block) {
      const ConstMatrixView L = L_.block(block);
      const double* from = v.data() + L_.firstRow(block);
      double* to = w_.data() + slot(block);
      if (isDiagonal(block)) {
        for (int j = 0; j < L.rows; ++j) to[j] = L(j, j) * from[j];
        continue;
      }
      for (int j = 0; j < L.rows; ++j) {
        to[j] = 0;
        for (int i = j; i < L.rows; ++i) to[j] += L(i, j) * from[i];
      }
    }
  });
}

void VelocitySlots::finish(std::span<double> v) const {
  parallelFor(L_.blockCount(), kBlocksAtOnce, [&](int begin, int end) {
    for (int block = begin; block < end; ++block) {
      const ConstMatrixView L = L_.block(block);
      const double* from = w_.data() + slot(block);
      const double* inverse = scale_.data() + slot(block);
      double* to = v.data() + L_.firstRow(block);
      if (isDiagonal(block)) {
        for (int j = 0; j < L.rows; ++j) to[j] = from[j] * inverse[j];
        continue;
      }
      for (int j = L.rows - 1; j >= 0; --j) {
        double sum = from[j];
        for (int i = j + 1; i < L.rows; ++i) sum -= L(i, j) * to[i];
        to[j] = sum * inverse[j];
      }
    }
  });
}

}  // namespace stickslip
