#include "math/block_products.hpp"

#include <algorithm>

namespace stickslip {

void multiply(const BlockDiagonal& M, std::span<const double> x, std::span<double> y) {
  for (int b = 0; b < M.blockCount(); ++b) {
    const ConstMatrixView block = M.block(b);
    const std::size_t first = static_cast<std::size_t>(M.firstRow(b));
    const auto part = x.subspan(first, static_cast<std::size_t>(block.columns));
    for (int i = 0; i < block.rows; ++i)
      y[first + static_cast<std::size_t>(i)] = dot(block.row(i), part);
  }
}

void multiply(const BlockRows& J, std::span<const double> x, std::span<double> y) {
  std::fill_n(y.begin(), J.rowCount(), 0.0);
  for (int group = 0; group < J.groupCount(); ++group) {
    const auto rows = y.subspan(static_cast<std::size_t>(J.firstRow(group)));
    for (const BlockRows::Strip& strip : J.stripsOf(group)) {
      const StripValues entries = J.values(group, strip);
      const ConstMatrixView values = entries.view();
      const auto part = x.subspan(static_cast<std::size_t>(strip.first_column),
                                  static_cast<std::size_t>(strip.columns));
      for (int i = 0; i < values.rows; ++i)
        rows[static_cast<std::size_t>(i)] += dot(values.row(i), part);
    }
  }
}

}  // namespace stickslip
