// Whether the triangles of a mesh agree about where outside is.
#pragma once

#include <string>

#include "stickslip/shape.hpp"

namespace stickslip {

/// What is wrong where triangles meet: one that is there twice, three at one edge, or two that run
/// along their edge in the same direction, so that one of them is inside out. Empty if nothing is.
/// Vertices at exactly the same place count as one; the indices must be valid.
std::string problemOfEdges(const TriangleMesh& mesh);

}  // namespace stickslip
