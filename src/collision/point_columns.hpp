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
    low.compareAny(high);
    low.compareAny(low.swapped());
    return static_cast<std::size_t>(low.place[0]);
  }

  Vec3 operator[](std::size_t i) const {
    const Block& block = blocks_[i / kAtATime];
    return {block.x[i % kAtATime], block.y[i % kAtATime], block.z[i % kAtATime]};
  }

 private:
  static constexpr std::size_t kAtATime = 4;
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

    // With those that come later.
    void compare(Heights other, Places at) {
      const Places is_farther = other > height;
      height = is_farther ? other : height;
      place = is_farther ? at : place;
    }
    Farthest swapped() const { return {Heights{height[1], height[0]}, Places{place[1], place[0]}}; }
    void compareAny(const Farthest& other) {
      const Places is_farther =
          (other.height > height) | ((other.height == height) & (other.place < place));
      height = is_farther ? other.height : height;
      place = is_farther ? other.place : place;
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
