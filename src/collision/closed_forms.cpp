#include "collision/closed_forms.hpp"

#include <algorithm>
#include <cmath>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// Segments closer than this part of their reach have no direction from one to the other.
constexpr double kTouching = 1e-14;
// Squared sine below which segments are parallel and have no direction across both.
constexpr double kParallel = 1e-24;
// Squared sine below which rounding may misplace the nearest points of their lines.
constexpr double kNearlyParallel = 1e-12;

/// The points center + t axis with |t| <= half.
struct Segment {
  Vec3 center;
  Vec3 axis;  ///< unit
  double half = 0;

  double nearest(Vec3 point) const { return std::clamp(dot(point - center, axis), -half, half); }
  Vec3 at(double t) const { return center + t * axis; }
};

// From the point of s nearest to t to the point of t nearest to s. The nearest points of the two
// lines if they lie on the segments; otherwise an end of one of them is part of the answer. Points
// have no line: whether theirs meet would be decided by the rounding of axes that do not matter.
Vec3 betweenSegments(const Segment& s, const Segment& t) {
  const Vec3 arm = t.center - s.center;
  const Vec3 across = cross(s.axis, t.axis);
  const double squared_sine = dot(across, across);
  const bool lines = s.half > 0 && t.half > 0 && squared_sine > 0;
  const double on_s = lines ? dot(cross(arm, t.axis), across) / squared_sine : 0;
  const double on_t = lines ? dot(cross(arm, s.axis), across) / squared_sine : 0;
  if (lines && squared_sine > kNearlyParallel && std::abs(on_s) <= s.half &&
      std::abs(on_t) <= t.half)
    return (dot(arm, across) / squared_sine) * across;
  Vec3 best;
  double least = -1;
  const auto consider = [&](Vec3 difference) {
    const double squared = dot(difference, difference);
    if (least >= 0 && squared >= least) return;
    least = squared;
    best = difference;
  };
  const auto fromPoint = [&](double on) { consider(t.at(t.nearest(s.at(on))) - s.at(on)); };
  for (const double end : {-1.0, 1.0}) {
    fromPoint(end * s.half);
    const Vec3 to = t.at(end * t.half);
    consider(to - s.at(s.nearest(to)));
  }
  if (lines) fromPoint(std::clamp(on_s, -s.half, s.half));
  return best;
}

Vec3 normalWhereTheyMeet(const Segment& s, const Segment& t) {
  const Vec3 across = cross(s.axis, t.axis);
  if (s.half > 0 && t.half > 0 && dot(across, across) > kParallel) return normalized(across);
  if (s.half > 0) return acrossFrom(s.axis);
  if (t.half > 0) return acrossFrom(t.axis);
  return {0, 0, 1};
}

}  // namespace

SignedDistance segmentDistance(const CorePair& pair) {
  const Segment s{{}, {0, 0, 1}, pair.a.coreSize()};
  const Segment t{pair.b_in_a.position, pair.b_in_a.rotation.z, pair.b.coreSize()};
  const Vec3 between = betweenSegments(s, t);
  const double distance = norm(between);
  const double reach = pair.size() + pair.a.radius() + pair.b.radius();
  if (distance > kTouching * reach) return {distance, (1 / distance) * between};
  return {0, normalWhereTheyMeet(s, t)};
}

SignedDistance cylinderToPoint(const CylinderShape& cylinder, Vec3 point) {
  const double rho = math::hypot(point.x, point.y);
  const double side = rho - cylinder.cylinderRadius();
  const double cap = std::abs(point.z) - cylinder.halfHeight();
  const Vec3 up{0, 0, point.z < 0 ? -1.0 : 1.0};
  const Vec3 outwards = rho > 0 ? Vec3{point.x / rho, point.y / rho, 0} : Vec3{1, 0, 0};
  if (side > 0 && cap > 0) {
    const double distance = math::hypot(side, cap);
    return {distance, (side / distance) * outwards + (cap / distance) * up};
  }
  return side > cap ? SignedDistance{side, outwards} : SignedDistance{cap, up};
}

}  // namespace stickslip
