// Triangle mesh with its neighbours and a tree.
//
// Vertices at exactly the same place count as one. A side that is not shared by exactly two
// triangles in opposite directions counts as a border; so does a side that ends in the middle of
// another one (a T-junction), which is why meshes should be welded.
#pragma once

#include <span>
#include <vector>

#include "collision/collision_shape.hpp"
#include "collision/terrain/terrain.hpp"

namespace stickslip {

// A static tree of bounding boxes to find the triangles of a mesh by.
//
// Built once by halving at the median of the centres along the longest side (in the manner of
// Goldsmith and Salmon, 1987, without their cost model): depth log2(n), boxes in one array.

class TriangleTree {
 public:
  TriangleTree() = default;
  explicit TriangleTree(std::span<const Bounds> boxes);

  /// Replaces `out` by the indices of the boxes that meet `bounds`, ascending.
  void find(const Bounds& bounds, std::vector<int>& out) const;

 private:
  struct Node {
    Bounds box;
    int right = 0;  ///< second child (the first one follows its parent), 0 for a leaf
    int first = 0;  ///< leaf: items_[first] ... items_[first + count - 1]
    int count = 0;
  };

  int build(std::span<const Bounds> boxes, int first, int count);

  std::vector<Node> nodes_;
  std::vector<int> items_;
  std::vector<Bounds> item_boxes_;  ///< in the order of items_
};

class MeshTerrain final : public Terrain {
 public:
  explicit MeshTerrain(const TriangleMesh& mesh);

  int triangleCount() const override { return static_cast<int>(triangles_.size()); }
  TerrainTriangle triangle(int index) const override;
  void trianglesWithin(const Bounds& bounds, std::vector<int>& out) const override;
  void trianglesAtCorner(int triangle, int corner, std::vector<int>& out) const override;
  double farthestFrom(Vec3 point) const override;

 private:
  struct Triangle {
    std::array<int, 3> vertex{};
    std::array<double, 3> turn{};
    Vec3 normal;
  };

  void weldVertices(const TriangleMesh& mesh);
  void listTrianglesAtVertices();
  void connectSides();
  void growTree();
  Vec3 vertexAt(int i) const { return vertices_[i]; }

  std::vector<Vec3> vertices_;
  std::vector<Triangle> triangles_;
  std::vector<int>
      at_vertex_;  ///< triangles of vertex v: at_vertex_[first_[v]] ... [first_[v+1]-1]
  std::vector<int> first_;
  TriangleTree tree_;
};

}  // namespace stickslip
