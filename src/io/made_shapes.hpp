// Shapes that a scene describes by a few numbers instead of by all their corners.
#pragma once

#include <span>

#include "io/random_numbers.hpp"
#include "stickslip/shape.hpp"

namespace stickslip {

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

}  // namespace stickslip
