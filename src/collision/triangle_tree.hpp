// A static tree of bounding boxes to find the triangles of a mesh by.
//
// Built once by halving at the median of the centres along the longest side (in the manner of
// Goldsmith and Salmon, 1987, without their cost model): depth log2(n), boxes in one array.
#pragma once

#include <span>
#include <vector>

#include "collision/collision_shape.hpp"

namespace stickslip {

class TriangleTree {
 public:
  TriangleTree() = default;
  explicit TriangleTree(std::span<const Bounds> boxes);

  /// Replaces `out` by the indices of the boxes that meet `bounds`, ascending.
  void find(const Bounds& bounds, std::vector<int>& out) const;

 private:
  struct Node {
    Bounds box;
    int right = 0;  ///< second child (the first one follows its parent), 0 for a leaf
    int first = 0;  ///< leaf: items_[first] ... items_[first + count - 1]
    int count = 0;
  };

  int build(std::span<const Bounds> boxes, int first, int count);

  std::vector<Node> nodes_;
  std::vector<int> items_;
  std::vector<Bounds> item_boxes_;  ///< in the order of items_
};

}  // namespace stickslip
