// Corner of a terrain: a point against a convex shape, with a normal out of the corner's cone.
//
// Apart, the closest point of the convex shape gives the normal. If the corner is inside the core,
// the height of the core over it along n is a least of n.(a - corner), with several maxima on the
// sphere: for polytopes they are normals of faces, of which the best one in the cone is taken; for
// other cores the maximum is found by ascent from the middle of the cone (as in
// cylinder_distance.hpp).
#include <algorithm>
#include <cmath>
#include <optional>

#include "collision/convex/gjk.hpp"
#include "collision/convex/round_shapes.hpp"
#include "collision/terrain/terrain_patch.hpp"

namespace stickslip {
namespace {

constexpr double kInCone = 1e-8;        // sine by which a normal may leave the cone
constexpr double kClearlyApart = 1e-6;  // of the size, from where on closest points give a normal
constexpr int kMostRounds = 20;

// The surface around a corner.
class Fan {
 public:
  Fan(const Terrain& terrain, int triangle, int corner, std::vector<int>& around)
      : terrain_(terrain), around_(around) {
    point_ = terrain.triangle(triangle).corner[corner];
    terrain.trianglesAtCorner(triangle, corner, around);
  }

  Vec3 point() const { return point_; }

  Vec3 meanNormal() const {
    Vec3 sum;
    for (const int t : around_) sum += terrain_.triangle(t).normal;
    const double length = norm(sum);
    return length > 0 ? (1 / length) * sum : terrain_.triangle(around_[0]).normal;
  }

  // True if n points away from all sides, and to the front: of all triangles at a border, and of
  // one at least elsewhere (which tells a peak from a pit).
  bool admits(Vec3 n) const {
    bool border = false;
    double least = 1, most = -1;
    for (const int t : around_) {
      const TerrainTriangle triangle = terrain_.triangle(t);
      const std::size_t i = cornerAt(triangle, point_);
      for (const std::size_t k : {(i + 1) % 3, (i + 2) % 3}) {
        const Vec3 away = triangle.corner[k] - point_;
        if (dot(n, away) > kInCone * norm(away)) return false;
      }
      least = std::min(least, dot(n, triangle.normal));
      most = std::max(most, dot(n, triangle.normal));
      border = border || isBorder(t, i) || isBorder(t, (i + 2) % 3);
    }
    return border ? least >= -kInCone : most > 0;
  }

 private:
  // No other triangle around has the side too.
  bool isBorder(int t, std::size_t side) const {
    const TerrainTriangle here = terrain_.triangle(t);
    const Vec3 from = here.corner[side], to = here.corner[(side + 1) % 3];
    return std::ranges::none_of(around_, [&](int other) {
      const TerrainTriangle there = terrain_.triangle(other);
      return other != t && cornerAt(there, from) >= 0 && cornerAt(there, to) >= 0;
    });
  }

  const Terrain& terrain_;
  const std::vector<int>& around_;
  Vec3 point_;
};

double heightAlong(const PlacedConvex& convex, Vec3 point, Vec3 n) {
  return dot(n, convex.lowest(n) - point);
}

// The normal of a face of the core that the point is least deep under, among those of the cone.
std::optional<Vec3> bestFaceNormal(const PlacedConvex& convex, const Fan& fan) {
  std::optional<Vec3> best;
  double highest = -INFINITY;
  const Vec3 local = convex.pose.pointToLocal(fan.point());
  for (const PolytopeFace& face : convex.shape.polytope().faces) {
    const double height = dot(face.normal, local) - face.offset;
    const Vec3 n = -(convex.pose.rotation * face.normal);
    if (height <= highest || !fan.admits(n)) continue;
    highest = height;
    best = n;
  }
  return best;
}

// Moves the core out along n until it is clear of the point, takes the normal of the closest points
// there, and so on until that is n itself. The height rises all the way, so if the end is outside
// of the cone, the last normal inside is the best one.
std::optional<Vec3> normalByAscent(const PlacedConvex& convex, const CorePair& pair,
                                   const Fan& fan) {
  const double size = convex.size();
  Vec3 n = fan.meanNormal();
  std::optional<Vec3> admitted;
  for (int k = 0; k < kMostRounds; ++k) {
    const double depth = std::max(-heightAlong(convex, fan.point(), n), 0.0);
    const Vec3 local = transposedTimes(convex.pose.rotation, n);
    const double shift = 4 * depth + 1e-3 * size;
    const ClosestPoints apart = closestPoints(pair, -shift * local, -local);
    if (fan.admits(n)) admitted = n;
    if (!(apart.distance > 0)) break;
    const Vec3 next = -(convex.pose.rotation * apart.normal);
    const bool settled = norm(next - n) < 1e-10;
    n = next;
    if (settled) break;
  }
  return fan.admits(n) ? n : admitted;
}

std::optional<Vec3> normalAt(const PlacedConvex& convex, const Fan& fan, double reach) {
  static const RoundedSegment kPoint(0, 0);
  const Vec3 local = convex.pose.pointToLocal(fan.point());
  const CorePair pair{convex.shape, kPoint, {local, {}}};
  const double cutoff = reach + convex.shape.radius();
  const Vec3 line = local - convex.shape.interiorPoint();
  const Vec3 guess = line == Vec3{} ? Vec3{0, 0, 1} : line;
  const ClosestPoints apart = closestPoints(pair, {}, guess, {cutoff});
  if (apart.distance > cutoff) return std::nullopt;
  const Vec3 closest = -(convex.pose.rotation * apart.normal);
  if (apart.distance > kClearlyApart * convex.size()) return closest;
  // Touching: the closest points are right if an edge or vertex of the core is nearest, but noisy.
  std::optional<Vec3> best = bestFaceNormal(convex, fan);
  if (apart.distance > 0 && fan.admits(closest) &&
      (!best ||
       heightAlong(convex, fan.point(), closest) > heightAlong(convex, fan.point(), *best)))
    best = closest;
  return best ? best : normalByAscent(convex, pair, fan);
}

}  // namespace

void addCornerPoints(const PlacedConvex& convex, const Terrain& terrain, int triangle, int corner,
                     double reach, TerrainScratch& scratch, std::vector<TerrainPoint>& out) {
  const Fan fan(terrain, triangle, corner, scratch.around);
  const std::optional<Vec3> n = normalAt(convex, fan, reach);
  if (!n || !fan.admits(*n) || dot(*n, convex.center() - fan.point()) < 0) return;
  const double gap = heightAlong(convex, fan.point(), *n) - convex.shape.radius();
  if (gap > reach) return;
  out.push_back({fan.point() + gap * *n, *n, gap, 6 + static_cast<std::uint32_t>(corner) % 2});
}

}  // namespace stickslip
