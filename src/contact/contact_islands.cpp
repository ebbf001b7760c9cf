#include "contact/contact_islands.hpp"

#include <algorithm>
#include <numeric>

namespace stickslip {
namespace {

bool feelEachOther(ConstMatrixView W, const BlockRows& J, int a, int b) {
  for (int i = J.firstRow(a); i < J.firstRow(a) + J.rowsOf(a); ++i) {
    const auto row = W.row(i).subspan(static_cast<std::size_t>(J.firstRow(b)),
                                      static_cast<std::size_t>(J.rowsOf(b)));
    if (std::any_of(row.begin(), row.end(), [](double w) { return w != 0; })) return true;
  }
  return false;
}

}  // namespace

void ContactIslands::reserve(int contacts) {
  const auto n = static_cast<std::size_t>(contacts);
  parent_.reserve(n);
  island_.reserve(n);
  first_.reserve(n + 1);
  order_.reserve(n);
}

void ContactIslands::find(ConstMatrixView W, const BlockRows& J) {
  parent_.resize(static_cast<std::size_t>(J.groupCount()));
  std::iota(parent_.begin(), parent_.end(), 0);
  for (int b = 1; b < J.groupCount(); ++b)
    for (int a = 0; a < b; ++a) {
      const int root_a = rootOf(a), root_b = rootOf(b);
      if (root_a == root_b || !feelEachOther(W, J, a, b)) continue;
      parent_[static_cast<std::size_t>(std::max(root_a, root_b))] = std::min(root_a, root_b);
    }
  collect();
}

int ContactIslands::rootOf(int contact) {
  auto k = static_cast<std::size_t>(contact);
  while (parent_[k] != static_cast<int>(k)) {
    // Halving the way keeps later ones short.
    parent_[k] = parent_[static_cast<std::size_t>(parent_[k])];
    k = static_cast<std::size_t>(parent_[k]);
  }
  return static_cast<int>(k);
}

// Sorts the contacts by island, counting first.
void ContactIslands::collect() {
  const int contacts = static_cast<int>(parent_.size());
  island_.resize(parent_.size());
  order_.resize(parent_.size());
  first_.assign(1, 0);
  for (int i = 0; i < contacts; ++i) {
    const int root = rootOf(i);
    if (root == i) first_.push_back(0);
    island_[static_cast<std::size_t>(i)] =
        root == i ? count() - 1 : island_[static_cast<std::size_t>(root)];
    ++first_[static_cast<std::size_t>(island_[static_cast<std::size_t>(i)]) + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  for (int i = contacts; i-- > 0;) {
    // From the back: the end of an island moves down to its beginning.
    int& end = first_[static_cast<std::size_t>(island_[static_cast<std::size_t>(i)]) + 1];
    order_[static_cast<std::size_t>(--end)] = i;
  }
  // Now first_[k + 1] is where island k begins.
  std::rotate(first_.begin(), first_.begin() + 1, first_.end());
  first_.back() = contacts;
}

std::span<const int> ContactIslands::contacts(int island) const {
  const auto k = static_cast<std::size_t>(island);
  return std::span(order_).subspan(static_cast<std::size_t>(first_[k]),
                                   static_cast<std::size_t>(first_[k + 1] - first_[k]));
}

}  // namespace stickslip
