// Cost of one query of a convex shape on a mesh: by shape, by ground, and by the size of the mesh,
// which should not matter. The shape is three triangles wide and touches the ground.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <vector>

#include "collision/convex/polytope.hpp"
#include "collision/convex/round_shapes.hpp"
#include "collision/terrain/terrain_contact.hpp"

namespace stickslip {
namespace {

// cells x cells x 2 triangles of side 1; flat, or waves of the given height.
TriangleMesh ground(int cells, double height) {
  TriangleMesh mesh;
  const int n = cells + 1;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      mesh.vertices.push_back(
          {i - 0.5 * cells, j - 0.5 * cells, height * std::sin(1.7 * i) * std::cos(2.3 * j)});
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int k = j * n + i;
      mesh.triangles.push_back({k, k + 1, k + n + 1});
      mesh.triangles.push_back({k, k + n + 1, k + n});
    }
  return mesh;
}

const Terrain& preparedGround(int cells, bool flat) {
  static std::map<std::pair<int, bool>, std::shared_ptr<const CollisionShape>> grounds;
  auto& found = grounds[{cells, flat}];
  if (!found) found = makeTerrain(ground(cells, flat ? 0 : 0.2));
  return static_cast<const Terrain&>(*found);
}

const ConvexShape& shapeOf(int which) {
  static const RoundedSegment ball(0, 1.5), capsule(2, 0.6);
  static const CylinderShape cylinder(1.5, 2);
  static const Polytope box = boxPolytope({3, 3, 3});
  const ConvexShape* shapes[] = {&ball, &capsule, &cylinder, &box};
  return *shapes[which];
}

void terrainQuery(benchmark::State& state) {
  const char* names[] = {"ball", "capsule", "cylinder", "box"};
  const ConvexShape& shape = shapeOf(static_cast<int>(state.range(0)));
  const bool flat = state.range(1) != 0;
  const Terrain& terrain = preparedGround(static_cast<int>(state.range(2)), flat);
  const double height = -shape.support({0, 0, -1}).z + shape.radius() + (flat ? 0 : 0.15);
  ContactPoints points;
  double x = 0;
  std::size_t contacts = 0;
  for (auto _ : state) {
    points.clear();
    x += 0.0137;
    if (x > 5) x = 0;
    collideTerrain(shape, {{x, 0.3 * x, height}, {}}, terrain, {}, 1e-3, points);
    contacts += points.size();
    benchmark::DoNotOptimize(points.data());
  }
  state.SetLabel(std::string(names[state.range(0)]) + (flat ? " flat " : " waves ") +
                 std::to_string(terrain.triangleCount()) + " triangles");
  state.counters["points"] =
      static_cast<double>(contacts) / static_cast<double>(state.iterations());
}
BENCHMARK(terrainQuery)->ArgsProduct({{0, 1, 2, 3}, {1, 0}, {22, 224, 500}});

}  // namespace
}  // namespace stickslip
