// Shapes of bodies, as scenes describe them.
#pragma once

#include <cstdint>
#include <span>

#include "scene/instances.hpp"
#include "scene/json/field_reader.hpp"
#include "scene/scene_files.hpp"
#include "stickslip/shape.hpp"

namespace stickslip {

// Shapes that a scene describes by a few numbers instead of by all their corners.

/// A convex polygon with its corners on a circle, or the hull of points on a sphere. They are
/// random, but apart from each other (D. P. Mitchell, Spectrally optimal sampling for distribution
/// ray tracing, SIGGRAPH 1991: the best one of a few candidates is taken), so that there are no
/// slivers. At least 3 corners in the plane, 4 in space.
Polygon planarRock(double radius, int corners, RandomNumbers& random);
ConvexHull spatialRock(double radius, int corners, RandomNumbers& random);

/// A regular polygon as closed terrain around what is inside.
Polyline ringAround(double radius, int sides);

/// The surface that a profile of points (r, z), r >= 0, sweeps about the z axis, in `sides` flat
/// steps; solid on the right of the way. A point with r = 0 closes the surface.
TriangleMesh revolved(std::span<const Vec2> profile, int sides);

/// Reads the fields of a shape: "type", its sizes, and where it stands in the body ("position" and
/// "angle", "orientation" or "normal"). Refuses one that problemOf() finds fault with. Rocks depend
/// on the number of the instance.
PlacedShape readShape(FieldReader& fields, int dimension, SceneFiles& files, std::int64_t instance);

/// Whether a body has rocks among its shapes, which have been read before without complaint.
bool hasRocks(FieldReader& body);

/// The same shape, `factor` times as large.
Shape scaled(const Shape& shape, double factor);

}  // namespace stickslip
