// The outline is the convex hull in the plane by monotone chains (A. M. Andrew, 1979), with nearly
// collinear corners left out.
#include "collision/terrain/terrain_manifold.hpp"

#include <algorithm>
#include <cmath>


namespace stickslip {
namespace {

// Normals within 1e-3 of each other and points within 1e-4 of the shape's size of a plane go
// together: a floor that is flat up to the noise of single precision is one plane.
constexpr double kSamePlaneNormal = 1 - 5e-7;
constexpr double kSamePlane = 1e-4;
constexpr double kSamePlace = 1e-6;

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
      if (group[k] != static_cast<int>(k) || dot(here.normal, leader.normal) < kSamePlaneNormal ||
          std::abs(dot(leader.normal, onTerrain(here) - onTerrain(leader))) > kSamePlane * size)
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
  const double tolerance = kSamePlace * size;
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

}  // namespace

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

}  // namespace stickslip
