// Shapes prepared for collision detection: from shape.hpp once, at set-up.
//
// A CollisionShape is immutable and stands in its own frame; where it is comes with every query, as
// a Pose. Polygons of the plane become rounded polygons (disk: one vertex, capsule: two, box:
// four), boxes and hulls in space become polytopes with faces, edges and adjacency, meshes and
// height fields get a tree or a grid to find their triangles by.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "stickslip/shape.hpp"
#include "stickslip/vector.hpp"

namespace stickslip {

// What the narrow phase finds between two shapes.

/// One point of a contact, in world coordinates. on_b - on_a = gap * normal.
struct ContactPoint {
  Vec3 on_a;
  Vec3 on_b;
  Vec3 normal;     ///< unit, from a to b
  double gap = 0;  ///< positive apart, negative overlapping
  /// Which features of the two shapes meet: stays the same while they do. Below 2^22.
  std::uint32_t feature = 0;
};

using ContactPoints = std::vector<ContactPoint>;

/// Axis-aligned box.
struct Bounds {
  Vec3 lower;
  Vec3 upper;
};

// Without short cuts: branches that cannot be predicted cost more than comparisons.
inline bool overlap(const Bounds& a, const Bounds& b) {
  return (a.lower.x <= b.upper.x) & (b.lower.x <= a.upper.x) & (a.lower.y <= b.upper.y) &
         (b.lower.y <= a.upper.y) & (a.lower.z <= b.upper.z) & (b.lower.z <= a.upper.z);
}

inline Bounds widened(const Bounds& bounds, Vec3 margin) {
  return {bounds.lower - margin, bounds.upper + margin};
}

/// Which narrow phase a shape goes to.
enum class Family {
  planar,      ///< planar_shape.hpp
  convex,      ///< ConvexShape, convex_shape.hpp
  half_space,  ///< half_space.hpp
  terrain,     ///< height fields and triangle meshes
};

class CollisionShape {
 public:
  /// Those for which some pairs have closed forms, and those that are known by their support
  /// function only.
  enum class Kind { other, sphere, box, half_space, support };

  virtual ~CollisionShape() = default;

  Kind kind() const { return kind_; }
  /// The radius of a sphere, as x; half the sides of a box.
  Vec3 measure() const { return measure_; }

  virtual Family family() const = 0;

  /// The smallest axis-aligned box around the shape at `pose`, up to rounding, or a little more.
  /// Half-planes and half-spaces are infinite: so may be their bounds.
  virtual Bounds boundsAt(const Pose& pose) const = 0;
  /// Largest distance of a point of the shape from `point` (of the shape's frame); infinite for
  /// half-planes and half-spaces.
  virtual double farthestFrom(Vec3 point) const = 0;

 protected:
  void setKind(Kind kind, Vec3 measure) {
    kind_ = kind;
    measure_ = measure;
  }

 private:
  Kind kind_ = Kind::other;
  Vec3 measure_;
};

/// Prepares a shape for which problemOf() has nothing to say.
std::shared_ptr<const CollisionShape> makeCollisionShape(const Shape& shape);

/// Appends to `out` the points in which the two shapes touch, overlap or are at most `margin` apart
/// (margin >= 0), as many as the patch needs. Both shapes are planar or both are spatial; pairs of
/// two terrains give nothing. The order of points depends on the arguments only. Swapping the
/// shapes gives the same points, with on_a and on_b exchanged and the normal reversed. Allocates
/// nothing once `out` has its size.
void collide(const CollisionShape& a, const Pose& pose_a, const CollisionShape& b,
             const Pose& pose_b, double margin, ContactPoints& out);

}  // namespace stickslip
