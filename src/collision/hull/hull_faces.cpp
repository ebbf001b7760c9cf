// Faces grow from the largest triangle that is left over its neighbours, as long as these lie in
// its plane, so slivers join the large face beside them instead of leading the way. A vertex that
// ends up between two faces only, in the middle of an edge, is dropped.
#include "collision/hull/hull_faces.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "base/index.hpp"

namespace stickslip {
namespace {

constexpr double kCoplanar = 1e-6;

// A directed edge, which belongs to one loop only.
struct HalfEdge {
  int from, to, owner;
  friend auto operator<=>(const HalfEdge&, const HalfEdge&) = default;
};

// Half edges of loops, found by their ends.
class HalfEdges {
 public:
  void add(int from, int to, int owner) { edges_.push_back({from, to, owner}); }
  void finish() { std::sort(edges_.begin(), edges_.end()); }

  int ownerOf(int from, int to) const {
    const auto found = std::lower_bound(edges_.begin(), edges_.end(), HalfEdge{from, to, -1});
    assert(found != edges_.end() && found->from == from && found->to == to);
    return found->owner;
  }
  std::span<const HalfEdge> all() const { return edges_; }

 private:
  std::vector<HalfEdge> edges_;
};

class FaceMerger {
 public:
  FaceMerger(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles,
             double extent)
      : points_(points), triangles_(triangles), tolerance_(kCoplanar * extent) {
    for (std::size_t t = 0; t < triangles.size(); ++t)
      for (std::size_t i = 0; i < 3; ++i)
        half_edges_.add(triangles[t][i], triangles[t][(i + 1) % 3], static_cast<int>(t));
    half_edges_.finish();
  }

  std::vector<std::vector<int>> loops() {
    region_.assign(triangles_.size(), -1);
    std::vector<std::vector<int>> out;
    for (const int seed : largestFirst()) {
      if (region_[seed] >= 0) continue;
      grow(seed);
      std::vector<int> loop = boundary(seed);
      if (!loop.empty()) {
        out.push_back(std::move(loop));
      } else {  // a hole or a pinch: nothing is gained by merging
        for (const int t : members_) out.emplace_back(triangles_[t].begin(), triangles_[t].end());
      }
    }
    return out;
  }

 private:
  Vec3 areaVector(int t) const {
    const std::array<int, 3>& v = triangles_[t];
    return cross(points_[v[1]] - points_[v[0]], points_[v[2]] - points_[v[0]]);
  }

  std::vector<int> largestFirst() const {
    std::vector<double> area;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      area.push_back(norm(areaVector(static_cast<int>(t))));
    std::vector<int> order(triangles_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return area[a] > area[b]; });
    return order;
  }

  // Takes over all triangles around the seed that lie in its plane.
  void grow(int seed) {
    const Vec3 area = areaVector(seed);
    members_.assign(1, seed);
    region_[seed] = seed;
    if (area == Vec3{}) return;
    const Vec3 normal = normalized(area), origin = points_[triangles_[seed][0]];
    const auto inPlane = [&](int t) {
      return std::ranges::all_of(triangles_[t], [&](int v) {
        return std::abs(dot(normal, points_[v] - origin)) <= tolerance_;
      });
    };
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const std::array<int, 3> v = triangles_[members_[k]];
      for (std::size_t i = 0; i < 3; ++i) {
        const int other = half_edges_.ownerOf(v[(i + 1) % 3], v[i]);
        // The back of a thin hull may lie in the same plane up to the tolerance.
        if (region_[other] >= 0 || !inPlane(other) || !facesForward(other, normal)) continue;
        region_[other] = seed;
        members_.push_back(other);
      }
    }
  }

  // Not turned away from `normal`; slivers whose own normal is noise belong wherever they lie.
  bool facesForward(int t, Vec3 normal) const {
    return dot(areaVector(t), normal) >= -tolerance_ * tolerance_;
  }

  // The one loop around the region, empty if there are several or one that meets itself.
  std::vector<int> boundary(int seed) const {
    std::vector<std::array<int, 2>> border;  // from, to
    for (const int t : members_)
      for (std::size_t i = 0; i < 3; ++i) {
        const int from = triangles_[t][i], to = triangles_[t][(i + 1) % 3];
        if (region_[half_edges_.ownerOf(to, from)] != seed) border.push_back({from, to});
      }
    std::sort(border.begin(), border.end());
    std::vector<int> loop;
    if (border.empty()) return loop;
    int vertex = border[0][0];
    do {
      loop.push_back(vertex);
      const auto next = std::lower_bound(border.begin(), border.end(), std::array{vertex, -1});
      if (std::next(next) != border.end() && (*std::next(next))[0] == vertex) return {};
      vertex = (*next)[1];
    } while (vertex != border[0][0]);
    if (loop.size() != border.size()) loop.clear();
    return loop;
  }

  std::span<const Vec3> points_;
  std::span<const std::array<int, 3>> triangles_;
  double tolerance_;
  HalfEdges half_edges_;
  std::vector<int> region_;   ///< seed of the region of each triangle, -1: none yet
  std::vector<int> members_;  ///< triangles of the region that was grown last
};

// Removes vertices that only two faces share, unless a face would have too few left.
void dropMiddlesOfEdges(std::vector<std::vector<int>>& loops, std::size_t point_count) {
  std::vector<std::vector<int>> faces_at(point_count);
  for (std::size_t f = 0; f < loops.size(); ++f)
    for (const int v : loops[f]) faces_at[v].push_back(static_cast<int>(f));
  for (std::size_t v = 0; v < point_count; ++v) {
    if (faces_at[v].size() != 2) continue;
    std::vector<int>& a = loops[faces_at[v][0]];
    std::vector<int>& b = loops[faces_at[v][1]];
    if (a.size() <= 3 || b.size() <= 3) continue;
    std::erase(a, static_cast<int>(v));
    std::erase(b, static_cast<int>(v));
  }
}

// Numbers the vertices that are in use, in the order of the points.
void collectVertices(std::span<const Vec3> points, Hull& hull) {
  std::vector<int> number(points.size(), -1);
  for (const std::vector<int>& loop : hull.faces)
    for (const int v : loop) number[v] = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (number[i] == 0) {
      number[i] = static_cast<int>(hull.vertices.size());
      hull.vertices.push_back(points[i]);
    }
  for (std::vector<int>& loop : hull.faces)
    for (int& v : loop) v = number[v];
}

void collectEdges(Hull& hull) {
  HalfEdges half_edges;
  for (std::size_t f = 0; f < hull.faces.size(); ++f)
    for (std::size_t i = 0; i < hull.faces[f].size(); ++i)
      half_edges.add(hull.faces[f][i], hull.faces[f][(i + 1) % hull.faces[f].size()],
                     static_cast<int>(f));
  half_edges.finish();
  for (const HalfEdge& edge : half_edges.all())
    if (edge.from < edge.to)
      hull.edges.push_back(
          {edge.from, edge.to, edge.owner, half_edges.ownerOf(edge.to, edge.from)});
}

}  // namespace

Hull mergeFlatFaces(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles,
                    double extent) {
  Hull hull;
  hull.faces = FaceMerger(points, triangles, extent).loops();
  dropMiddlesOfEdges(hull.faces, points.size());
  collectVertices(points, hull);
  collectEdges(hull);
  return hull;
}

}  // namespace stickslip
