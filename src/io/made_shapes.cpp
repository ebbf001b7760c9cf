#include "io/made_shapes.hpp"

#include <algorithm>
#include <numbers>
#include <vector>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

constexpr int kCandidates = 8;

double nearestSquared(std::span<const Vec3> points, Vec3 p) {
  double nearest = 8;  // no two directions are that far apart
  for (const Vec3& other : points) nearest = std::min(nearest, dot(p - other, p - other));
  return nearest;
}

std::vector<Vec3> spreadDirections(int count, int dimension, RandomNumbers& random) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    Vec3 best = random.direction(dimension);
    for (int k = 1; k < kCandidates; ++k) {
      const Vec3 p = random.direction(dimension);
      if (nearestSquared(points, p) > nearestSquared(points, best)) best = p;
    }
    points.push_back(best);
  }
  return points;
}

// Order of directions around the circle, from +x on.
bool comesBefore(const Vec3& a, const Vec3& b) {
  const bool a_below = a.y < 0, b_below = b.y < 0;
  if (a_below != b_below) return b_below;
  return a.x * b.y - a.y * b.x > 0;
}

Vec2 onCircle(double radius, int i, int sides) {
  const double angle = 2 * std::numbers::pi * i / sides;
  return {radius * math::cos(angle), radius * math::sin(angle)};
}

// The vertices of a surface of revolution: a ring for each point of the profile, or one on the
// axis.
struct Rings {
  TriangleMesh& mesh;
  int sides;
  std::vector<int> first;

  void add(Vec2 point) {
    first.push_back(static_cast<int>(mesh.vertices.size()));
    if (point.x == 0) return mesh.vertices.push_back({0, 0, point.y});
    for (int i = 0; i < sides; ++i) {
      const Vec2 p = onCircle(point.x, i, sides);
      mesh.vertices.push_back({p.x, p.y, point.y});
    }
  }
  int vertex(std::size_t ring, bool on_axis, int i) const {
    return first[ring] + (on_axis ? 0 : i % sides);
  }
};

}  // namespace

Polygon planarRock(double radius, int corners, RandomNumbers& random) {
  std::vector<Vec3> points = spreadDirections(corners, 2, random);
  std::sort(points.begin(), points.end(), comesBefore);
  Polygon rock;
  for (const Vec3& p : points) rock.vertices.push_back({radius * p.x, radius * p.y});
  return rock;
}

ConvexHull spatialRock(double radius, int corners, RandomNumbers& random) {
  ConvexHull rock{spreadDirections(corners, 3, random)};
  for (Vec3& p : rock.points) p = radius * p;
  return rock;
}

// Counterclockwise: outside is on the right.
Polyline ringAround(double radius, int sides) {
  Polyline ring;
  for (int i = 0; i < sides; ++i) ring.points.push_back(onCircle(radius, i, sides));
  ring.points.push_back(ring.points.front());
  return ring;
}

TriangleMesh revolved(std::span<const Vec2> profile, int sides) {
  TriangleMesh mesh;
  Rings rings{mesh, sides, {}};
  for (const Vec2& point : profile) rings.add(point);
  for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
    const bool from_axis = profile[k].x == 0, to_axis = profile[k + 1].x == 0;
    for (int i = 0; i < sides; ++i) {
      const int a = rings.vertex(k, from_axis, i), b = rings.vertex(k, from_axis, i + 1);
      const int d = rings.vertex(k + 1, to_axis, i), c = rings.vertex(k + 1, to_axis, i + 1);
      if (!from_axis) mesh.triangles.push_back({a, d, b});
      if (!to_axis) mesh.triangles.push_back({b, d, c});
    }
  }
  return mesh;
}

}  // namespace stickslip
