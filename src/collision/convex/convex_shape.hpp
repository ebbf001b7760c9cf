// Convex bodies of space as the narrow phase sees them: a convex core, rounded by a radius.
//
// The core of a sphere is a point, that of a capsule a segment; boxes, hulls and triangles are
// polytopes and have no radius; a cylinder is its own core. Distances, normals and manifolds are
// found for the cores; the radii are subtracted at the end. Everything here is in the shape's own
// frame.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/collision_shape.hpp"

namespace stickslip {

struct FeatureCorner {
  Vec3 point;
  std::uint32_t id = 0;    ///< of this corner within its shape
  std::uint32_t edge = 0;  ///< of the edge to the next corner, within its shape
};

/// The part of a core's surface that faces a direction: a point, a segment or a convex polygon. The
/// cap of a cylinder is the polygon of some points of its rim and says so in `disc_radius`.
struct Feature {
  std::vector<FeatureCorner> corners;  ///< polygon: counterclockwise seen from outside
  Vec3 normal;                         ///< unit, outwards; polygons only
  std::uint32_t id = 0;                ///< of the polygon within its shape
  double disc_radius = 0;              ///< > 0: the polygon stands for a disc
  Vec3 disc_center;

  bool isPoint() const { return corners.size() == 1; }
  bool isSegment() const { return corners.size() == 2; }
  bool isPolygon() const { return corners.size() > 2; }
  void clear() {
    corners.clear();
    id = 0;
    disc_radius = 0;
  }
};

/// A face of a polytope: the plane normal . x = offset and a loop of vertices, counterclockwise
/// seen from outside: loops[first] ... loops[first + count - 1].
struct PolytopeFace {
  Vec3 normal;
  double offset = 0;
  int first = 0;
  int count = 0;
};

struct PolytopeEdge {
  int from = 0;
  int to = 0;
  Vec3 direction;  ///< unit
};

/// The faces on the two sides of an edge.
struct EdgeFaces {
  int left = 0;
  int right = 0;
};

/// The directions, across an edge, in which its two faces run away from it. A unit vector n across
/// the edge is an outward normal of the edge if n . into_left <= 0 and n . into_right <= 0. The
/// edge of a bare segment has no faces and both directions zero.
struct EdgeSides {
  Vec3 into_left;
  Vec3 into_right;
};

/// The faces and edges that meet in a vertex, in their order: so many of PolytopeView::around, from
/// `first` on, the faces before the edges.
struct PolytopeCorner {
  int first = 0;
  int faces = 0;
  int edges = 0;
};

/// A polytope, or a flat polygon (two faces back to back), a segment (no face, one edge) or a
/// point. What is only looked up is apart from the rest, so that little memory has to be read.
struct PolytopeView {
  std::span<const Vec3> vertices;
  std::span<const PolytopeFace> faces;
  std::span<const int> loops;
  std::span<const PolytopeEdge> edges;
  std::span<const Vec3> axes;                 ///< directions of edges, parallel ones only once
  std::span<const EdgeFaces> edge_faces{};    ///< of each edge; none without faces
  std::span<const PolytopeCorner> corners{};  ///< of each vertex; none without faces
  std::span<const int> around{};

  EdgeSides sidesOf(std::size_t edge) const {
    if (faces.empty()) return {};
    const auto& [left, right] = edge_faces[edge];
    return {cross(faces[left].normal, edges[edge].direction),
            cross(edges[edge].direction, faces[right].normal)};
  }
  std::span<const int> facesAt(std::size_t vertex) const {
    const PolytopeCorner& corner = corners[vertex];
    return around.subspan(corner.first, corner.faces);
  }
  std::span<const int> edgesAt(std::size_t vertex) const {
    const PolytopeCorner& corner = corners[vertex];
    return around.subspan(corner.first + corner.faces, corner.edges);
  }
};

/// A face or an edge belongs to feature(direction) if it is within this of being square to it.
inline constexpr double kFeatureSine = 0.2;

class ConvexShape : public CollisionShape {
 public:
  Family family() const final { return Family::convex; }

  /// A point of the core that is farthest in `direction`, which need not be of unit length.
  virtual Vec3 support(Vec3 direction) const = 0;
  virtual double radius() const = 0;
  virtual Vec3 interiorPoint() const = 0;
  /// Radius of a sphere about interiorPoint() that holds the core.
  virtual double coreSize() const = 0;
  /// The face whose normal is closest to `direction` (unit) if it is within kFeatureSine, or an
  /// edge or a point of the core; contains the farthest point of the core.
  virtual void feature(Vec3 direction, Feature& out) const = 0;
  /// The core if it has flat faces and straight edges only; no vertices otherwise.
  virtual PolytopeView polytope() const = 0;

  Bounds boundsAt(const Pose& pose) const final;
};

}  // namespace stickslip
