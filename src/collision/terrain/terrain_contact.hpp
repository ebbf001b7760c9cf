// Contact of a convex shape with a terrain.
//
// Every face, convex side and convex corner near the shape is asked for its contacts
// (terrain_patch.hpp). Where the shape overlaps the terrain, faces that are deep inside the overlap
// answer too, although the way out is elsewhere: a box that overhangs the edge of a table and has
// sunk into its top by a little also lies behind a strip of the table's side. So patches are taken
// in the order of their depth, and one is left out if moving the shape out of a shallower one would
// make it disappear. What remains is thinned out: of points in the same plane only the corners of
// their outline are kept.
//
// A body is pushed out through the front as long as its interior point (for boxes, balls,
// cylinders: the middle) is in front of the contact plane, that is up to half of its size.
#pragma once

#include "collision/collision_shape.hpp"
#include "collision/convex/convex_shape.hpp"
#include "collision/terrain/terrain.hpp"

namespace stickslip {

/// As collide() of collision_shape.hpp, with a = convex and b = terrain. The feature of a point is
/// 8 * triangle + number, modulo 2^22, made unique within one call.
void collideTerrain(const ConvexShape& convex, const Pose& convex_pose, const Terrain& terrain,
                    const Pose& terrain_pose, double margin, ContactPoints& out);

}  // namespace stickslip
