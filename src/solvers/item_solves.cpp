#include "solvers/item_solves.hpp"

#include <algorithm>
#include <array>

#include "math/index.hpp"

namespace stickslip {
namespace {

constexpr int kProjectedSteps = 6;

}  // namespace

void ItemSolves::reserve(int items, int rows) {
  contacts_.reserve(at(items));
  first_.reserve(at(items));
  rows_.reserve(at(items));
  blocks_.reserve(at(3 * rows));
}

void ItemSolves::clear() {
  contacts_.clear();
  blocks_.clear();
  first_.clear();
  rows_.clear();
}

int ItemSolves::add(const ContactItem& item, ConstMatrixView A) {
  contacts_.emplace_back();
  if (item.kind == ContactItem::Kind::cone) contacts_.back().prepare(A);
  first_.push_back(blocks_.size());
  rows_.push_back(A.rows);
  blocks_.insert(blocks_.end(), A.data, A.data + A.rows * A.rows);
  return static_cast<int>(rows_.size()) - 1;
}

ConstMatrixView ItemSolves::block(int index) const {
  return {blocks_.data() + first_[at(index)], rows_[at(index)], rows_[at(index)]};
}

void ItemSolves::solve(int index, const ContactItem& item, Law law, std::span<const double> b,
                       std::span<double> pi) const {
  const double mobility = block(index)(0, 0);
  switch (item.kind) {
    case ContactItem::Kind::cone:
      if (law == Law::coulomb) return contacts_[at(index)].solve(b, pi);
      return projectedSteps(index, item, law, b, pi);
    case ContactItem::Kind::polygon:
    case ContactItem::Kind::sections:
    case ContactItem::Kind::fixed:
      return projectedSteps(index, item, law, b, pi);
    case ContactItem::Kind::interval:
      if (mobility > 0) pi[0] = std::clamp(-b[0] / mobility, item.lower, item.upper);
      return;
    case ContactItem::Kind::joint:
      if (mobility > 0) pi[0] = -b[0] / mobility;
      return;
  }
}

void ItemSolves::projectedSteps(int index, const ContactItem& item, Law law,
                                std::span<const double> b, std::span<double> pi) const {
  const ConstMatrixView A = block(index);
  double trace = 0;
  for (int k = 0; k < A.rows; ++k) trace += A(k, k);
  if (!(trace > 0)) return;
  std::array<double, kMostRows> omega{};
  const std::span<double> part = std::span(omega).first(pi.size());
  for (int step = 0; step < kProjectedSteps; ++step) {
    for (std::size_t k = 0; k < pi.size(); ++k) {
      const std::span<const double> row = A.row(static_cast<int>(k));
      part[k] = b[k];
      for (std::size_t j = 0; j < pi.size(); ++j) part[k] += row[j] * pi[j];
    }
    part[0] += slipOf(item, law, part);
    for (std::size_t k = 0; k < pi.size(); ++k) pi[k] -= part[k] / trace;
    projectOnItem(item, pi);
  }
}

}  // namespace stickslip
