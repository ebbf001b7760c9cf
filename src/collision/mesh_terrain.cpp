#include "collision/mesh_terrain.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "math/index.hpp"

namespace stickslip {
namespace {

std::array<double, 3> keyOf(Vec3 v) {
  return {v.x, v.y, v.z};
}

}  // namespace

MeshTerrain::MeshTerrain(const TriangleMesh& mesh) {
  weldVertices(mesh);
  for (Triangle& t : triangles_) {
    const Vec3 a = vertexAt(t.vertex[0]);
    t.normal = normalized(cross(vertexAt(t.vertex[1]) - a, vertexAt(t.vertex[2]) - a));
  }
  listTrianglesAtVertices();
  connectSides();
  growTree();
  prepare();
}

void MeshTerrain::weldVertices(const TriangleMesh& mesh) {
  std::vector<int> order(mesh.vertices.size()), number(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return keyOf(mesh.vertices[at(a)]) < keyOf(mesh.vertices[at(b)]);
  });
  for (const int i : order) {
    if (vertices_.empty() || !(vertices_.back() == mesh.vertices[at(i)]))
      vertices_.push_back(mesh.vertices[at(i)]);
    number[at(i)] = static_cast<int>(vertices_.size()) - 1;
  }
  for (const TriangleMesh::Triangle& t : mesh.triangles)
    triangles_.push_back({{number[at(t.a)], number[at(t.b)], number[at(t.c)]}, {}, {}});
}

void MeshTerrain::listTrianglesAtVertices() {
  first_.assign(vertices_.size() + 1, 0);
  for (const Triangle& t : triangles_)
    for (const int v : t.vertex) ++first_[at(v) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  at_vertex_.resize(3 * triangles_.size());
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (const int v : triangles_[t].vertex) at_vertex_[at(next[at(v)]++)] = static_cast<int>(t);
}

// Every side with the directed sides that run the same way and the other way between its ends.
void MeshTerrain::connectSides() {
  struct Side {
    std::array<int, 2> ends;  // ascending
    bool upwards;
    int triangle, side;
  };
  std::vector<Side> sides;
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const int from = triangles_[t].vertex[i], to = triangles_[t].vertex[(i + 1) % 3];
      sides.push_back({{std::min(from, to), std::max(from, to)},
                       from < to,
                       static_cast<int>(t),
                       static_cast<int>(i)});
    }
  std::stable_sort(sides.begin(), sides.end(),
                   [](const Side& a, const Side& b) { return a.ends < b.ends; });
  for (std::size_t k = 0; k < sides.size();) {
    std::size_t end = k + 1;
    while (end < sides.size() && sides[end].ends == sides[k].ends) ++end;
    const bool joined = end - k == 2 && sides[k].upwards != sides[k + 1].upwards;
    for (std::size_t m = k; m < end; ++m) {
      Triangle& here = triangles_[at(sides[m].triangle)];
      const auto i = at(sides[m].side);
      const Vec3 along = vertexAt(here.vertex[(i + 1) % 3]) - vertexAt(here.vertex[i]);
      here.turn[i] = joined ? turnAcross(here.normal, normalized(cross(along, here.normal)),
                                         triangles_[at(sides[k + end - 1 - m].triangle)].normal)
                            : std::numbers::pi / 2;
    }
    k = end;
  }
}

void MeshTerrain::growTree() {
  std::vector<Bounds> boxes;
  for (const Triangle& t : triangles_) {
    Bounds box{vertexAt(t.vertex[0]), vertexAt(t.vertex[0])};
    for (const int v : t.vertex)
      for (int k = 0; k < 3; ++k) {
        box.lower[k] = std::min(box.lower[k], vertexAt(v)[k]);
        box.upper[k] = std::max(box.upper[k], vertexAt(v)[k]);
      }
    boxes.push_back(box);
  }
  tree_ = TriangleTree(boxes);
}

TerrainTriangle MeshTerrain::triangle(int index) const {
  const Triangle& t = triangles_[at(index)];
  TerrainTriangle out;
  out.normal = t.normal;
  for (std::size_t i = 0; i < 3; ++i) out.corner[i] = vertexAt(t.vertex[i]);
  for (std::size_t i = 0; i < 3; ++i)
    out.side[i] = {normalized(cross(out.corner[(i + 1) % 3] - out.corner[i], t.normal)), t.turn[i]};
  return out;
}

void MeshTerrain::trianglesWithin(const Bounds& bounds, std::vector<int>& out) const {
  tree_.find(bounds, out);
}

void MeshTerrain::trianglesAtCorner(int triangle, int corner, std::vector<int>& out) const {
  const int v = triangles_[at(triangle)].vertex[at(corner)];
  out.assign(at_vertex_.begin() + first_[at(v)], at_vertex_.begin() + first_[at(v) + 1]);
}

double MeshTerrain::farthestFrom(Vec3 point) const {
  double farthest = 0;
  for (const Vec3& v : vertices_) farthest = std::max(farthest, norm(v - point));
  return farthest;
}

}  // namespace stickslip
