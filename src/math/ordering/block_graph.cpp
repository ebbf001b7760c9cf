#include "math/ordering/block_graph.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace stickslip {
namespace {

// Turns counts, kept one place late, into the places where each range starts.
void startsFromCounts(std::vector<int>& first) {
  std::partial_sum(first.begin(), first.end(), first.begin());
}

}  // namespace

bool BlockGraph::assign(std::span<const int> block_sizes, std::span<const Coupling> couplings) {
  const bool same_sizes = std::ranges::equal(block_sizes, sizes_) && !first_.empty();
  if (same_sizes && std::ranges::equal(couplings, couplings_)) return true;
  sizes_.assign(block_sizes.begin(), block_sizes.end());
  couplings_.assign(couplings.begin(), couplings.end());
  first_.swap(old_first_);
  neighbours_.swap(old_neighbours_);
  sortCouplings(couplings);
  // The two change places: what one has grown to, the other will need.
  old_first_.reserve(first_.capacity());
  old_neighbours_.reserve(neighbours_.capacity());
  dropRepetitions();
  return same_sizes && first_ == old_first_ && neighbours_ == old_neighbours_;
}

// Radix sort with two digits: by one end, then, stable, by the other.
void BlockGraph::sortCouplings(std::span<const Coupling> couplings) {
  const int blocks = blockCount();
  first_.assign(static_cast<std::size_t>(blocks) + 1, 0);
  for (const auto& [a, b] : couplings) {
    assert(0 <= a && a < blocks && 0 <= b && b < blocks && a != b);
    ++first_[a + 1];
    ++first_[b + 1];
  }
  startsFromCounts(first_);
  place_.assign(first_.begin(), first_.end());
  by_column_.resize(2 * couplings.size());
  for (const auto& [a, b] : couplings) {
    by_column_[place_[a]++] = b;
    by_column_[place_[b]++] = a;
  }
  // The graph is symmetric: columns taken in order fill the rows in order.
  place_.assign(first_.begin(), first_.end());
  neighbours_.resize(by_column_.size());
  for (int column = 0; column < blocks; ++column)
    for (int k = first_[column]; k < first_[column + 1]; ++k)
      neighbours_[place_[by_column_[k]]++] = column;
}

void BlockGraph::dropRepetitions() {
  int kept = 0, k = 0;
  for (int block = 0; block < blockCount(); ++block) {
    const int start = kept, end = first_[block + 1];
    for (; k < end; ++k)
      if (kept == start || neighbours_[kept - 1] != neighbours_[k])
        neighbours_[kept++] = neighbours_[k];
    first_[block] = start;
  }
  first_[blockCount()] = kept;
  neighbours_.resize(kept);
}

}  // namespace stickslip
