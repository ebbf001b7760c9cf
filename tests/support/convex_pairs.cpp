#include "support/convex_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "collision/convex/polytope.hpp"

namespace stickslip::testing {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang 14 does not find it by itself

// Facets of points in general position: the triples with all other points on one side.
std::vector<std::vector<int>> hullTriangles(std::span<const Vec3> points) {
  std::vector<std::vector<int>> loops;
  const int n = static_cast<int>(points.size());
  const auto at = [&](int i) { return points[i]; };
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k) {
        const Vec3 normal = cross(at(j) - at(i), at(k) - at(i));
        int above = 0;
        int below = 0;
        for (int l = 0; l < n; ++l)
          if (l != i && l != j && l != k) ++(dot(normal, at(l) - at(i)) > 0 ? above : below);
        if (above == 0) loops.push_back({i, j, k});
        if (below == 0) loops.push_back({i, k, j});
      }
  return loops;
}

Vec3 onSphere(int i, int count) {
  const double z = 1 - (2 * i + 1.0) / count;
  const double angle = std::numbers::pi * (1 + std::sqrt(5.0)) * i;
  const double r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

double climb(const PlacedConvex& a, const PlacedConvex& b, Vec3 n) {
  Random random(7);
  double best = gapAlong(a, b, n);
  for (double step = 0.1; step > 1e-7; step *= 0.8)
    for (int i = 0; i < 8; ++i) {
      const Vec3 moved = normalized(n + step * randomDirection(random));
      const double gap = gapAlong(a, b, moved);
      if (gap <= best) continue;
      best = gap;
      n = moved;
    }
  return best;
}

}  // namespace

std::span<const std::string> convexKinds() {
  static const std::array<std::string, 5> kinds{"sphere", "capsule", "cylinder", "box", "hull"};
  return kinds;
}

Mat3 rotationAbout(Vec3 axis, double angle) {
  const Vec3 k = normalized(axis);
  const Mat3 K{{0, k.z, -k.y}, {-k.z, 0, k.x}, {k.y, -k.x, 0}};
  return Mat3{} + std::sin(angle) * K + (1 - std::cos(angle)) * (K * K);
}

Vec3 randomDirection(Random& random) {
  const double z = random.uniform();
  const double angle = random.uniform(0, 2 * std::numbers::pi);
  const double r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

Pose randomPose(Random& random, double reach) {
  const Vec3 position = reach * random.uniform(0, 1) * randomDirection(random);
  return {position, rotationAbout(randomDirection(random), random.uniform(0, std::numbers::pi))};
}

Shape randomShape(const std::string& kind, Random& random, double scale) {
  const auto length = [&] { return scale * random.uniform(0.4, 2); };
  if (kind == "sphere") return Sphere{length() / 2};
  if (kind == "capsule") return Capsule{length(), length() / 2};
  if (kind == "cylinder") return Cylinder{length() / 2, length()};
  if (kind == "box") return Box{{length(), length(), length()}};
  ConvexHull hull;
  const Vec3 radii{length() / 2, length() / 2, length() / 2};
  for (int i = 0; i < 12; ++i) {
    const Vec3 d = randomDirection(random);
    hull.points.push_back({radii.x * d.x, radii.y * d.y, radii.z * d.z});
  }
  return hull;
}

std::shared_ptr<const CollisionShape> prepared(const Shape& shape) {
  const auto* hull = std::get_if<ConvexHull>(&shape);
  if (!hull) return makeCollisionShape(shape);
  return std::make_shared<Polytope>(hull->points, hullTriangles(hull->points));
}

PlacedConvex randomConvex(const std::string& kind, Random& random, double reach, double scale) {
  Shape shape = randomShape(kind, random, scale);
  auto ready = prepared(shape);
  return {std::move(shape), std::move(ready), randomPose(random, reach)};
}

double height(const PlacedConvex& body, Vec3 n) {
  const Vec3 d = transposedTimes(body.pose.rotation, n);
  const double across = std::hypot(d.x, d.y);
  const double local = std::visit(
      Overloaded{
          [&](const Sphere& s) { return s.radius; },
          [&](const Capsule& s) { return s.radius + std::abs(d.z) * s.length / 2; },
          [&](const Cylinder& s) { return across * s.radius + std::abs(d.z) * s.height / 2; },
          [&](const Box& s) {
            return (std::abs(d.x) * s.size.x + std::abs(d.y) * s.size.y +
                    std::abs(d.z) * s.size.z) /
                   2;
          },
          [&](const ConvexHull& s) {
            double most = dot(d, s.points[0]);
            for (const Vec3& p : s.points) most = std::max(most, dot(d, p));
            return most;
          },
          [&](const SupportShape& s) { return s.radius * norm(d) + dot(d, s.support(d)); },
          [](const auto&) { return 0.0; }},
      body.shape);
  return dot(n, body.pose.position) + local;
}

double gapAlong(const PlacedConvex& a, const PlacedConvex& b, Vec3 n) {
  return -height(b, -n) - height(a, n);
}

double bruteForceDistance(const PlacedConvex& a, const PlacedConvex& b) {
  constexpr int kGrid = 1200;
  constexpr std::size_t kStarts = 12;
  static const std::vector<Vec3> grid = [] {
    std::vector<Vec3> points;
    for (int i = 0; i < kGrid; ++i) points.push_back(onSphere(i, kGrid));
    return points;
  }();
  std::vector<std::pair<double, Vec3>> starts;
  for (const Vec3& n : grid) starts.emplace_back(gapAlong(a, b, n), n);
  std::partial_sort(starts.begin(), starts.begin() + kStarts, starts.end(),
                    [](const auto& p, const auto& q) { return p.first > q.first; });
  double best = starts[0].first;
  for (std::size_t i = 0; i < kStarts; ++i) best = std::max(best, climb(a, b, starts[i].second));
  return best;
}

ContactPoints contactsOf(const PlacedConvex& a, const PlacedConvex& b, double margin) {
  ContactPoints points;
  collide(*a.prepared, a.pose, *b.prepared, b.pose, margin, points);
  return points;
}

const ContactPoint& deepestOf(const ContactPoints& points) {
  return *std::min_element(
      points.begin(), points.end(),
      [](const ContactPoint& p, const ContactPoint& q) { return p.gap < q.gap; });
}

}  // namespace stickslip::testing
