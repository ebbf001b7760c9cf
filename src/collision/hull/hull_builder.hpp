// The convex hull of points in space, with flat faces as polygons.
//
// Method: incremental insertion with outside sets, farthest point first (Barber, Dobkin and
// Huhdanpaa, "The quickhull algorithm for convex hulls", ACM TOMS 22, 1996). Signs are exact:
// points are first rounded to a grid of 2^-40 of their extent, where the determinants fit into 128
// bits. So coplanar, collinear and repeated points are no special cases, and the surface stays
// closed and convex whatever the input. Rounding moves the hull by at most 1e-12 of its extent;
// the vertices that are returned are the points as given.
//
// Triangles within 1e-6 of the extent of a common plane then become one face. That is the noise of
// coordinates stored in single precision, which would otherwise break the sides of a rotated box
// into slivers and its contact patches with them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stickslip/vector.hpp"

namespace stickslip {

struct HullEdge {
  int from = 0;
  int to = 0;
  int left = 0;   ///< the face that has the edge as from -> to
  int right = 0;  ///< the face that has it as to -> from
};

struct Hull {
  std::vector<Vec3> vertices;           ///< those of the points that are corners, in their order
  std::vector<std::vector<int>> faces;  ///< loops of vertices, counterclockwise from outside
  std::vector<HullEdge> edges;          ///< ordered by (from, to), from < to
};

/// Nothing if the points (at least one, all finite) lie in a plane, up to rounding to the grid.
std::optional<Hull> buildHull(std::span<const Vec3> points);

}  // namespace stickslip
