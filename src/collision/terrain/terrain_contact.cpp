#include "collision/terrain/terrain_contact.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "collision/convex/convex_contact.hpp"
#include "collision/convex/polytope.hpp"
#include "collision/terrain/terrain_patch.hpp"

namespace stickslip {

namespace {

// Fewer points for the contact of a shape with many triangles. Of points with the same normal in
// the same plane the corners of their outline are kept, and the one with the smallest gap. The
// outline is the convex hull in the plane by monotone chains (A. M. Andrew, 1979), with nearly
// collinear corners left out.

struct OwnedTerrainPoint {
  TerrainPoint point;
  int triangle = 0;
};

// Memory that is used again.
struct OutlineScratch {
  std::vector<int> group;
  std::vector<int> chain;
  std::vector<int> members;
  std::vector<Vec2> flat;
  std::vector<char> kept;
};

Vec3 onTerrain(const TerrainPoint& p) {
  return p.on_convex - p.gap * p.normal;
}

// group[i] is the first point that point i goes together with.
void findGroups(const std::vector<OwnedTerrainPoint>& points, double size,
                std::vector<int>& group) {
  group.clear();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const TerrainPoint& here = points[i].point;
    group.push_back(static_cast<int>(i));
    for (std::size_t k = 0; k < i; ++k) {
      const TerrainPoint& leader = points[k].point;
      if (group[k] != static_cast<int>(k) ||
          dot(here.normal, leader.normal) < kTerrain.same_plane_normal ||
          std::abs(dot(leader.normal, onTerrain(here) - onTerrain(leader))) >
              kTerrain.same_plane * size)
        continue;
      group[i] = static_cast<int>(k);
      break;
    }
  }
}

Vec3 someVectorAcross(Vec3 n) {
  const Vec3 axis = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  return normalized(cross(n, axis));
}

// Adds point `next` to a chain that turns to the left.
void extend(std::vector<int>& chain, std::size_t start, const std::vector<Vec2>& flat, int next,
            double tolerance) {
  while (chain.size() >= start + 2) {
    const Vec2 a = flat[chain[chain.size() - 2]], b = flat[chain.back()];
    const Vec2 whole = flat[next] - a;
    if (cross(b - a, whole) > tolerance * norm(whole)) break;
    chain.pop_back();
  }
  if (chain.size() > start && norm(flat[next] - flat[chain.back()]) <= tolerance) return;
  chain.push_back(next);
}

// Marks the corners of the outline of `members` and the deepest of them.
void markOutline(const std::vector<OwnedTerrainPoint>& points, double size,
                 OutlineScratch& scratch) {
  std::vector<int>& members = scratch.members;
  std::vector<Vec2>& flat = scratch.flat;
  const Vec3 t1 = someVectorAcross(points[members[0]].point.normal);
  const Vec3 t2 = cross(points[members[0]].point.normal, t1);
  flat.resize(points.size());
  int deepest = members[0];
  for (const int i : members) {
    const TerrainPoint& p = points[i].point;
    flat[i] = {dot(t1, p.on_convex), dot(t2, p.on_convex)};
    if (p.gap < points[deepest].point.gap) deepest = i;
  }
  const double tolerance = kTerrain.same_place * size;
  std::sort(members.begin(), members.end(), [&](int a, int b) {
    const Vec2 p = flat[a], q = flat[b];
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : a < b;
  });
  std::vector<int>& chain = scratch.chain;
  chain.clear();
  for (const int i : members) extend(chain, 0, flat, i, tolerance);
  const std::size_t turn = chain.empty() ? 0 : chain.size() - 1;
  for (auto i = members.rbegin(); i != members.rend(); ++i)
    extend(chain, turn, flat, *i, tolerance);
  double least = INFINITY;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    // The way back ends where the way out began.
    if (k > 0 && norm(flat[chain[k]] - flat[chain[0]]) <= tolerance) continue;
    scratch.kept[chain[k]] = 1;
    least = std::min(least, points[chain[k]].point.gap);
  }
  if (points[deepest].point.gap < least - 1e-12 * size) scratch.kept[deepest] = 1;
}

// `size` is that of the convex shape.
void keepOutlines(std::vector<OwnedTerrainPoint>& points, double size, OutlineScratch& scratch) {
  findGroups(points, size, scratch.group);
  scratch.kept.assign(points.size(), 0);
  for (std::size_t leader = 0; leader < points.size(); ++leader) {
    if (scratch.group[leader] != static_cast<int>(leader)) continue;
    scratch.members.clear();
    for (std::size_t i = leader; i < points.size(); ++i)
      if (scratch.group[i] == static_cast<int>(leader))
        scratch.members.push_back(static_cast<int>(i));
    markOutline(points, size, scratch);
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (scratch.kept[i] != 0) points[count++] = points[i];
  points.resize(count);
}

constexpr std::uint32_t kFeatureLimit = 1u << 22;

struct Segment {
  Vec3 from, to;
};

// 1 if the segment goes through the triangle from the front to the back, -1 from the back to the
// front. Hits up to `slack` beside the triangle count too.
int crossings(const Segment& way, const TerrainTriangle& triangle, double slack) {
  const double from = dot(triangle.normal, way.from - triangle.corner[0]);
  const double to = dot(triangle.normal, way.to - triangle.corner[0]);
  if ((from < 0) == (to < 0)) return 0;
  const Vec3 at = way.from + (from / (from - to)) * (way.to - way.from);
  for (std::size_t i = 0; i < 3; ++i)
    if (dot(triangle.side[i].outward, at - triangle.corner[i]) > slack) return 0;
  return from > to ? 1 : -1;
}

bool overlaps(const PlacedConvex& convex, const TerrainTriangle& triangle) {
  const TriangleShape shape(triangle.corner[0], triangle.corner[1], triangle.corner[2]);
  const Pose terrain{convex.pose.pointToLocal({}), transposed(convex.pose.rotation)};
  const double radius = convex.shape.radius();
  return coreDistance(convex.shape, shape, terrain, radius).gap < radius;
}

class TerrainCollider {
 public:
  void collide(const PlacedConvex& convex, const Terrain& terrain, double margin) {
    const double reach = std::max(margin, kTerrain.touching * convex.size());
    found_.clear();
    patches_.clear();
    points_.clear();
    const Bounds bounds = convex.shape.boundsAt(convex.pose);
    const Vec3 wider{reach, reach, reach};
    terrain.trianglesWithin({bounds.lower - wider, bounds.upper + wider}, near_);
    for (const int t : near_) askTriangle(convex, terrain, t, reach);
    leaveOutOnesBehind(convex, terrain);
    leaveOutDeeperOnes(convex, terrain);
    collectPoints(margin);
    keepOutlines(points_, convex.size(), outline_);
  }

  std::span<const OwnedTerrainPoint> points() const { return points_; }

 private:
  // What a patch belongs to: 0 the face, 1 to 3 a side, 4 to 6 a corner.
  struct Patch {
    int triangle = 0;
    int part = 0;
    std::size_t first = 0, count = 0;  ///< in found_
    Vec3 normal;
    double gap = 0;  ///< smallest
    bool left_out = false;
  };

  void askTriangle(const PlacedConvex& convex, const Terrain& terrain, int t, double reach) {
    const TerrainTriangle triangle = terrain.triangle(t);
    const Vec3 n = triangle.normal;
    const double height = dot(n, convex.lowest(n) - triangle.corner[0]);
    if (height - convex.shape.radius() > reach) return;  // in front of all of the triangle
    for (int part = 0; part < 7; ++part) {
      if (part >= 1 && part <= 3 && !sideIsNear(convex, terrain, triangle, t, part - 1, reach))
        continue;
      if (part >= 4 && !cornerIsNear(convex, terrain, triangle, t, part - 4, reach)) continue;
      const std::size_t first = found_.size();
      ask(convex, terrain, triangle, t, part, reach, FaceExtent::triangle, found_);
      if (found_.size() > first) addPatch(t, part, first);
    }
  }

  // By the sphere around the shape.
  static bool cornerIsNear(const PlacedConvex& convex, const Terrain& terrain,
                           const TerrainTriangle& triangle, int t, int corner, double reach) {
    if (!terrain.reportsCorner(t, corner)) return false;
    const Vec3 away = triangle.corner[corner] - convex.center();
    return norm(away) <= convex.size() + reach;
  }
  static bool sideIsNear(const PlacedConvex& convex, const Terrain& terrain,
                         const TerrainTriangle& triangle, int t, int side, double reach) {
    if (!terrain.reportsSide(t, side)) return false;
    const Vec3 from = triangle.corner[side];
    const Vec3 along = triangle.corner[(side + 1) % 3] - from;
    const Vec3 away = convex.center() - from;
    const double share = std::clamp(dot(away, along) / dot(along, along), 0.0, 1.0);
    return norm(away - share * along) <= convex.size() + reach;
  }

  void ask(const PlacedConvex& convex, const Terrain& terrain, const TerrainTriangle& triangle,
           int t, int part, double reach, FaceExtent extent, std::vector<TerrainPoint>& out) {
    if (part == 0)
      addFacePoints(convex, triangle, reach, extent, scratch_, out);
    else if (part <= 3)
      addSidePoints(convex, triangle, part - 1, reach, scratch_, out);
    else
      addCornerPoints(convex, terrain, t, part - 4, reach, scratch_, out);
  }

  void addPatch(int t, int part, std::size_t first) {
    Patch patch{t, part, first, found_.size() - first, found_[first].normal, found_[first].gap};
    for (std::size_t k = first; k < found_.size(); ++k)
      patch.gap = std::min(patch.gap, found_[k].gap);
    patches_.push_back(patch);
  }

  // A patch in overlap is real only if the surface lies between it and the inside of the shape, or
  // the shape overlaps the triangle itself: where the ground is steep, a shape can be behind a
  // triangle without having gone through.
  void leaveOutOnesBehind(const PlacedConvex& convex, const Terrain& terrain) {
    for (Patch& patch : patches_) {
      if (patch.gap >= -kTerrain.touching * convex.size()) continue;
      const auto first = found_.begin() + static_cast<std::ptrdiff_t>(patch.first);
      const auto deepest = std::min_element(
          first, first + static_cast<std::ptrdiff_t>(patch.count),
          [](const TerrainPoint& p, const TerrainPoint& q) { return p.gap < q.gap; });
      const Segment way{convex.center(), deepest->on_convex};
      const TerrainTriangle triangle = terrain.triangle(patch.triangle);
      const double noise = kTerrain.noise * convex.size();
      if (crossings(way, triangle, noise) > 0 || overlaps(convex, triangle)) continue;
      int count = 0;
      for (const int t : near_) count += crossings(way, terrain.triangle(t), noise);
      patch.left_out = count <= 0;
    }
  }

  void leaveOutDeeperOnes(const PlacedConvex& convex, const Terrain& terrain) {
    std::sort(patches_.begin(), patches_.end(), [](const Patch& a, const Patch& b) {
      return a.gap != b.gap ? a.gap > b.gap : a.first < b.first;
    });
    const double clear = kTerrain.touching * convex.size();
    for (std::size_t p = 0; p < patches_.size(); ++p) {
      if (patches_[p].gap >= 0 || patches_[p].left_out) continue;
      for (std::size_t q = 0; q < p && !patches_[p].left_out; ++q) {
        const Patch& way_out = patches_[q];
        if (way_out.left_out || way_out.gap > clear ||
            dot(way_out.normal, patches_[p].normal) > kTerrain.same_normal)
          continue;
        const double shift = std::max(-way_out.gap, 0.0) + clear;
        patches_[p].left_out = !remains(convex, terrain, patches_[p], shift * way_out.normal);
      }
    }
  }

  // True if the shape still overlaps the triangle after it has moved, or the patch is still one,
  // whatever its gap.
  bool remains(const PlacedConvex& convex, const Terrain& terrain, const Patch& patch, Vec3 shift) {
    PlacedConvex moved = convex;
    moved.pose.position += shift;
    if (overlaps(moved, terrain.triangle(patch.triangle))) return true;
    probe_.clear();
    ask(moved, terrain, terrain.triangle(patch.triangle), patch.triangle, patch.part, norm(shift),
        FaceExtent::up_to_convex_sides, probe_);
    return std::ranges::any_of(
        probe_, [&](const TerrainPoint& p) { return dot(p.normal, patch.normal) > 0.9; });
  }

  void collectPoints(double margin) {
    std::sort(patches_.begin(), patches_.end(),
              [](const Patch& a, const Patch& b) { return a.first < b.first; });
    for (const Patch& patch : patches_) {
      if (patch.left_out) continue;
      for (std::size_t k = patch.first; k < patch.first + patch.count; ++k)
        if (found_[k].gap <= margin) points_.push_back({found_[k], patch.triangle});
    }
  }

  std::vector<int> near_;
  std::vector<TerrainPoint> found_, probe_;
  std::vector<Patch> patches_;
  std::vector<OwnedTerrainPoint> points_;
  TerrainScratch scratch_;
  OutlineScratch outline_;
};

std::uint32_t uniqueFeature(const OwnedTerrainPoint& point, const ContactPoints& out,
                            std::size_t first) {
  std::uint32_t feature =
      (8 * static_cast<std::uint32_t>(point.triangle) + point.point.number) % kFeatureLimit;
  const auto taken = [&] {
    return std::any_of(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                       [&](const ContactPoint& p) { return p.feature == feature; });
  };
  while (taken()) feature = (feature + 1) % kFeatureLimit;
  return feature;
}

}  // namespace

void collideTerrain(const ConvexShape& convex, const Pose& convex_pose, const Terrain& terrain,
                    const Pose& terrain_pose, double margin, ContactPoints& out) {
  thread_local TerrainCollider collider;
  const Pose relative{terrain_pose.pointToLocal(convex_pose.position),
                      transposed(terrain_pose.rotation) * convex_pose.rotation};
  collider.collide({convex, relative}, terrain, margin);
  const std::size_t first = out.size();
  for (const OwnedTerrainPoint& p : collider.points()) {
    const Vec3 on_a = terrain_pose.pointToWorld(p.point.on_convex);
    const Vec3 normal = -(terrain_pose.rotation * p.point.normal);
    out.push_back(
        {on_a, on_a + p.point.gap * normal, normal, p.point.gap, uniqueFeature(p, out, first)});
  }
}

}  // namespace stickslip
