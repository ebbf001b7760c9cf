#include "collision/hull/hull_builder.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace stickslip {

namespace {

// From triangles to polygons. Faces grow from the largest triangle that is left over its
// neighbours, as long as these lie in its plane, so slivers join the large face beside them instead
// of leading the way. A vertex that ends up between two faces only, in the middle of an edge, is
// dropped.

constexpr double kCoplanar = 1e-6;

// A directed edge, which belongs to one loop only.
struct HalfEdge {
  int from, to, owner;
  friend auto operator<=>(const HalfEdge&, const HalfEdge&) = default;  // NOLINT: no pointer here
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

// `triangles` index `points`, close a convex surface and run counterclockwise seen from outside;
// `extent` is the size that flatness is judged by.
Hull mergeFlatFaces(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles,
                    double extent) {
  Hull hull;
  hull.faces = FaceMerger(points, triangles, extent).loops();
  dropMiddlesOfEdges(hull.faces, points.size());
  collectVertices(points, hull);
  collectEdges(hull);
  return hull;
}

// The hull as triangles.

__extension__ using Int128 = __int128;

constexpr double kHalfGrid = 0x1p39;
// Heights of the first tetrahedron, in steps of the grid, below which the points count as flat.
constexpr double kFlatHull = 4;

struct GridPoint {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;
  int index = 0;  ///< of the point as given

  friend GridPoint operator-(const GridPoint& a, const GridPoint& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, 0};
  }
};

struct Facet {
  std::array<int, 3> corner{};
  std::array<int, 3> neighbour{};  ///< [i] across the edge from corner i to the next
  Int128 nx = 0, ny = 0, nz = 0;   ///< outward, not normalized
  double length = 0;               ///< of that normal
  std::vector<int> outside;        ///< points in front of the facet, each with one facet only
  bool alive = true;
};

class Quickhull {
 public:
  explicit Quickhull(std::vector<GridPoint> points) : points_(std::move(points)) {}

  // False if the points are flat.
  bool build() {
    if (points_.size() < 4 || !startWithTetrahedron()) return false;
    for (std::size_t f = 0; f < facets_.size(); ++f)
      while (facets_[f].alive && !facets_[f].outside.empty()) insertFarthestOf(static_cast<int>(f));
    return true;
  }

  std::vector<std::array<int, 3>> triangles() const {
    std::vector<std::array<int, 3>> out;
    for (const Facet& facet : facets_)
      if (facet.alive)
        out.push_back({point(facet.corner[0]).index, point(facet.corner[1]).index,
                       point(facet.corner[2]).index});
    return out;
  }

 private:
  struct HorizonEdge {
    int from, to;
    int beyond;  ///< the facet that stays
  };

  const GridPoint& point(int i) const { return points_[i]; }
  Facet& facet(int i) { return facets_[i]; }

  // Positive in front of the facet. At most 3 * 2^81 * 2^40 < 2^123.
  Int128 height(const Facet& f, int p) const {
    const GridPoint d = point(p) - point(f.corner[0]);
    return f.nx * d.x + f.ny * d.y + f.nz * d.z;
  }

  int addFacet(int a, int b, int c) {
    Facet f;
    f.corner = {a, b, c};
    const GridPoint u = point(b) - point(a), v = point(c) - point(a);
    f.nx = Int128(u.y) * v.z - Int128(u.z) * v.y;
    f.ny = Int128(u.z) * v.x - Int128(u.x) * v.z;
    f.nz = Int128(u.x) * v.y - Int128(u.y) * v.x;
    const double x = static_cast<double>(f.nx), y = static_cast<double>(f.ny),
                 z = static_cast<double>(f.nz);
    f.length = std::sqrt(x * x + y * y + z * z);
    facets_.push_back(std::move(f));
    return static_cast<int>(facets_.size()) - 1;
  }

  double distanceFromLine(int a, int b, int p) const {
    const auto real = [](const GridPoint& g) {
      return Vec3{static_cast<double>(g.x), static_cast<double>(g.y), static_cast<double>(g.z)};
    };
    const Vec3 along = real(point(b) - point(a));
    return norm(cross(along, real(point(p) - point(a)))) / norm(along);
  }

  // The first index that maximizes `value`.
  template <class Value>
  int farthest(Value value) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i)
      if (value(i) > value(best)) best = i;
    return best;
  }

  bool startWithTetrahedron() {
    const auto squareFrom = [&](int from, int i) {
      const GridPoint d = point(i) - point(from);
      const double x = static_cast<double>(d.x), y = static_cast<double>(d.y),
                   z = static_cast<double>(d.z);
      return x * x + y * y + z * z;
    };
    const int a = 0;  // the least in the order of the points: a corner
    const int b = farthest([&](int i) { return squareFrom(a, i); });
    const int c = farthest([&](int i) { return distanceFromLine(a, b, i); });
    if (distanceFromLine(a, b, c) < kFlatHull) return false;
    const int base = addFacet(a, b, c);
    const auto offPlane = [&](int i) {
      const Int128 h = height(facet(base), i);
      return static_cast<double>(h < 0 ? -h : h) / facet(base).length;
    };
    const int d = farthest(offPlane);
    if (offPlane(d) < kFlatHull) return false;
    const bool below = height(facet(base), d) < 0;
    facets_.clear();
    closeTetrahedron(below ? std::array{a, b, c, d} : std::array{a, c, b, d});
    return true;
  }

  // Corner 3 lies behind the facet of the other three.
  void closeTetrahedron(std::array<int, 4> v) {
    addFacet(v[0], v[1], v[2]);
    for (std::size_t i = 0; i < 3; ++i) addFacet(v[(i + 1) % 3], v[i], v[3]);
    facet(0).neighbour = {1, 2, 3};
    for (int i = 0; i < 3; ++i) facet(i + 1).neighbour = {0, 1 + (i + 2) % 3, 1 + (i + 1) % 3};
    std::vector<int> all(points_.size());
    std::iota(all.begin(), all.end(), 0);
    distribute(all, 0);
  }

  // Gives every point to the first facet, from `first_facet` on, that it is in front of.
  void distribute(const std::vector<int>& points, std::size_t first_facet) {
    for (const int p : points)
      for (std::size_t f = first_facet; f < facets_.size(); ++f)
        if (facets_[f].alive && height(facets_[f], p) > 0) {
          facets_[f].outside.push_back(p);
          break;
        }
  }

  void insertFarthestOf(int f) {
    const Facet& seen = facet(f);
    int apex = seen.outside[0];
    for (const int p : seen.outside)
      if (height(seen, p) > height(seen, apex)) apex = p;
    orphans_.clear();
    horizon_.clear();
    removeVisible(f, apex);
    const std::size_t first_new = facets_.size();
    coneOver(apex);
    distribute(orphans_, first_new);
  }

  // Facets that the apex is strictly in front of form a disc. Its boundary is walked
  // counterclockwise by a depth-first search that crosses the edges of each facet in order.
  void removeVisible(int start, int apex) {
    struct Visit {
      int facet, first_edge, done;
    };
    std::vector<Visit> stack{{start, 0, 0}};
    removeFacet(start, apex);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.done == 3) {
        stack.pop_back();
        continue;
      }
      const std::size_t edge = (visit.first_edge + visit.done++) % 3;
      const Facet& from = facet(visit.facet);
      const int other = from.neighbour[edge], a = from.corner[edge],
                b = from.corner[(edge + 1) % 3];
      if (!facet(other).alive) continue;
      if (height(facet(other), apex) > 0) {
        removeFacet(other, apex);
        // The edge back to where the search comes from is last, and leads to a removed facet.
        stack.push_back({other, (edgeFrom(other, b) + 1) % 3, 0});
      } else {
        horizon_.push_back({a, b, other});
      }
    }
  }

  void removeFacet(int f, int apex) {
    facet(f).alive = false;
    for (const int p : facet(f).outside)
      if (p != apex) orphans_.push_back(p);
    facet(f).outside = {};
  }

  // The edge of facet f that starts at the corner `from`.
  int edgeFrom(int f, int from) {
    for (int i = 0; i < 3; ++i)
      if (facet(f).corner[i] == from) return i;
    return -1;
  }

  void coneOver(int apex) {
    const int first = static_cast<int>(facets_.size()), count = static_cast<int>(horizon_.size());
    for (int i = 0; i < count; ++i) {
      const HorizonEdge edge = horizon_[i];
      const int f = addFacet(edge.from, edge.to, apex);
      facet(f).neighbour = {edge.beyond, first + (i + 1) % count, first + (i + count - 1) % count};
      facet(edge.beyond).neighbour[edgeFrom(edge.beyond, edge.to)] = f;
    }
  }

  std::vector<GridPoint> points_;
  std::vector<Facet> facets_;
  std::vector<int> orphans_;
  std::vector<HorizonEdge> horizon_;
};

struct Extent {
  Vec3 center;
  double half = 0;
};

Extent extentOf(std::span<const Vec3> points) {
  Vec3 lower = points[0], upper = points[0];
  for (const Vec3& p : points)
    for (int i = 0; i < 3; ++i) {
      lower[i] = std::min(lower[i], p[i]);
      upper[i] = std::max(upper[i], p[i]);
    }
  const Vec3 half{upper.x / 2 - lower.x / 2, upper.y / 2 - lower.y / 2, upper.z / 2 - lower.z / 2};
  return {lower + half, std::max({half.x, half.y, half.z})};
}

// Points on the grid, ordered, each place once.
std::vector<GridPoint> onGrid(std::span<const Vec3> points, const Extent& extent) {
  // A power of two, so that rounding does not depend on the unit.
  int exponent = 0;
  if (std::frexp(extent.half, &exponent) == 0.5) --exponent;
  const double step = std::ldexp(1.0, exponent) / kHalfGrid;
  std::vector<GridPoint> grid;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 d = points[i] - extent.center;
    grid.push_back({std::llround(d.x / step), std::llround(d.y / step), std::llround(d.z / step),
                    static_cast<int>(i)});
  }
  const auto key = [](const GridPoint& p) { return std::array{p.x, p.y, p.z}; };
  std::stable_sort(grid.begin(), grid.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  grid.erase(std::unique(grid.begin(), grid.end(),
                         [&](const auto& a, const auto& b) { return key(a) == key(b); }),
             grid.end());
  return grid;
}

}  // namespace

std::optional<Hull> buildHull(std::span<const Vec3> points) {
  const Extent extent = extentOf(points);
  // The grid must have a step that is a number.
  if (!std::isnormal(extent.half / kHalfGrid)) return std::nullopt;
  Quickhull quickhull(onGrid(points, extent));
  if (!quickhull.build()) return std::nullopt;
  return mergeFlatFaces(points, quickhull.triangles(), extent.half);
}

}  // namespace stickslip
