// Cost of the narrow phase: one pair of convex shapes, a little overlapping. Random poses; and the
// same shapes with their flat sides on each other, as they lie in a stack.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "collision/collision_shape.hpp"
#include "collision/convex/polytope.hpp"

namespace stickslip {
namespace {

constexpr std::size_t kPoses = 64;
constexpr double kDepth = 1e-6;

struct NamedShape {
  std::string name;
  std::shared_ptr<const CollisionShape> shape;
};

// A prism with ten sides: a hull with faces, edges and vertices in the usual numbers.
std::shared_ptr<const CollisionShape> prism() {
  constexpr int n = 10;
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> loops(2);
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * std::acos(-1.0) * i / n;
    for (const double z : {-0.5, 0.5}) vertices.push_back({std::cos(angle), std::sin(angle), z});
    loops[0].insert(loops[0].begin(), 2 * i);
    loops[1].push_back(2 * i + 1);
    const int j = (i + 1) % n;
    loops.push_back({2 * i, 2 * j, 2 * j + 1, 2 * i + 1});
  }
  return std::make_shared<Polytope>(vertices, loops);
}

std::vector<NamedShape> shapes() {
  return {{"sphere", makeCollisionShape(Sphere{0.5})},
          {"capsule", makeCollisionShape(Capsule{1, 0.3})},
          {"cylinder", makeCollisionShape(Cylinder{0.5, 1})},
          {"box", makeCollisionShape(Box{{1, 1.2, 0.8}})},
          {"hull", prism()},
          {"half_space", makeCollisionShape(HalfSpace{})}};
}

Mat3 randomRotation(std::mt19937_64& engine) {
  std::array<double, 4> q;
  double squared = 2;
  while (squared > 1) {
    squared = 0;
    for (double& x : q) {
      x = 2 * static_cast<double>(engine() >> 11) * 0x1p-53 - 1;
      squared += x * x;
    }
  }
  const auto [w, x, y, z] = q;
  const double s = 2 / squared;
  return {{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
          {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
          {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}};
}

// Moves b along the contact normal until the shapes overlap by kDepth.
Pose touching(const CollisionShape& a, const CollisionShape& b, Pose pose) {
  ContactPoints points;
  for (int i = 0; i < 20; ++i) {
    points.clear();
    collide(a, {}, b, pose, 100, points);
    double gap = points[0].gap;
    for (const ContactPoint& p : points) gap = std::min(gap, p.gap);
    pose.position -= (gap + kDepth) * points[0].normal;
  }
  return pose;
}

void narrowPhase(benchmark::State& state, const NamedShape& a, const NamedShape& b, bool flat) {
  std::mt19937_64 engine(5);
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < kPoses; ++i) {
    const Mat3 turn = randomRotation(engine);
    const Pose start = flat ? Pose{{0.1 * turn.x.x, 0.1 * turn.x.y, -3}, {}}
                            : Pose{3.0 * turn.x, turn * randomRotation(engine)};
    poses.push_back(touching(*a.shape, *b.shape, start));
  }
  ContactPoints points;
  std::size_t i = 0;
  std::size_t found = 0;
  for (auto _ : state) {
    points.clear();
    collide(*a.shape, {}, *b.shape, poses[i], 1e-3, points);
    benchmark::DoNotOptimize(points.data());
    found += points.size();
    i = (i + 1) % kPoses;
  }
  state.counters["points"] =
      benchmark::Counter(static_cast<double>(found), benchmark::Counter::kAvgIterations);
}

const bool registered = [] {
  static const std::vector<NamedShape> all = shapes();
  for (std::size_t i = 0; i + 1 < all.size(); ++i)
    for (std::size_t j = i; j < all.size(); ++j)
      for (const bool flat : {false, true})
        benchmark::RegisterBenchmark(
            ("collide/" + all[i].name + "/" + all[j].name + (flat ? "/flat" : "/random")).c_str(),
            [i, j, flat](benchmark::State& state) { narrowPhase(state, all[i], all[j], flat); });
  return true;
}();

}  // namespace
}  // namespace stickslip
