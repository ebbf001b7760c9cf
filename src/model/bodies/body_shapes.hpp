// The shapes of all bodies as the narrow phase wants them; what is alike is prepared once.
#pragma once

#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "collision/collision_shape.hpp"
#include "model/bodies/kinematics.hpp"

namespace stickslip {

/// A shape of a body.
struct BodyShape {
  int body = 0;
  int material = 0;
  int form = 0;        ///< what it looks like: BodyShapes::formOf
  int placement = -1;  ///< in the body; -1: at its centre of mass and along its axes
  double radius = 0;   ///< of the smallest sphere about the centre of mass that holds it
};

/// What shapes look like, whoever has them.
struct ShapeForm {
  std::shared_ptr<const CollisionShape> prepared;
  double ball_radius = -1;  ///< if it is a sphere or a disk; -1 otherwise
  bool is_terrain = false;

  bool isBall() const { return ball_radius > 0; }
};

/// What rounding can do to the points of a shape that is so far from the origin.
inline double roundingAt(Vec3 position, double radius) {
  const double size = norm(position) + (std::isfinite(radius) ? radius : 0);
  return 16 * std::numeric_limits<double>::epsilon() * size;
}

/// Lets bodies with equal shapes have them in one place.
void shareEqualShapes(std::span<Body> bodies);

class BodyShapes {
 public:
  /// The bodies are sound.
  explicit BodyShapes(const BodySystemData& data);

  int count() const { return static_cast<int>(shapes_.size()); }
  const BodyShape& operator[](std::size_t shape) const { return shapes_[shape]; }
  const BodyShape& operator[](int shape) const { return shapes_[shape]; }
  const ShapeForm& formOf(const BodyShape& shape) const { return forms_[shape.form]; }
  const CollisionShape& preparedOf(const BodyShape& shape) const { return *formOf(shape).prepared; }
  /// A ball about the centre of mass.
  bool isRound(const BodyShape& shape) const {
    return formOf(shape).isBall() && (shape.placement < 0 || placementOf(shape).position == Vec3{});
  }
  /// Where it is when its body is at `body`.
  Pose poseOf(const BodyShape& shape, const Pose& body) const {
    return shape.placement < 0 ? body : body * placementOf(shape);
  }
  /// Likewise, without a copy where it is where its body is; `room` is for the others.
  const Pose& poseOf(const BodyShape& shape, const Pose& body, Pose& room) const {
    return shape.placement < 0 ? body : room = body * placementOf(shape);
  }
  Bounds boundsOf(const BodyShape& shape, const Pose& body) const {
    const CollisionShape& prepared = preparedOf(shape);
    return shape.placement < 0 ? prepared.boundsAt(body)
                               : prepared.boundsAt(body * placementOf(shape));
  }
  Vec3 positionOf(const BodyShape& shape, const Pose& body) const {
    return shape.placement < 0 ? body.position : body.pointToWorld(placementOf(shape).position);
  }
  /// Extent in its own frame along the thinnest of so many axes; infinite for terrain.
  double smallestExtent(const BodyShape& shape, int dimension) const;

 private:
  class Builder;

  const Pose& placementOf(const BodyShape& shape) const {
    assert(shape.placement >= 0);
    return placements_[shape.placement];
  }

  std::vector<BodyShape> shapes_;
  std::vector<ShapeForm> forms_;
  std::vector<Pose> placements_;  ///< about centres of mass
};

}  // namespace stickslip
