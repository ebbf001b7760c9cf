// Random planar shapes and poses, and the signed distance of rounded polygons by another route.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "collision/planar/planar_contact.hpp"
#include "support/random.hpp"

namespace stickslip::testing {

inline Pose planarPose(double x, double y, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{x, y, 0}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
}

inline Pose randomPlanarPose(Random& random, double reach) {
  const double x = random.uniform(-reach, reach), y = random.uniform(-reach, reach);
  return planarPose(x, y, random.uniform(-4, 4));
}

/// Corners on an ellipse, counterclockwise.
inline Polygon randomPolygon(Random& random, int corners) {
  std::vector<double> angles;
  for (int i = 0; i < corners; ++i)
    angles.push_back(2 * std::numbers::pi * (i + random.uniform(0, 0.9)) / corners);
  const double wide = random.uniform(0.3, 1.5), high = random.uniform(0.3, 1.5);
  Polygon polygon;
  for (const double t : angles)
    polygon.vertices.push_back({wide * std::cos(t), high * std::sin(t)});
  return polygon;
}

/// Kinds 0 ... 3: disk, capsule, box, polygon.
inline Shape randomConvexShape(Random& random, int kind) {
  const double size = random.uniform(0.2, 1.5), other = random.uniform(0.2, 1.5);
  if (kind == 0) return Disk{size};
  if (kind == 1) return PlanarCapsule{2 * size, other / 2};
  if (kind == 2) return PlanarBox{size, other};
  return randomPolygon(random, random.integer(3, 9));
}

inline PlanarShape planarShape(const Shape& shape) {
  return static_cast<const PlanarShape&>(*makePlanarShape(shape));
}

inline double segmentDistance(Vec2 p, Vec2 from, Vec2 to) {
  const Vec2 d = to - from;
  const double square = dot(d, d);
  const double part = square > 0 ? std::clamp(dot(p - from, d) / square, 0.0, 1.0) : 0.0;
  return norm(p - from - part * d);
}

/// Counterclockwise hull, by Andrew's monotone chain.
inline std::vector<Vec2> hullOf(std::vector<Vec2> points) {
  std::sort(points.begin(), points.end(),
            [](Vec2 a, Vec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Vec2> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t base = hull.size();
    for (const Vec2 p : points) {
      while (hull.size() >= base + 2 &&
             cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    if (hull.size() > 1) hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

/// The distance of the origin from the hull of all differences of corners, negative inside.
inline double signedDistance(const PlanarShape& a, const Pose& at_a, const PlanarShape& b,
                             const Pose& at_b) {
  std::vector<Vec2> differences;
  for (const Vec2 p : a.corners())
    for (const Vec2 q : b.corners())
      differences.push_back(planarPart(at_b).point(q) - planarPart(at_a).point(p));
  const std::vector<Vec2> hull = hullOf(differences);
  double distance = std::numeric_limits<double>::infinity();
  bool inside = hull.size() > 2;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vec2 from = hull[i], to = hull[(i + 1) % hull.size()];
    distance = std::min(distance, segmentDistance({0, 0}, from, to));
    inside = inside && cross(to - from, -from) >= 0;
  }
  return (inside ? -distance : distance) - a.radius() - b.radius();
}

inline double smallestGap(const ContactPoints& points) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const ContactPoint& p : points) smallest = std::min(smallest, p.gap);
  return smallest;
}

inline const ContactPoint& deepest(const ContactPoints& points) {
  return *std::min_element(points.begin(), points.end(),
                           [](const auto& p, const auto& q) { return p.gap < q.gap; });
}

}  // namespace stickslip::testing
