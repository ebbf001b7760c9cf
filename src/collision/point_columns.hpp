// Points by their coordinates, some at a time: the farthest of a few dozen in a direction is found
// quicker by looking at all of them, without branches that cannot be predicted, than by a walk from
// neighbour to neighbour.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "stickslip/vector.hpp"

namespace stickslip {

class PointColumns {
 public:
  explicit PointColumns(std::span<const Vec3> points) {
    assert(!points.empty());
    blocks_.resize((points.size() + kAtATime - 1) / kAtATime);
    for (std::size_t i = 0; i < kAtATime * blocks_.size(); ++i) {
      const Vec3 point = points[i < points.size() ? i : 0];
      Block& block = blocks_[i / kAtATime];
      block.x[i % kAtATime] = point.x;
      block.y[i % kAtATime] = point.y;
      block.z[i % kAtATime] = point.z;
    }
  }

  /// The first of the points that are farthest in `direction`. Heights are those of dot(), bit for
  /// bit.
  std::size_t farthest(Vec3 direction) const {
    Farthest low{heights(blocks_[0], 0, direction), {0, 1}};
    Farthest high{heights(blocks_[0], 2, direction), {2, 3}};
    Places place{0, 1};
    for (std::size_t i = 1; i < blocks_.size(); ++i) {
      place += std::int64_t{kAtATime};
      low.compare(heights(blocks_[i], 0, direction), place);
      high.compare(heights(blocks_[i], 2, direction), place + 2);
    }
    // Of equal ones the first, which is never one that only fills a block.
    double height = low.height[0];
    std::int64_t best = low.place[0];
    const auto compare = [&](double other, std::int64_t at) {
      const bool is_better = (other > height) | ((other == height) & (at < best));
      height = is_better ? other : height;
      best = is_better ? at : best;
    };
    compare(low.height[1], low.place[1]);
    compare(high.height[0], high.place[0]);
    compare(high.height[1], high.place[1]);
    return static_cast<std::size_t>(best);
  }

 private:
  static constexpr int kAtATime = 4;
  struct Block {
    double x[kAtATime];
    double y[kAtATime];
    double z[kAtATime];
  };

  // Two numbers at once are what every machine has.
  using Heights = double __attribute__((vector_size(16)));
  using Places = std::int64_t __attribute__((vector_size(16)));

  /// The farthest so far in each of two rows of points.
  struct Farthest {
    Heights height;
    Places place;

    void compare(Heights other, Places at) {
      const Places is_farther = other > height;
      height = is_farther ? other : height;
      place = is_farther ? at : place;
    }
  };

  static Heights load(const double* from) {
    Heights out;
    std::memcpy(&out, from, sizeof out);
    return out;
  }
  static Heights heights(const Block& block, int k, Vec3 direction) {
    return load(block.x + k) * direction.x + load(block.y + k) * direction.y +
           load(block.z + k) * direction.z;
  }

  std::vector<Block> blocks_;  ///< the last one is filled up with the first point
};

}  // namespace stickslip
