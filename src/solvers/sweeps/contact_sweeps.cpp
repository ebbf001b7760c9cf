#include "solvers/sweeps/contact_sweeps.hpp"

#include <array>

namespace stickslip {

void ContactSweeps::reserve(int cones, int rows) {
  solves_.reserve(cones, rows);
}

void ContactSweeps::prepare(ScaledIsland& island) {
  const Delassus& W = island.W();
  std::array<double, kMostRows * kMostRows> block{};
  solves_.clear();
  for (int i = 0; i < W.coneCount(); ++i) {
    const MatrixView A{block.data(), W.rowsOf(i), W.rowsOf(i)};
    W.diagonalBlock(i, A);
    solves_.add(island.cones()[i], A);
  }
}

void ContactSweeps::sweep(ScaledIsland& island, int count, std::span<double> p) {
  island.W().startSweeps(p);
  const int cones = island.W().coneCount();
  for (int pass = 0; pass < count; ++pass)
    for (int i = 0; i < cones; ++i) solveItem(island, i, p);
}

void ContactSweeps::sweepThereAndBack(ScaledIsland& island, int count, std::span<double> p) {
  island.W().startSweeps(p);
  const int cones = island.W().coneCount();
  for (int pass = 0; pass < count; ++pass) {
    for (int i = 0; i < cones; ++i) solveItem(island, i, p);
    for (int i = cones; i-- > 0;) solveItem(island, i, p);
  }
}

void ContactSweeps::solveItem(ScaledIsland& island, int index, std::span<double> p) const {
  Delassus& W = island.W();
  const Cone& cone = island.cones()[index];
  const auto first = static_cast<std::size_t>(cone.first);
  const auto rows = static_cast<std::size_t>(cone.rows);
  const std::span<double> part = p.subspan(first, rows);
  const ConstMatrixView A = solves_.block(index);
  std::array<double, kMostRows> b, change;
  W.sweepVelocity(index, std::span(b).first(rows));
  for (std::size_t k = 0; k < rows; ++k) {
    b[k] += island.q()[first + k];
    for (std::size_t j = 0; j < rows; ++j) b[k] -= A.data[k * rows + j] * part[j];
    change[k] = -part[k];
  }
  solves_.solve(index, cone, island.law(), std::span(b).first(rows), part);
  for (std::size_t k = 0; k < rows; ++k) change[k] += part[k];
  W.sweepChange(index, std::span(change).first(rows));
}

}  // namespace stickslip
