#include "math/ordering/nested_dissection.hpp"

#include <algorithm>
#include <numeric>

namespace stickslip {
namespace {

constexpr int kNoSeparator = -1, kNoPart = -1;

// Parts with fewer blocks are left to minimum degree.
constexpr int kSmallPart = 150;

}  // namespace

void NestedDissection::stages(const BlockGraph& graph, std::vector<int>& stages) {
  const auto n = static_cast<std::size_t>(graph.blockCount());
  blocks_.resize(n);
  std::iota(blocks_.begin(), blocks_.end(), 0);
  part_of_.assign(n, 0);
  depth_.assign(n, kNoSeparator);
  parts_ = 1;
  todo_.assign(1, {0, graph.blockCount(), 0});
  while (!todo_.empty()) {
    const Part part = todo_.back();
    todo_.pop_back();
    if (part.end - part.first > kSmallPart) split(graph, part);
  }
  const int deepest = n == 0 ? 0 : *std::max_element(depth_.begin(), depth_.end());
  stages.resize(n);
  for (std::size_t b = 0; b < n; ++b)
    stages[b] = depth_[b] == kNoSeparator ? 0 : deepest - depth_[b] + 1;
}

// Components come first, as they need no separator.
void NestedDissection::split(const BlockGraph& graph, Part part) {
  const int number = part_of_[blocks_[part.first]], own_number = parts_++;
  reached_.assign(1, blocks_[part.first]);
  part_of_[blocks_[part.first]] = own_number;
  for (std::size_t k = 0; k < reached_.size(); ++k)
    for (const int b : graph.neighbours(reached_[k]))
      if (part_of_[b] == number) {
        part_of_[b] = own_number;
        reached_.push_back(b);
      }
  const int middle = part.first + static_cast<int>(reached_.size());
  if (middle == part.end) return cut(graph, part);
  int kept = part.end;
  for (int k = part.end; k-- > part.first;)
    if (part_of_[blocks_[k]] == number) blocks_[--kept] = blocks_[k];
  std::copy(reached_.begin(), reached_.end(), blocks_.begin() + part.first);
  todo_.push_back({part.first, middle, part.depth});
  todo_.push_back({middle, part.end, part.depth});
}

void NestedDissection::cut(const BlockGraph& graph, Part part) {
  reached_.assign(blocks_.begin() + part.first, blocks_.begin() + part.end);
  separator_.find(graph, reached_);
  int place = part.first;
  for (const int side : {0, 1}) {
    const int first = place;
    for (std::size_t k = 0; k < reached_.size(); ++k)
      if (separator_.sideOf(k) == side) {
        blocks_[place++] = reached_[k];
        part_of_[reached_[k]] = parts_;
      }
    ++parts_;
    if (place > first) todo_.push_back({first, place, part.depth + 1});
  }
  for (std::size_t k = 0; k < reached_.size(); ++k)
    if (separator_.sideOf(k) == VertexSeparator::kSeparator) {
      depth_[reached_[k]] = part.depth;
      part_of_[reached_[k]] = kNoPart;
    }
}

}  // namespace stickslip
