#include "solvers/contact_sweeps.hpp"

#include <array>

namespace stickslip {

void ContactSweeps::reserve(int items, int rows) {
  solves_.reserve(items, rows);
}

void ContactSweeps::prepare(ContactIsland& island) {
  const ImpulseOperator& W = island.W();
  std::array<double, kMostRows * kMostRows> block{};
  solves_.clear();
  for (int i = 0; i < W.itemCount(); ++i) {
    const MatrixView A{block.data(), W.rowsOf(i), W.rowsOf(i)};
    W.diagonalBlock(i, A);
    solves_.add(island.items()[static_cast<std::size_t>(i)], A);
  }
}

void ContactSweeps::sweep(ContactIsland& island, int count, std::span<double> pi) {
  island.W().startSweeps(pi);
  const int items = island.W().itemCount();
  for (int pass = 0; pass < count; ++pass)
    for (int i = 0; i < items; ++i) solveItem(island, i, pi);
}

void ContactSweeps::sweepThereAndBack(ContactIsland& island, int count, std::span<double> pi) {
  island.W().startSweeps(pi);
  const int items = island.W().itemCount();
  for (int pass = 0; pass < count; ++pass) {
    for (int i = 0; i < items; ++i) solveItem(island, i, pi);
    for (int i = items; i-- > 0;) solveItem(island, i, pi);
  }
}

void ContactSweeps::solveItem(ContactIsland& island, int index, std::span<double> pi) const {
  ImpulseOperator& W = island.W();
  const ContactItem& item = island.items()[static_cast<std::size_t>(index)];
  const auto first = static_cast<std::size_t>(item.first);
  const auto rows = static_cast<std::size_t>(item.rows);
  const std::span<double> part = pi.subspan(first, rows);
  const ConstMatrixView A = solves_.block(index);
  std::array<double, kMostRows> b, change;
  W.sweepVelocity(index, std::span(b).first(rows));
  for (std::size_t k = 0; k < rows; ++k) {
    b[k] += island.q()[first + k];
    for (std::size_t j = 0; j < rows; ++j) b[k] -= A.data[k * rows + j] * part[j];
    change[k] = -part[k];
  }
  solves_.solve(index, item, island.law(), std::span(b).first(rows), part);
  for (std::size_t k = 0; k < rows; ++k) change[k] += part[k];
  W.sweepChange(index, std::span(change).first(rows));
}

}  // namespace stickslip
