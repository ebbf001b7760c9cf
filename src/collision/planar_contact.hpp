// Contact points between planar shapes.
#pragma once

#include "collision/planar_shape.hpp"

namespace stickslip {

/// As collide() in collision_shape.hpp, for two planar shapes. Convex against convex: one or two
/// points; the smallest gap is the signed distance. Convex against half-plane: every corner within
/// the margin. Convex against polyline: see polyline_contact.hpp.
void collidePlanar(const PlanarShape& a, const Pose& pose_a, const PlanarShape& b,
                   const Pose& pose_b, double margin, ContactPoints& out);

}  // namespace stickslip
