#include "math/mass_factor.hpp"

#include <algorithm>
#include <cmath>

#include "math/cholesky.hpp"
#include "parallel/parallel_for.hpp"

namespace stickslip {
namespace {

constexpr int kGrain = 512;

bool isDiagonal(ConstMatrixView A) {
  bool diagonal = true;
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < i; ++j) diagonal &= A(i, j) == 0;
  return diagonal;
}

}  // namespace

void MassFactor::start(const BlockDiagonal& M) {
  blocks_.resize(static_cast<std::size_t>(M.blockCount()));
  diagonal_.resize(static_cast<std::size_t>(M.size()), NAN);
  inverse_.resize(static_cast<std::size_t>(M.size()));
  parallelFor(M.blockCount(), kGrain, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      const ConstMatrixView A = M.block(b);
      blocks_[static_cast<std::size_t>(b)] = {M.firstRow(b), A.rows, isDiagonal(A) ? -1 : 0};
      for (int i = 0; i < A.rows; ++i) {
        const auto k = static_cast<std::size_t>(M.firstRow(b) + i);
        if (diagonal_[k] == A(i, i)) continue;
        diagonal_[k] = A(i, i);
        inverse_[k] = 1 / A(i, i);
      }
    }
  });
  sizes_.clear();
  for (Block& block : blocks_) {
    if (block.factor < 0) continue;
    block.factor = static_cast<int>(sizes_.size());
    sizes_.push_back(block.size);
  }
  factor_.resize(sizes_);
  if (sizes_.empty()) return;
  for (int b = 0; b < M.blockCount(); ++b) {
    const Block& block = blocks_[static_cast<std::size_t>(b)];
    if (block.factor < 0) continue;
    const ConstMatrixView A = M.block(b);
    std::copy_n(A.data, static_cast<std::ptrdiff_t>(A.rows) * A.rows,
                factor_.block(block.factor).data);
  }
  factorizeCholesky(factor_);
}

void MassFactor::divide(std::span<double> x) const {
  parallelFor(static_cast<int>(blocks_.size()), kGrain, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      const Block& block = blocks_[static_cast<std::size_t>(b)];
      const auto first = static_cast<std::size_t>(block.first);
      const std::span<double> part = x.subspan(first, static_cast<std::size_t>(block.size));
      if (block.factor < 0) {
        for (std::size_t k = 0; k < part.size(); ++k) part[k] *= inverse_[first + k];
      } else {
        solveLower(factor_.block(block.factor), part);
        solveLowerTransposed(factor_.block(block.factor), part);
      }
    }
  });
}

double MassFactor::mobility(const BlockRows& rows, int group, int k) {
  direction_.assign(inverse_.size(), 0.0);
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const std::span<const double> values = rows.values(group, strip).row(k);
    std::copy(values.begin(), values.end(), direction_.begin() + strip.first_column);
  }
  double sum = 0;
  for (const Block& block : blocks_) {
    const auto first = static_cast<std::size_t>(block.first);
    const std::span<double> part =
        std::span(direction_).subspan(first, static_cast<std::size_t>(block.size));
    if (block.factor >= 0) solveLower(factor_.block(block.factor), part);
    for (std::size_t i = 0; i < part.size(); ++i)
      sum += part[i] * part[i] * (block.factor < 0 ? inverse_[first + i] : 1);
  }
  return sum;
}

}  // namespace stickslip
