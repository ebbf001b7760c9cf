// The pattern of a block-sparse matrix: which blocks are coupled, as an undirected graph.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace stickslip {

class BlockGraph {
 public:
  using Coupling = std::pair<int, int>;

  /// Sets block sizes and couplings (a, b), a != b, in any order, repetitions allowed. True if the
  /// graph is the same as before.
  bool assign(std::span<const int> block_sizes, std::span<const Coupling> couplings);

  int blockCount() const { return static_cast<int>(sizes_.size()); }
  int sizeOf(int block) const { return sizes_[block]; }
  std::span<const int> sizes() const { return sizes_; }
  /// Ascending, without the block itself.
  std::span<const int> neighbours(int block) const {
    return {neighbours_.data() + first_[block], neighbours_.data() + first_[block + 1]};
  }
  /// Where the neighbours of a block start in the list of all; blockCount() gives its length.
  int firstNeighbour(int block) const { return first_[block]; }

 private:
  void sortCouplings(std::span<const Coupling> couplings);
  void dropRepetitions();

  std::vector<int> sizes_;
  std::vector<Coupling> couplings_;  ///< as they came in the last call
  std::vector<int> first_, neighbours_;
  std::vector<int> old_first_, old_neighbours_, place_, by_column_;
};

}  // namespace stickslip
