// Points are put in order around their centre; then the one whose corner cuts off the smallest
// triangle goes, again and again. Points inside the patch make concave corners and go first.
#include "collision/convex/point_reduction.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "collision/convex/gjk.hpp"

namespace stickslip {
namespace {

void sortAround(std::span<ContactPoint> points) {
  const Vec3 t1 = acrossFrom(points[0].normal);
  const Vec3 t2 = cross(points[0].normal, t1);
  Vec3 center;
  for (const ContactPoint& p : points) center += p.on_a;
  center = (1 / static_cast<double>(points.size())) * center;
  // Grows with the angle, from -2 to 2 in a turn.
  const auto angle = [&](const ContactPoint& p) {
    const double x = dot(p.on_a - center, t1);
    const double y = dot(p.on_a - center, t2);
    const double size = std::abs(x) + std::abs(y);
    return size > 0 ? std::copysign(1 - x / size, y) : 0;
  };
  std::sort(points.begin(), points.end(), [&](const ContactPoint& p, const ContactPoint& q) {
    const double difference = angle(p) - angle(q);
    return difference != 0 ? difference < 0 : p.feature < q.feature;
  });
}

double cornerArea(std::span<const ContactPoint> points, std::size_t i) {
  const std::size_t n = points.size();
  const Vec3 before = points[(i + n - 1) % n].on_a;
  return dot(points[i].normal, cross(points[i].on_a - before, points[(i + 1) % n].on_a - before));
}

std::size_t leastNeeded(std::span<const ContactPoint> points) {
  std::size_t deepest = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].gap < points[deepest].gap) deepest = i;
  std::size_t least = deepest == 0 ? 1 : 0;
  for (std::size_t i = least + 1; i < points.size(); ++i)
    if (i != deepest && cornerArea(points, i) < cornerArea(points, least)) least = i;
  return least;
}

}  // namespace

void reducePatch(ContactPoints& out, std::size_t first) {
  if (out.size() <= first + kMaxPatchPoints) return;
  sortAround({out.data() + first, out.size() - first});
  while (out.size() > first + kMaxPatchPoints) {
    const std::size_t least = leastNeeded({out.data() + first, out.size() - first});
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(first + least));
  }
}

}  // namespace stickslip
