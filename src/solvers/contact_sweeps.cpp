#include "solvers/contact_sweeps.hpp"

#include <algorithm>
#include <array>

namespace stickslip {
namespace {

// Of the inner iteration for polygons.
constexpr int kProjectedSteps = 6;

std::size_t at(int k) {
  return static_cast<std::size_t>(k);
}

}  // namespace

void ContactSweeps::reserve(int items, int rows) {
  contacts_.reserve(at(items));
  blocks_.reserve(at(3 * rows));
}

void ContactSweeps::prepare(ContactIsland& island) {
  const ImpulseOperator& W = island.W();
  contacts_.resize(island.items().size());
  blocks_.resize(W.blockEntries());
  for (int i = 0; i < W.itemCount(); ++i) {
    const MatrixView block{blocks_.data() + W.firstOfBlock(i), W.rowsOf(i), W.rowsOf(i)};
    W.diagonalBlock(i, block);
    if (island.items()[at(i)].kind == ContactItem::Kind::cone) contacts_[at(i)].prepare(block);
  }
}

void ContactSweeps::sweep(ContactIsland& island, int count, std::span<double> pi) {
  ImpulseOperator& W = island.W();
  W.startSweeps(pi);
  std::array<double, kMostRows> b{}, change{};
  for (int pass = 0; pass < count; ++pass)
    for (std::size_t i = 0; i < island.items().size(); ++i) {
      const ContactItem& item = island.items()[i];
      const std::size_t first = at(item.first), rows = at(item.rows);
      const std::span<double> part = pi.subspan(first, rows);
      const double* block = blocks_.data() + W.firstOfBlock(static_cast<int>(i));
      W.sweepVelocity(static_cast<int>(i), std::span(b).first(rows));
      for (std::size_t k = 0; k < rows; ++k) {
        b[k] += island.q()[first + k];
        for (std::size_t j = 0; j < rows; ++j) b[k] -= block[k * rows + j] * part[j];
        change[k] = -part[k];
      }
      solveItem(island, i, std::span(b).first(rows), part);
      for (std::size_t k = 0; k < rows; ++k) change[k] += part[k];
      W.sweepChange(static_cast<int>(i), std::span(change).first(rows));
    }
}

// `pi` is the old value on entry.
void ContactSweeps::solveItem(const ContactIsland& island, std::size_t index,
                              std::span<const double> b, std::span<double> pi) const {
  const ContactItem& item = island.items()[index];
  const double mobility = blocks_[island.W().firstOfBlock(static_cast<int>(index))];
  switch (item.kind) {
    case ContactItem::Kind::cone:
      return contacts_[index].solve(b, pi);
    case ContactItem::Kind::polygon:
    case ContactItem::Kind::sections:
    case ContactItem::Kind::fixed:
      return projectedSteps(island, index, b, pi);
    case ContactItem::Kind::interval:
      if (mobility > 0) pi[0] = std::clamp(-b[0] / mobility, item.lower, item.upper);
      return;
    case ContactItem::Kind::joint:
      if (mobility > 0) pi[0] = -b[0] / mobility;
      return;
  }
}

// pi <- P_K(pi - r omega_hat) with r = 1 / trace: slow, but cannot grow.
void ContactSweeps::projectedSteps(const ContactIsland& island, std::size_t index,
                                   std::span<const double> b, std::span<double> pi) const {
  const ContactItem& item = island.items()[index];
  const std::size_t rows = pi.size();
  const double* block = blocks_.data() + island.W().firstOfBlock(static_cast<int>(index));
  double trace = 0;
  for (std::size_t k = 0; k < rows; ++k) trace += block[k * (rows + 1)];
  if (!(trace > 0)) return;
  std::array<double, kMostRows> omega{};
  const std::span<double> part = std::span(omega).first(rows);
  for (int step = 0; step < kProjectedSteps; ++step) {
    for (std::size_t k = 0; k < rows; ++k) {
      part[k] = b[k];
      for (std::size_t j = 0; j < rows; ++j) part[k] += block[k * rows + j] * pi[j];
    }
    part[0] += slipOf(item, island.law(), part);
    for (std::size_t k = 0; k < rows; ++k) pi[k] -= part[k] / trace;
    projectOnItem(item, pi);
  }
}

}  // namespace stickslip
