// Planar shapes prepared for collision detection.
//
// Every convex shape of the plane is a rounded polygon: the points within `radius` of a core with n
// corners. A disk is a core of one corner, a capsule of two (with two edges, one for each side), a
// box or polygon has radius 0. Terrain is a half-plane or a chain of segments.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/collision_shape.hpp"
#include "stickslip/vector.hpp"

namespace stickslip {

// A chain of segments that bounds a solid on its right, with the joints between them sorted out and
// a tree to find segments by.
//
// The tree is a complete binary tree over blocks of consecutive segments; it is walked in the order
// of the chain, so what a query reports is in that order too.

/// A directed edge of a counterclockwise polygon, or a segment of a chain.
struct PlanarEdge {
  Vec2 start;
  Vec2 end;
  Vec2 along;   ///< unit vector from start to end
  Vec2 normal;  ///< unit, away from the solid: right of a polygon's edge, left of a segment
  double length = 0;
};

/// The edge of a counterclockwise polygon.
PlanarEdge edgeBetween(Vec2 start, Vec2 end);

struct PlanarBounds {
  Vec2 lower;
  Vec2 upper;
};

class SegmentChain {
 public:
  /// How the solid's surface turns between a segment and the one before it.
  enum class Joint {
    end,       ///< the chain begins or ends here
    straight,  ///< no turn beyond the rounding of the points
    convex,    ///< the solid has a corner here
    concave,   ///< the free side has one
  };

  SegmentChain() = default;
  /// At least two points, no two equal ones in a row. Closed if the last is the first.
  explicit SegmentChain(std::span<const Vec2> points);

  int count() const { return static_cast<int>(segments_.size()); }
  const PlanarEdge& operator[](int k) const { return segments_[k]; }
  /// The segment before (step -1) or after (step +1) segment k; -1 if there is none.
  int neighbour(int k, int step) const;
  /// The joint at the start (step -1) or end (step +1) of segment k.
  Joint joint(int k, int step) const;

  /// Calls visit(k) for every segment whose bounds overlap `box`, and for few others, k ascending.
  template <class Visitor>
  void forEachIn(const PlanarBounds& box, Visitor&& visit) const {
    if (count() > 0) descend(1, 0, leaves_, box, visit);
  }

 private:
  static constexpr int kBlock = 4;  ///< segments in a leaf

  static bool overlap(const PlanarBounds& a, const PlanarBounds& b) {
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
           b.lower.y <= a.upper.y;
  }

  template <class Visitor>
  void descend(int node, int first, int leaves, const PlanarBounds& box, Visitor& visit) const {
    if (!overlap(tree_[node], box)) return;
    if (leaves > 1) {
      descend(2 * node, first, leaves / 2, box, visit);
      descend(2 * node + 1, first + leaves / 2, leaves / 2, box, visit);
      return;
    }
    for (int k = first * kBlock; k < count() && k < (first + 1) * kBlock; ++k) visit(k);
  }

  void classifyJoints();
  void buildTree();

  bool closed_ = false;
  std::vector<PlanarEdge> segments_;
  std::vector<Joint> joints_;  ///< before each segment, and after the last
  int leaves_ = 0;             ///< a power of two
  /// Node 1 is the root, 2 i and 2 i + 1 are the children of i, leaves come last.
  std::vector<PlanarBounds> tree_;
};

/// Where a frame of the plane stands in another one.
struct PlanarPose {
  Vec2 origin;
  Vec2 axis{1, 0};  ///< direction of the frame's x axis, a unit vector

  constexpr Vec2 direction(Vec2 v) const { return v.x * axis + v.y * turned(axis); }
  constexpr Vec2 directionBack(Vec2 v) const { return {dot(axis, v), cross(axis, v)}; }
  constexpr Vec2 point(Vec2 p) const { return origin + direction(p); }
};

/// The part of a spatial pose that lies in the plane.
constexpr PlanarPose planarPart(const Pose& pose) {
  return {{pose.position.x, pose.position.y}, {pose.rotation.x.x, pose.rotation.x.y}};
}
/// Where b stands as seen from a.
constexpr PlanarPose relativePose(const PlanarPose& a, const PlanarPose& b) {
  return {a.directionBack(b.origin - a.origin), a.directionBack(b.axis)};
}
constexpr Vec3 inSpace(Vec2 v) {
  return {v.x, v.y, 0};
}

class PlanarShape final : public CollisionShape {
 public:
  enum class Form { convex, half_plane, polyline };

  static PlanarShape rounded(std::vector<Vec2> corners, double radius);
  static PlanarShape halfPlane();
  static PlanarShape polyline(std::vector<Vec2> points);

  Family family() const override { return Family::planar; }
  Bounds boundsAt(const Pose& pose) const override;
  double farthestFrom(Vec3 point) const override;

  Form form() const { return form_; }
  /// Largest distance of a core's corner or a chain's point from the origin, plus the radius.
  double size() const { return size_; }
  /// Convex: corners counterclockwise.
  std::span<const Vec2> corners() const { return corners_; }
  /// Convex: edge i goes from corner i to the next; none for a disk.
  std::span<const PlanarEdge> edges() const { return edges_; }
  double radius() const { return radius_; }
  /// Polyline only.
  const SegmentChain& chain() const { return chain_; }

 private:
  explicit PlanarShape(Form form) : form_(form) {}

  Form form_;
  std::vector<Vec2> corners_;  ///< of a polyline: its points
  std::vector<PlanarEdge> edges_;
  double radius_ = 0;
  double size_ = 0;
  SegmentChain chain_;
};

/// Prepares a planar shape for which problemOf() has nothing to say.
std::shared_ptr<const CollisionShape> makePlanarShape(const Shape& shape);

}  // namespace stickslip
