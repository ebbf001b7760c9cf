#include "collision/convex/round_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// A cap that is tilted by less has no deepest point worth the name,
constexpr double kFlatCap = 1e-12;
// and a fixed point of the rim this close to the deepest one, as a part of a full turn, gives way.
constexpr double kSamePlace = 1e-4;

Vec3 onRim(double turn, double radius, double z) {
  const auto [sine, cosine] = math::sinCos(2 * std::numbers::pi * turn);
  return {radius * cosine, radius * sine, z};
}

}  // namespace

RoundedSegment::RoundedSegment(double length, double radius)
    : half_length_(length / 2),
      radius_(radius),
      ends_{Vec3{0, 0, -half_length_}, Vec3{0, 0, half_length_}},
      axis_{0, 1, {0, 0, 1}} {
  if (length == 0) setKind(Kind::sphere, {radius, 0, 0});
}

Vec3 RoundedSegment::support(Vec3 direction) const {
  return direction.z < 0 ? ends_[0] : ends_[1];
}

void RoundedSegment::feature(Vec3 direction, Feature& out) const {
  out.clear();
  if (half_length_ > 0 && std::abs(direction.z) < kFeatureSine) {
    out.corners.push_back({ends_[0], 0, 0});
    out.corners.push_back({ends_[1], 1, 0});
    return;
  }
  const bool upper = half_length_ > 0 && direction.z >= 0;
  out.corners.push_back({ends_[upper ? 1 : 0], upper ? 1U : 0U, 0});
}

PolytopeView RoundedSegment::polytope() const {
  if (half_length_ > 0) return {ends_, {}, {}, {&axis_, 1}, {&axis_.direction, 1}};
  return {{ends_.data(), 1}, {}, {}, {}, {}};
}

double RoundedSegment::farthestFrom(Vec3 point) const {
  return std::max(norm(ends_[0] - point), norm(ends_[1] - point)) + radius_;
}

CylinderShape::CylinderShape(double radius, double height)
    : radius_(radius), half_height_(height / 2) {}

double CylinderShape::coreSize() const {
  return math::hypot(radius_, half_height_);
}

double CylinderShape::farthestFrom(Vec3 point) const {
  return math::hypot(math::hypot(point.x, point.y) + radius_, std::abs(point.z) + half_height_);
}

Vec3 CylinderShape::support(Vec3 direction) const {
  const double across = std::sqrt(direction.x * direction.x + direction.y * direction.y);
  const double z = direction.z < 0 ? -half_height_ : half_height_;
  if (across == 0) return {radius_, 0, z};
  const double scale = radius_ / across;
  return {scale * direction.x, scale * direction.y, z};
}

void CylinderShape::feature(Vec3 direction, Feature& out) const {
  out.clear();
  const double across = math::hypot(direction.x, direction.y);
  if (across < kFeatureSine) return capFeature(direction, out);
  const Vec3 top = support(direction);
  if (std::abs(direction.z) < kFeatureSine) {
    out.corners.push_back({{top.x, top.y, -half_height_}, 2 * kRimPoints, 0});
    out.corners.push_back({{top.x, top.y, half_height_}, 2 * kRimPoints + 1, 0});
    return;
  }
  out.corners.push_back({top, 2 * kRimPoints + (direction.z < 0 ? 0U : 1U), 0});
}

void CylinderShape::capFeature(Vec3 direction, Feature& out) const {
  const bool upper = direction.z >= 0;
  const double z = upper ? half_height_ : -half_height_;
  const std::uint32_t first_id = upper ? kRimPoints : 0;
  const bool tilted = math::hypot(direction.x, direction.y) > kFlatCap;
  double deepest = math::atan2(direction.y, direction.x) / (2 * std::numbers::pi);
  if (deepest < 0) deepest += 1;

  const auto addDeepest = [&] {
    out.corners.push_back({support(direction), 2 * kRimPoints + (upper ? 1U : 0U), 0});
  };
  for (int i = 0; i < kRimPoints; ++i) {
    const double turn = static_cast<double>(i) / kRimPoints;
    const double ahead = deepest - turn - std::floor(deepest - turn);
    const bool covered = tilted && (ahead < kSamePlace || ahead > 1 - kSamePlace);
    if (!covered)
      out.corners.push_back({onRim(turn, radius_, z), first_id + static_cast<std::uint32_t>(i), 0});
    if (tilted && (ahead < 1.0 / kRimPoints - kSamePlace || ahead > 1 - kSamePlace)) addDeepest();
  }
  // Counterclockwise seen from below is clockwise seen from above.
  if (!upper) std::reverse(out.corners.begin(), out.corners.end());
  out.normal = {0, 0, upper ? 1.0 : -1.0};
  out.id = upper ? 1 : 0;
  out.disc_radius = radius_;
  out.disc_center = {0, 0, z};
}

}  // namespace stickslip
