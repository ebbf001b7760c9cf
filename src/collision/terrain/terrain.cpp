#include "collision/terrain/terrain.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "collision/terrain/height_field_terrain.hpp"
#include "collision/terrain/mesh_terrain.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip {

int cornerAt(const TerrainTriangle& triangle, Vec3 point) {
  for (int i = 0; i < 3; ++i)
    if (triangle.corner[i] == point) return i;
  return -1;
}

double turnAcross(Vec3 here, Vec3 outward, Vec3 beyond) {
  return math::atan2(dot(beyond, outward), dot(beyond, here));
}

void Terrain::prepare() {
  box_ = {triangle(0).corner[0], triangle(0).corner[0]};
  flags_.assign(triangleCount(), 0);
  std::vector<int> around;
  for (int t = 0; t < triangleCount(); ++t) {
    const TerrainTriangle here = triangle(t);
    for (const Vec3& p : here.corner)
      for (int k = 0; k < 3; ++k) {
        box_.lower[k] = std::min(box_.lower[k], p[k]);
        box_.upper[k] = std::max(box_.upper[k], p[k]);
      }
    int bits = 0;
    for (int i = 0; i < 3; ++i) {
      if (here.side[i].convex() && firstAtSide(t, here, i, around)) bits |= 1 << i;
      if (sticksOut(t, here, i, around)) bits |= 8 << i;
    }
    flags_[t] = static_cast<std::uint8_t>(bits);
  }
}

Bounds Terrain::boundsAt(const Pose& pose) const {
  const Vec3 center = pose.pointToWorld(0.5 * (box_.lower + box_.upper));
  const Vec3 half = 0.5 * (box_.upper - box_.lower);
  Vec3 reach;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) reach[i] += std::abs(pose.rotation(i, k)) * half[k];
  return {center - reach, center + reach};
}

// True if no triangle with a lower number has the same side, in the other direction.
bool Terrain::firstAtSide(int t, const TerrainTriangle& of, int side,
                          std::vector<int>& around) const {
  const Vec3 from = of.corner[side];
  const Vec3 to = of.corner[(side + 1) % 3];
  trianglesAtCorner(t, side, around);
  return std::ranges::none_of(around, [&](int other) {
    if (other >= t) return false;
    const TerrainTriangle there = triangle(other);
    const int start = cornerAt(there, to), end = cornerAt(there, from);
    return start >= 0 && end == (start + 1) % 3;
  });
}

// The cone of directions that point away from everything around a corner has at least three sides,
// and each of these belongs to a convex side of the surface.
bool Terrain::sticksOut(int t, const TerrainTriangle& of, int corner,
                        std::vector<int>& around) const {
  const Vec3 point = of.corner[corner];
  trianglesAtCorner(t, corner, around);
  if (around.front() != t) return false;
  int convex_ends = 0;  // a side within the surface is met from both of its triangles
  for (const int other : around) {
    const TerrainTriangle there = triangle(other);
    const std::size_t i = cornerAt(there, point);
    convex_ends += there.side[i].convex() + there.side[(i + 2) % 3].convex();
  }
  return convex_ends >= 3;
}

std::shared_ptr<const CollisionShape> makeTerrain(const Shape& shape) {
  if (const auto* field = std::get_if<HeightField>(&shape))
    return std::make_shared<HeightFieldTerrain>(*field);
  const auto* mesh = std::get_if<TriangleMesh>(&shape);
  assert(mesh != nullptr);
  return std::make_shared<MeshTerrain>(*mesh);
}

}  // namespace stickslip
