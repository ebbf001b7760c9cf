// Convex polytopes: boxes, convex hulls, and the single triangles of meshes.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/convex/convex_shape.hpp"
#include "simd/vectors.hpp"
#include "stickslip/vector.hpp"

namespace stickslip {

// Points by their coordinates, some at a time: the farthest of a few dozen in a direction is found
// quicker by looking at all of them, without branches that cannot be predicted, than by a walk from
// neighbour to neighbour.

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

  using Heights = Pair;
  using Places = PairOfIndices;

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

  static Heights heights(const Block& block, int k, Vec3 direction) {
    return loadNumbers<Heights>(block.x + k) * direction.x +
           loadNumbers<Heights>(block.y + k) * direction.y +
           loadNumbers<Heights>(block.z + k) * direction.z;
  }

  std::vector<Block> blocks_;  ///< the last one is filled up with the first point
};

/// What all shapes with flat faces share.
class PolytopeShape : public ConvexShape {
 public:
  Vec3 support(Vec3 direction) const override;
  double radius() const override { return 0; }
  void feature(Vec3 direction, Feature& out) const override;
  double farthestFrom(Vec3 point) const override;
};

/// A solid polytope.
class Polytope final : public PolytopeShape {
 public:
  /// `face_loops[k]` are the vertices of face k, counterclockwise seen from outside; together they
  /// close the surface. Two opposite loops of the same vertices make a flat polygon.
  Polytope(std::vector<Vec3> vertices, std::span<const std::vector<int>> face_loops);

  Vec3 support(Vec3 direction) const override;
  void feature(Vec3 direction, Feature& out) const override;
  PolytopeView polytope() const override {
    return {vertices_, faces_, loops_, edges_, axes_, edge_faces_, corners_, around_};
  }
  Vec3 interiorPoint() const override { return center_; }
  double coreSize() const override { return size_; }

 private:
  friend Polytope boxPolytope(Vec3 size);
  void boxFeature(Vec3 direction, Feature& out) const;
  void addFace(std::span<const int> loop);
  void connectEdges();
  void collectAxes();
  void collectAround();

  std::vector<Vec3> vertices_;
  PointColumns columns_;  ///< the same
  std::vector<PolytopeFace> faces_;
  std::vector<int> loops_;
  std::vector<PolytopeEdge> edges_;
  std::vector<Vec3> axes_;
  std::vector<EdgeFaces> edge_faces_;
  std::vector<PolytopeCorner> corners_;
  std::vector<int> around_;
  Vec3 center_;
  double size_ = 0;
};

/// A cuboid about the origin with full side lengths.
Polytope boxPolytope(Vec3 size);

/// A triangle of a mesh, made on the stack for one query; flat, with two faces. Counterclockwise
/// seen from the side of face 0. Vertex and edge ids are 0, 1, 2; edge i runs from vertex i.
class TriangleShape final : public PolytopeShape {
 public:
  TriangleShape(Vec3 a, Vec3 b, Vec3 c);

  PolytopeView polytope() const override {
    return {vertices_, faces_, loops_, edges_, axes_, kEdgeFaces, kCorners, kAround};
  }
  Vec3 interiorPoint() const override { return center_; }
  double coreSize() const override { return size_; }

 private:
  static constexpr std::array<EdgeFaces, 3> kEdgeFaces{{{0, 1}, {0, 1}, {0, 1}}};
  static constexpr std::array<PolytopeCorner, 3> kCorners{{{0, 2, 2}, {4, 2, 2}, {8, 2, 2}}};
  static constexpr std::array<int, 12> kAround{0, 1, 0, 2, 0, 1, 0, 1, 0, 1, 1, 2};

  std::array<Vec3, 3> vertices_;
  std::array<PolytopeFace, 2> faces_;
  std::array<int, 6> loops_{0, 1, 2, 2, 1, 0};
  std::array<PolytopeEdge, 3> edges_;
  std::array<Vec3, 3> axes_;
  Vec3 center_;
  double size_ = 0;
};

}  // namespace stickslip
