#include "collision/rim_normals.hpp"

#include <cmath>
#include <utility>

#include "collision/core_pair.hpp"

namespace stickslip {
namespace {

constexpr int kBisections = 54;
// Arcs with a smaller sine of half their angle, and lines with a smaller one to the axis, are none.
constexpr double kNoArc = 1e-9;

/// Derivative of the gap between the rim and a point, along an arc of normals.
struct RimGap {
  const CylinderShape& cylinder;
  Vec3 point;
  double cap;  ///< which of the two rims: sign of the normal's component along the axis

  // At the normal m, in the direction t.
  double slope(Vec3 m, Vec3 t) const {
    const double across = std::sqrt(m.x * m.x + m.y * m.y);
    const double rim =
        across > 0 ? cylinder.cylinderRadius() * (m.x * t.x + m.y * t.y) / across : 0;
    return dot(t, point) - rim - cap * cylinder.halfHeight() * t.z;
  }
};

void searchSmoothArc(const CylinderShape& cylinder, Vec3 point, Vec3 from, Vec3 to,
                     RimNormals& out) {
  const Vec3 pole = cross(from, to);
  const RimGap gap{cylinder, point, from.z + to.z < 0 ? -1.0 : 1.0};
  if (norm(pole) <= kNoArc) return;
  if (gap.slope(from, cross(pole, from)) <= 0 || gap.slope(to, cross(pole, to)) >= 0) return;
  for (int i = 0; i < kBisections; ++i) {
    const Vec3 middle = normalized(from + to);
    (gap.slope(middle, cross(pole, middle)) > 0 ? from : to) = middle;
  }
  out.normal[out.count++] = normalized(from + to);
}

// Splits the arc where it crosses the plane square to the axis.
void searchArc(const CylinderShape& cylinder, Vec3 point, Vec3 from, Vec3 to, RimNormals& out) {
  if (from.z * to.z >= 0) return searchSmoothArc(cylinder, point, from, to, out);
  const Vec3 level = to.z * from - from.z * to;
  const Vec3 kink = (to.z < 0 ? -1 : 1) / norm(level) * level;
  searchSmoothArc(cylinder, point, from, kink, out);
  searchSmoothArc(cylinder, point, kink, to, out);
}

}  // namespace

RimEdge rimEdge(const PolytopeView& core, std::size_t edge, const Pose& pose) {
  const auto& [from, to, direction] = core.edges[edge];
  const auto& [into_left, into_right] = core.sidesOf(edge);
  const Vec3 first = cross(direction, into_left);
  const Vec3 last = cross(into_right, direction);
  const Vec3 middle = normalized(first + last - into_left - into_right);
  return {pose.pointToWorld(core.vertices[static_cast<std::size_t>(from)]), pose.rotation * first,
          pose.rotation * middle, pose.rotation * last};
}

RimNormals rimNormals(const CylinderShape& cylinder, const RimEdge& edge) {
  RimNormals out;
  searchArc(cylinder, edge.point, -edge.first, -edge.middle, out);
  searchArc(cylinder, edge.point, -edge.middle, -edge.last, out);
  return out;
}

RimNormals rimNormals(const CylinderShape& cylinder, Vec3 point, Vec3 direction) {
  RimNormals out;
  const Vec3 up{0, 0, 1};
  const Vec3 level = cross(up, direction);
  if (norm(level) <= kNoArc) return out;
  const Vec3 side = normalized(level);
  const Vec3 steepest = cross(direction, side);
  std::array<Vec3, 4> quarters{side, steepest, -side, -steepest};
  for (std::size_t i = 0; i < 4; ++i)
    searchSmoothArc(cylinder, point, quarters[i], quarters[(i + 1) % 4], out);
  return out;
}

}  // namespace stickslip
