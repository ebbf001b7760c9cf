#include "problem/mass_factor.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel_for.hpp"
#include "math/dense/cholesky.hpp"

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
  blocks_.resize(M.blockCount());
  inverse_.resize(M.rowsWithOriginals());
  sizes_.clear();
  for (int b = 0; b < M.blockCount(); ++b) {
    const ConstMatrixView A = M.block(b);
    Block& block = blocks_[b];
    block = {M.firstRow(b), A.rows, M.firstRow(M.original(b)), -1};
    if (!M.isOriginal(b)) {
      block.factor = blocks_[M.original(b)].factor;
      continue;
    }
    for (int i = 0; i < A.rows; ++i) inverse_[block.inverse + i] = 1 / A(i, i);
    if (isDiagonal(A)) continue;
    block.factor = static_cast<int>(sizes_.size());
    sizes_.push_back(block.size);
  }
  factor_.resize(sizes_);
  for (int b = 0; b < M.blockCount(); ++b) {
    const int factor = blocks_[b].factor;
    const ConstMatrixView A = M.block(b);
    if (factor >= 0 && M.isOriginal(b))
      std::copy_n(A.data, static_cast<std::ptrdiff_t>(A.rows) * A.rows, factor_.block(factor).data);
  }
  factorizeCholesky(factor_);
}

void MassFactor::divide(std::span<double> x) const {
  parallelFor(static_cast<int>(blocks_.size()), kGrain, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) {
      const Block& block = blocks_[b];
      const std::span<double> part =
          x.subspan(static_cast<std::size_t>(block.first), static_cast<std::size_t>(block.size));
      if (block.factor < 0) {
        const double* inverse = inverse_.data() + block.inverse;
        for (std::size_t k = 0; k < part.size(); ++k) part[k] *= inverse[k];
      } else {
        solveLower(factor_.block(block.factor), part);
        solveLowerTransposed(factor_.block(block.factor), part);
      }
    }
  });
}

double MassFactor::mobility(const BlockRows& rows, int group, int k) {
  direction_.assign(static_cast<std::size_t>(blocks_.back().first + blocks_.back().size), 0.0);
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const StripValues entries = rows.values(group, strip);
    const std::span<const double> values = entries.row(k);
    std::copy(values.begin(), values.end(), direction_.begin() + strip.first_column);
  }
  double sum = 0;
  for (const Block& block : blocks_) {
    const std::span<double> part =
        std::span(direction_)
            .subspan(static_cast<std::size_t>(block.first), static_cast<std::size_t>(block.size));
    if (block.factor >= 0) solveLower(factor_.block(block.factor), part);
    for (std::size_t i = 0; i < part.size(); ++i)
      sum += part[i] * part[i] * (block.factor < 0 ? inverse_[block.inverse + i] : 1);
  }
  return sum;
}

}  // namespace stickslip
