#include "problem/pair_rows.hpp"

#include <algorithm>
#include <cassert>

#include "base/index.hpp"

namespace stickslip {
namespace {

// y += T x, where T is lower triangular and x has the numbers from `from` to `to` only.
void addTriangleTimes(ConstMatrixView T, const double* x, int from, int to, double* y) {
  for (int r = from; r < T.rows; ++r) {
    const double* weights = T.row(r).data() + from;
    double sum = 0;
    for (int k = 0; k < std::min(to, r + 1) - from; ++k) sum += weights[k] * x[k];
    y[r] += sum;
  }
}

}  // namespace

PairRows::PairRows(const BlockDiagonal& L, const BlockDiagonal& inverse_L, const BlockRows& J,
                   int contact, std::span<const int> block_of_column) {
  for (const BlockRows::Strip& strip : J.stripsOf(contact)) {
    const StripValues entries = J.values(contact, strip);
    const ConstMatrixView values = entries.view();
    const int end = strip.first_column + strip.columns;
    for (int begin = strip.first_column, next = begin; begin < end; begin = next) {
      const int block = block_of_column[begin], first = L.firstRow(block);
      const std::size_t side = sideOf(block);
      next = std::min(end, first + L.block(block).rows);
      for (int i = 0; i < values.rows; ++i)
        addTriangleTimes(inverse_L.block(block),
                         values.row(i).data() + (begin - strip.first_column), begin - first,
                         next - first, rows[i].data() + kColumns * side);
    }
  }
}

std::size_t PairRows::sideOf(int block) {
  for (int side = 0; side < count; ++side)
    if (blocks[side] == block) return at(side);
  assert(count < 2);
  blocks[count] = block;
  return at(count++);
}

double PairRows::product(int i, int j) const {
  double sum = 0;
  for (std::size_t k = 0; k < 2 * kColumns; ++k) sum += rows[i][k] * rows[j][k];
  return sum;
}

}  // namespace stickslip
