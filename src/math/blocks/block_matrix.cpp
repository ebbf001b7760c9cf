#include "stickslip/block_matrix.hpp"

#include <algorithm>
#include <cassert>

namespace stickslip {

void detail::BlockIndex::build(std::span<const int> block_sizes) {
  size_ = 0;
  common_size_ = block_sizes.empty() ? 1 : block_sizes.front();
  for (const int n : block_sizes) {
    size_ += n;
    if (n != common_size_) common_size_ = 0;
  }
  block_of_.clear();
  if (common_size_ > 0) return;
  for (std::size_t b = 0; b < block_sizes.size(); ++b)
    block_of_.insert(block_of_.end(), static_cast<std::size_t>(block_sizes[b]),
                     static_cast<int>(b));
}

void BlockDiagonal::resize(std::span<const int> block_sizes, std::span<const int> like) {
  index_.build(block_sizes);
  rows_with_originals_ = 0;
  blocks_.clear();
  blocks_.reserve(block_sizes.size());
  std::size_t values = 0;
  int row = 0;
  for (std::size_t b = 0; b < block_sizes.size(); ++b) {
    const int n = block_sizes[b], original = like.empty() ? static_cast<int>(b) : like[b];
    assert(original <= static_cast<int>(b) && n == block_sizes[original]);
    blocks_.push_back({row, n, original, values});
    row += n;
    if (original < static_cast<int>(b)) {
      blocks_.back().first_value = blocks_[original].first_value;
      continue;
    }
    values += static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    rows_with_originals_ = row;
  }
  values_.assign(values, 0.0);
}

}  // namespace stickslip
