#include "collision/triangle_tree.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

namespace stickslip {
namespace {

constexpr int kLeafSize = 4;
constexpr std::size_t kDeepest = 64;  // of halving: 2^64 triangles

bool meet(const Bounds& a, const Bounds& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
         b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

void include(Bounds& box, const Bounds& other) {
  for (int k = 0; k < 3; ++k) {
    box.lower[k] = std::min(box.lower[k], other.lower[k]);
    box.upper[k] = std::max(box.upper[k], other.upper[k]);
  }
}

int longestAxis(const Bounds& box) {
  const Vec3 size = box.upper - box.lower;
  return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

}  // namespace

TriangleTree::TriangleTree(std::span<const Bounds> boxes) : items_(boxes.size()) {
  assert(!boxes.empty());
  std::iota(items_.begin(), items_.end(), 0);
  build(boxes, 0, static_cast<int>(boxes.size()));
  for (const int i : items_) item_boxes_.push_back(boxes[static_cast<std::size_t>(i)]);
}

int TriangleTree::build(std::span<const Bounds> boxes, int first, int count) {
  const auto box = [&](int i) -> const Bounds& { return boxes[static_cast<std::size_t>(i)]; };
  const auto index = nodes_.size();
  nodes_.push_back({box(items_[static_cast<std::size_t>(first)]), 0, first, count});
  for (int k = first; k < first + count; ++k)
    include(nodes_[index].box, box(items_[static_cast<std::size_t>(k)]));
  if (count <= kLeafSize) return static_cast<int>(index);
  const int axis = longestAxis(nodes_[index].box), half = count / 2;
  const auto begin = items_.begin() + first;
  std::nth_element(begin, begin + half, begin + count, [&](int a, int b) {
    const double center_a = box(a).lower[axis] + box(a).upper[axis];
    const double center_b = box(b).lower[axis] + box(b).upper[axis];
    return center_a != center_b ? center_a < center_b : a < b;
  });
  build(boxes, first, half);
  const int right = build(boxes, first + half, count - half);
  nodes_[index].right = right;
  return static_cast<int>(index);
}

void TriangleTree::find(const Bounds& bounds, std::vector<int>& out) const {
  out.clear();
  std::array<int, kDeepest> stack{};
  std::size_t top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const auto index = static_cast<std::size_t>(stack[--top]);
    const Node& node = nodes_[index];
    if (!meet(node.box, bounds)) continue;
    if (node.right != 0) {
      stack[top++] = node.right;
      stack[top++] = static_cast<int>(index) + 1;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k)
      if (meet(item_boxes_[static_cast<std::size_t>(k)], bounds))
        out.push_back(items_[static_cast<std::size_t>(k)]);
  }
  std::sort(out.begin(), out.end());
}

}  // namespace stickslip
