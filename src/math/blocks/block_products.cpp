#include "math/blocks/block_products.hpp"

#include <algorithm>

#include "base/parallel_for.hpp"

namespace stickslip {
namespace {

constexpr int kGroupGrain = 512;

}  // namespace

void multiply(const BlockDiagonal& M, std::span<const double> x, std::span<double> y) {
  for (int b = 0; b < M.blockCount(); ++b) {
    const ConstMatrixView block = M.block(b);
    const std::size_t first = M.firstRow(b);
    const auto part = x.subspan(first, block.columns);
    for (int i = 0; i < block.rows; ++i) y[first + i] = dot(block.row(i), part);
  }
}

double quadraticForm(const BlockDiagonal& M, std::span<const double> x) {
  double sum = 0;
  for (int b = 0; b < M.blockCount(); ++b) {
    const ConstMatrixView block = M.block(b);
    const auto part = x.subspan(M.firstRow(b), block.columns);
    for (int i = 0; i < block.rows; ++i) sum += part[i] * dot(block.row(i), part);
  }
  return sum;
}

void multiply(const BlockRows& J, std::span<const double> x, std::span<double> y) {
  parallelFor(J.groupCount(), kGroupGrain, [&](int begin, int end) {
    for (int group = begin; group < end; ++group) {
      const auto rows = y.subspan(J.firstRow(group), J.rowsOf(group));
      std::fill(rows.begin(), rows.end(), 0.0);
      for (const BlockRows::Strip& strip : J.stripsOf(group)) {
        const StripValues entries = J.values(group, strip);
        const auto part = x.subspan(strip.first_column, strip.columns);
        for (std::size_t i = 0; i < rows.size(); ++i)
          rows[i] += dot(entries.row(static_cast<int>(i)), part);
      }
    }
  });
}

}  // namespace stickslip
