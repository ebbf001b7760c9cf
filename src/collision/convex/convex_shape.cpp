#include "collision/convex/convex_shape.hpp"

namespace stickslip {

Bounds ConvexShape::boundsAt(const Pose& pose) const {
  Bounds bounds;
  for (int i = 0; i < 3; ++i) {
    const Vec3 row{pose.rotation.x[i], pose.rotation.y[i], pose.rotation.z[i]};
    bounds.lower[i] = pose.position[i] + dot(row, support(-row)) - radius();
    bounds.upper[i] = pose.position[i] + dot(row, support(row)) + radius();
  }
  return bounds;
}

}  // namespace stickslip
