// From the triangles of a convex surface to polygons: the second half of buildHull().
#pragma once

#include <array>
#include <span>

#include "collision/hull/hull_builder.hpp"

namespace stickslip {

/// `triangles` index `points`, close a convex surface and run counterclockwise seen from outside;
/// `extent` is the size that flatness is judged by.
Hull mergeFlatFaces(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles,
                    double extent);

}  // namespace stickslip
