#include "collision/terrain/mesh_terrain.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

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
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return keyOf(mesh.vertices[a]) < keyOf(mesh.vertices[b]); });
  for (const int i : order) {
    if (vertices_.empty() || !(vertices_.back() == mesh.vertices[i]))
      vertices_.push_back(mesh.vertices[i]);
    number[i] = static_cast<int>(vertices_.size()) - 1;
  }
  for (const TriangleMesh::Triangle& t : mesh.triangles)
    triangles_.push_back({{number[t.a], number[t.b], number[t.c]}, {}, {}});
}

void MeshTerrain::listTrianglesAtVertices() {
  first_.assign(vertices_.size() + 1, 0);
  for (const Triangle& t : triangles_)
    for (const int v : t.vertex) ++first_[v + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  at_vertex_.resize(3 * triangles_.size());
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (const int v : triangles_[t].vertex) at_vertex_[next[v]++] = static_cast<int>(t);
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
      Triangle& here = triangles_[sides[m].triangle];
      const std::size_t i = sides[m].side;
      const Vec3 along = vertexAt(here.vertex[(i + 1) % 3]) - vertexAt(here.vertex[i]);
      here.turn[i] = joined ? turnAcross(here.normal, normalized(cross(along, here.normal)),
                                         triangles_[sides[k + end - 1 - m].triangle].normal)
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
  const Triangle& t = triangles_[index];
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
  const int v = triangles_[triangle].vertex[corner];
  out.assign(at_vertex_.begin() + first_[v], at_vertex_.begin() + first_[v + 1]);
}

double MeshTerrain::farthestFrom(Vec3 point) const {
  double farthest = 0;
  for (const Vec3& v : vertices_) farthest = std::max(farthest, norm(v - point));
  return farthest;
}

namespace {

constexpr int kLeafSize = 4;
constexpr std::size_t kDeepest = 64;  // of halving: 2^64 triangles

bool meet(const Bounds& a, const Bounds& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
         b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

void include(Bounds& box, const Bounds& other) {
  for (int k = 0; k < 3; ++k) {
    box.lower[k] = std::min(box.lower[k], other.lower[k]);
    box.upper[k] = std::max(box.upper[k], other.upper[k]);
  }
}

int longestAxis(const Bounds& box) {
  const Vec3 size = box.upper - box.lower;
  return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

}  // namespace

TriangleTree::TriangleTree(std::span<const Bounds> boxes) : items_(boxes.size()) {
  assert(!boxes.empty());
  std::iota(items_.begin(), items_.end(), 0);
  build(boxes, 0, static_cast<int>(boxes.size()));
  for (const int i : items_) item_boxes_.push_back(boxes[i]);
}

int TriangleTree::build(std::span<const Bounds> boxes, int first, int count) {
  const auto box = [&](int i) -> const Bounds& { return boxes[i]; };
  const auto index = nodes_.size();
  nodes_.push_back({box(items_[first]), 0, first, count});
  for (int k = first; k < first + count; ++k) include(nodes_[index].box, box(items_[k]));
  if (count <= kLeafSize) return static_cast<int>(index);
  const int axis = longestAxis(nodes_[index].box), half = count / 2;
  const auto begin = items_.begin() + first;
  std::nth_element(begin, begin + half, begin + count, [&](int a, int b) {
    const double center_a = box(a).lower[axis] + box(a).upper[axis];
    const double center_b = box(b).lower[axis] + box(b).upper[axis];
    return center_a != center_b ? center_a < center_b : a < b;
  });
  build(boxes, first, half);
  const int right = build(boxes, first + half, count - half);
  nodes_[index].right = right;
  return static_cast<int>(index);
}

void TriangleTree::find(const Bounds& bounds, std::vector<int>& out) const {
  out.clear();
  std::array<int, kDeepest> stack{};
  std::size_t top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const std::size_t index = stack[--top];
    const Node& node = nodes_[index];
    if (!meet(node.box, bounds)) continue;
    if (node.right != 0) {
      stack[top++] = node.right;
      stack[top++] = static_cast<int>(index) + 1;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k)
      if (meet(item_boxes_[k], bounds)) out.push_back(items_[k]);
  }
  std::sort(out.begin(), out.end());
}

}  // namespace stickslip
