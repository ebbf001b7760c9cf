// All numbers of a shape, bit by bit, so that shapes can be looked up that are exactly alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stickslip/shape.hpp"

namespace stickslip {

// Whether the triangles of a mesh agree about where outside is.

/// What is wrong where triangles meet: one that is there twice, three at one edge, or two that run
/// along their edge in the same direction, so that one of them is inside out. Empty if nothing is.
/// Vertices at exactly the same place count as one; the indices must be valid.
std::string problemOfEdges(const TriangleMesh& mesh);

/// So many unit vectors, evenly over the sphere: a spiral about z with the golden angle.
std::vector<Vec3> sphereDirections(int count);

using ShapeKey = std::vector<std::uint64_t>;

void append(const Shape& shape, ShapeKey& key);
void append(const Pose& pose, ShapeKey& key);

}  // namespace stickslip
