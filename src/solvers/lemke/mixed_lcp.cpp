#include "solvers/lemke/mixed_lcp.hpp"

#include <numeric>

namespace stickslip {
namespace {

// Sorts the entries by key(entry) in 0 ... keys - 1, negative keys left out, counting first;
// first[k] is where key k begins.
template <typename Key>
void sortEntries(std::span<const MixedLcp::Entry> entries, int keys, Key key,
                 std::vector<std::size_t>& first, std::vector<MixedLcp::Entry>& sorted) {
  first.assign(static_cast<std::size_t>(keys) + 2, 0);
  for (const MixedLcp::Entry& entry : entries)
    if (key(entry) >= 0) ++first[key(entry) + 2];
  std::partial_sum(first.begin(), first.end(), first.begin());
  sorted.resize(first.back());
  // first[k + 1] moves from the beginning of key k to its end.
  for (const MixedLcp::Entry& entry : entries)
    if (key(entry) >= 0) sorted[first[key(entry) + 1]++] = entry;
  first.pop_back();
}

}  // namespace

void MixedLcp::start(int free_count, int pair_count) {
  free_ = free_count;
  pairs_ = pair_count;
  entries_.clear();
  right_side_.assign(free_ + pairs_, 0.0);
  units_.assign(pairs_, 1.0);
  weights_.assign(pairs_, 1.0);
}

void MixedLcp::finish() {
  const int all = free_ + pairs_;
  sortEntries(
      entries_, all, [](const Entry& entry) { return entry.column; }, first_, sorted_);
  columns_.start(all);
  pair_first_.assign(1, 0);
  pair_.clear();
  pair_value_.clear();
  for (int column = 0; column < all; ++column) {
    for (std::size_t k = first_[column]; k < first_[column + 1]; ++k) {
      const auto [row, _, value] = sorted_[k];
      columns_.add(row, value);
      if (row < free_) continue;
      pair_.push_back(row - free_);
      pair_value_.push_back(value);
    }
    columns_.endColumn();
    pair_first_.push_back(pair_.size());
  }
  sortEntries(
      entries_, pairs_, [&](const Entry& entry) { return entry.row - free_; }, first_, rows_);
}

}  // namespace stickslip
