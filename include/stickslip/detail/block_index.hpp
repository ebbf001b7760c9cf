// Which block a velocity belongs to, for BlockDiagonal and what is made after it.
#pragma once

#include <span>
#include <vector>

namespace stickslip::detail {

/// Which block a velocity belongs to. Where all blocks are alike, as those of bodies are, that
/// needs no table.
class BlockIndex {
 public:
  void build(std::span<const int> block_sizes);

  int size() const { return size_; }
  int blockOf(int row) const {
    // Divisors that the compiler knows are quicker.
    if (common_size_ == 6) return row / 6;
    if (common_size_ == 3) return row / 3;
    return common_size_ > 0 ? row / common_size_ : block_of_[row];
  }

 private:
  int size_ = 0;
  int common_size_ = 0;  ///< 0: see the table
  std::vector<int> block_of_;
};

}  // namespace stickslip::detail
