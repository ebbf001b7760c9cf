// Triangle mesh with its neighbours and a tree.
//
// Vertices at exactly the same place count as one. A side that is not shared by exactly two
// triangles in opposite directions counts as a border; so does a side that ends in the middle of
// another one (a T-junction), which is why meshes should be welded.
#pragma once

#include <span>

#include "collision/terrain.hpp"
#include "collision/triangle_tree.hpp"

namespace stickslip {

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
  Vec3 vertexAt(int i) const { return vertices_[static_cast<std::size_t>(i)]; }

  std::vector<Vec3> vertices_;
  std::vector<Triangle> triangles_;
  std::vector<int>
      at_vertex_;  ///< triangles of vertex v: at_vertex_[first_[v]] ... [first_[v+1]-1]
  std::vector<int> first_;
  TriangleTree tree_;
};

}  // namespace stickslip
