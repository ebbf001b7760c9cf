#include "collision/convex/support_convex.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "collision/convex/gjk.hpp"

namespace stickslip {
namespace {

// Tilts [rad] to look around a direction with. The first one makes sure: across it, a surface with
// a radius of curvature r sinks by 5e-9 r, and answers of it are 2e-4 r apart.
constexpr double kTilts[] = {1e-4, 1e-2, kFeatureSine};
constexpr double kLeastTilt = kTilts[0];
// Of the extent: answers that are closer are one point;
constexpr double kOnePoint = 2e-3;
// and points that are not farther from a line or a plane are on it.
constexpr double kOnPlane = 1e-7;

// Sixteenths of a turn, exact where they can be.
constexpr std::array<Vec2, 16> kSixteenths = [] {
  constexpr double c1 = 0.92387953251128674, s1 = 0.38268343236508977, c2 = 0.70710678118654752;
  return std::array<Vec2, 16>{{{1, 0},
                               {c1, s1},
                               {c2, c2},
                               {s1, c1},
                               {0, 1},
                               {-s1, c1},
                               {-c2, c2},
                               {-c1, s1},
                               {-1, 0},
                               {-c1, -s1},
                               {-c2, -c2},
                               {-s1, -c1},
                               {0, -1},
                               {s1, -c1},
                               {c2, -c2},
                               {c1, -s1}}};
}();

// The two corners that are farthest apart.
std::pair<int, int> farthestPair(std::span<const FeatureCorner> corners) {
  std::pair<int, int> best{0, 0};
  double most = 0;
  for (int i = 0; i < static_cast<int>(corners.size()); ++i)
    for (int j = 0; j < i; ++j) {
      const double distance = norm(corners[i].point - corners[j].point);
      if (distance > most) {
        most = distance;
        best = {j, i};
      }
    }
  return best;
}

// Newell's: of a polygon that need not be quite flat.
Vec3 areaOf(std::span<const FeatureCorner> corners) {
  Vec3 sum;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    sum += cross(corners[i].point - corners[0].point, corners[i + 1].point - corners[0].point);
  return sum;
}

}  // namespace

SupportConvex::SupportConvex(const SupportShape& shape)
    : support_(shape.support), radius_(shape.radius), extent_(shape.extent) {
  setKind(Kind::support, {});
}

SupportConvex::Outline SupportConvex::around(Vec3 direction, double tilt) const {
  const Vec3 t1 = acrossFrom(direction);
  const Vec3 t2 = cross(direction, t1);
  Outline outline;
  for (std::uint32_t k = 0; k < kAround; ++k) {
    const Vec3 aside = kSixteenths[k].x * t1 + kSixteenths[k].y * t2;
    const Vec3 point = support_(direction + tilt * aside);
    const bool known = std::any_of(
        outline.corner.begin(), outline.corner.begin() + outline.count,
        [&](const FeatureCorner& c) { return norm(c.point - point) <= kOnePoint * extent_; });
    if (!known) outline.corner[outline.count++] = {point, k, k};
  }
  return outline;
}

// Whether the segment is an edge: the farthest points across it.
bool SupportConvex::edgeAcross(Vec3 from, Vec3 to, Vec3 direction, Feature& out) const {
  const Vec3 along = normalized(to - from);
  if (std::abs(dot(along, direction)) > kFeatureSine) return false;
  const Vec3 across = normalized(direction - dot(along, direction) * along);
  const Outline ends = around(across, kLeastTilt);
  if (ends.count != 2) return false;
  // In an order that does not depend on the direction.
  const Vec3 way = ends.corner[1].point - ends.corner[0].point;
  const bool forward = way.x != 0 ? way.x > 0 : way.y != 0 ? way.y > 0 : way.z > 0;
  const Vec3 first = ends.corner[forward ? 0 : 1].point, last = ends.corner[forward ? 1 : 0].point;
  if (std::abs(dot(across, last - first)) > kOnPlane * extent_) return false;
  out.corners.push_back({first, kAround, 0});
  out.corners.push_back({last, kAround + 1, 0});
  return true;
}

bool SupportConvex::faceAlong(Vec3 normal, Vec3 direction, Feature& out) const {
  if (dot(normal, direction) < std::sqrt(1 - kFeatureSine * kFeatureSine)) return false;
  const Outline outline = around(normal, kLeastTilt);
  if (outline.count < 3) return false;
  const double height = dot(normal, support_(normal));
  for (int i = 0; i < outline.count; ++i)
    if (height - dot(normal, outline.corner[i].point) > kOnPlane * extent_) return false;
  out.corners.assign(outline.corner.begin(), outline.corner.begin() + outline.count);
  out.normal = normalized(areaOf(out.corners));
  return true;
}

void SupportConvex::feature(Vec3 direction, Feature& out) const {
  out.clear();
  for (const double tilt : kTilts) {
    const Outline outline = around(direction, tilt);
    if (outline.count < 2) continue;
    const std::span<const FeatureCorner> corners(outline.corner.data(),
                                                 static_cast<std::size_t>(outline.count));
    const Vec3 area = areaOf(corners);
    const auto [i, j] = farthestPair(corners);
    const Vec3 from = corners[i].point, to = corners[j].point;
    if (norm(area) > kOnePoint * norm(to - from) * norm(to - from) &&
        faceAlong(normalized(area), direction, out))
      return;
    if (edgeAcross(from, to, direction, out)) return;
  }
  out.corners.push_back({support_(direction), kAround + 2, 0});
}

}  // namespace stickslip
