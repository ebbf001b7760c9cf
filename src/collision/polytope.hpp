// Convex polytopes: boxes, convex hulls, and the single triangles of meshes.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "collision/convex_shape.hpp"
#include "collision/point_columns.hpp"

namespace stickslip {

/// What all shapes with flat faces share.
class PolytopeShape : public ConvexShape {
 public:
  Vec3 support(Vec3 direction) const override;
  double radius() const override { return 0; }
  void feature(Vec3 direction, Feature& out) const override;
  double farthestFrom(Vec3 point) const override;
};

/// A solid polytope.
class Polytope final : public PolytopeShape {
 public:
  /// `face_loops[k]` are the vertices of face k, counterclockwise seen from outside; together they
  /// close the surface. Two opposite loops of the same vertices make a flat polygon.
  Polytope(std::vector<Vec3> vertices, std::span<const std::vector<int>> face_loops);

  Vec3 support(Vec3 direction) const override;
  void feature(Vec3 direction, Feature& out) const override;
  PolytopeView polytope() const override {
    return {vertices_, faces_, loops_, edges_, axes_, edge_faces_, corners_, around_};
  }
  Vec3 interiorPoint() const override { return center_; }
  double coreSize() const override { return size_; }

 private:
  friend Polytope boxPolytope(Vec3 size);
  void boxFeature(Vec3 direction, Feature& out) const;
  void addFace(std::span<const int> loop);
  void connectEdges();
  void collectAxes();
  void collectAround();

  std::vector<Vec3> vertices_;
  PointColumns columns_;  ///< the same
  std::vector<PolytopeFace> faces_;
  std::vector<int> loops_;
  std::vector<PolytopeEdge> edges_;
  std::vector<Vec3> axes_;
  std::vector<EdgeFaces> edge_faces_;
  std::vector<PolytopeCorner> corners_;
  std::vector<int> around_;
  Vec3 center_;
  double size_ = 0;
};

/// A cuboid about the origin with full side lengths.
Polytope boxPolytope(Vec3 size);

/// A triangle of a mesh, made on the stack for one query; flat, with two faces. Counterclockwise
/// seen from the side of face 0. Vertex and edge ids are 0, 1, 2; edge i runs from vertex i.
class TriangleShape final : public PolytopeShape {
 public:
  TriangleShape(Vec3 a, Vec3 b, Vec3 c);

  PolytopeView polytope() const override {
    return {vertices_, faces_, loops_, edges_, axes_, kEdgeFaces, kCorners, kAround};
  }
  Vec3 interiorPoint() const override { return center_; }
  double coreSize() const override { return size_; }

 private:
  static constexpr std::array<EdgeFaces, 3> kEdgeFaces{{{0, 1}, {0, 1}, {0, 1}}};
  static constexpr std::array<PolytopeCorner, 3> kCorners{{{0, 2, 2}, {4, 2, 2}, {8, 2, 2}}};
  static constexpr std::array<int, 12> kAround{0, 1, 0, 2, 0, 1, 0, 1, 0, 1, 1, 2};

  std::array<Vec3, 3> vertices_;
  std::array<PolytopeFace, 2> faces_;
  std::array<int, 6> loops_{0, 1, 2, 2, 1, 0};
  std::array<PolytopeEdge, 3> edges_;
  std::array<Vec3, 3> axes_;
  Vec3 center_;
  double size_ = 0;
};

}  // namespace stickslip
