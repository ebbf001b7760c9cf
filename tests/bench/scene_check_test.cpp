// The check that all engines of bench/peers are measured by, against worlds whose errors are known.
#include "peers/scene_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/random_rotation.hpp"

namespace stickslip::peers {
namespace {

// Bodies are where the test puts them.
class PuppetWorld final : public PeerWorld {
 public:
  explicit PuppetWorld(const PeerScene& scene) {
    for (int i = 0; i < scene.bodyCount(); ++i) {
      const Body& body = scene.body(i);
      states.push_back({body.position, body.orientation, 0, body.velocity, body.angular_velocity});
    }
  }
  void step() override {}
  BodyState bodyState(int i) const override { return states[i]; }

  std::vector<BodyState> states;
};

// Made once: a thousand rocks take their time.
const std::vector<PeerScene>& scenes() {
  static const std::vector<PeerScene> all = peerScenes();
  return all;
}

const PeerScene& sceneNamed(const std::string& name) {
  const auto found = std::find_if(scenes().begin(), scenes().end(),
                                  [&](const PeerScene& scene) { return scene.name == name; });
  EXPECT_NE(found, scenes().end()) << name;
  return *found;
}

// Walls at +-5 and at z = 0, radius 0.5.
double deepestOverlapOfSpheres(const std::vector<BodyState>& states) {
  double depth = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Vec3 x = states[i].position;
    depth = std::max({depth, 0.5 - x.z, std::abs(x.x) - 4.5, std::abs(x.y) - 4.5});
    for (std::size_t j = 0; j < i; ++j) depth = std::max(depth, 1 - norm(x - states[j].position));
  }
  return depth;
}

TEST(SceneCheck, OverlapsOfSpheresAreThoseOfTheClosedForm) {
  const PeerScene& scene = sceneNamed("spheres");
  PuppetWorld world(scene);
  SceneCheck check(scene);
  testing::Random random(3);
  double peak = 0;
  for (int n = 1; n <= 4; ++n) {
    for (BodyState& state : world.states)
      state.position += testing::randomVector(random, n == 4 ? 0.01 : 0.05);
    const double depth = deepestOverlapOfSpheres(world.states);
    peak = std::max(peak, depth);
    check.observe(n, world);
    EXPECT_NEAR(check.errors().overlap_end, depth, 1e-14);
  }
  EXPECT_GT(peak, 0.01);
  EXPECT_NEAR(check.errors().overlap_peak, peak, 1e-14);
}

TEST(SceneCheck, NothingOverlapsOrMovesAtTheStart) {
  for (const PeerScene& scene : scenes()) {
    SCOPED_TRACE(scene.name);
    const PuppetWorld world(scene);
    SceneCheck check(scene);
    check.observe(1, world);
    EXPECT_LT(check.errors().overlap_end, 1e-12);
    EXPECT_EQ(check.errors().drift, 0);
    EXPECT_EQ(check.errors().momentum, 0);
    EXPECT_EQ(check.errors().energy_gain, 0);
  }
}

TEST(SceneCheck, DriftCountsFromTheStartAndCreepFromTheFirstSecond) {
  const PeerScene& scene = sceneNamed("incline");
  PuppetWorld world(scene);
  SceneCheck check(scene);
  for (int n = 1; n <= 150; ++n) {
    world.states[7].position += Vec3{0.001, 0, 0};
    check.observe(n, world);
  }
  EXPECT_NEAR(check.errors().drift, 0.150, 1e-12);
  EXPECT_NEAR(check.errors().creep, 0.050, 1e-12);
}

// One of equal masses takes the velocity of another: nothing changes but the moment of momentum, by
// the distance across the velocity.
TEST(SceneCheck, MomentumAndItsMomentAreCompared) {
  const PeerScene& scene = sceneNamed("collision");
  PuppetWorld world(scene);
  SceneCheck check(scene);
  double momentum = 0, extent = 0;
  for (const BodyState& state : world.states) {
    momentum += norm(state.velocity);
    extent = std::max(extent, norm(state.position));
  }
  BodyState &a = world.states[3], &b = world.states[90];
  const Vec3 moment = cross(a.position - b.position, a.velocity - b.velocity);
  std::swap(a.velocity, b.velocity);
  check.observe(1, world);
  EXPECT_NEAR(check.errors().momentum, norm(moment) / (momentum * extent), 1e-14);
  EXPECT_NEAR(check.errors().energy_gain, 0, 1e-14);
}

TEST(SceneCheck, EnergyOfATurningCuboidIsThatOfItsPrincipalAxis) {
  const PeerScene& scene = sceneNamed("incline");
  PuppetWorld world(scene);
  const Mat3 axes = matrixOf(world.states[1].orientation);
  world.states[1].angular_velocity = 2.0 * axes.z;
  SceneCheck check(scene);
  check.observe(1, world);
  const double inertia = 1000.0 / 12 * 2, mass = 5 * 1001;
  EXPECT_NEAR(check.errors().rest_energy, 0.5 * inertia * 4 / mass, 1e-12);
}

TEST(SceneCheck, RocksStandInTheirPrincipalAxes) {
  const PeerScene& scene = sceneNamed("rocks");
  for (int i = 0; i < scene.bodyCount(); i += 100) {
    const Body& rock = scene.body(i);
    const MassProperties unit = massProperties(rock.shapes.front().shape, 1);
    const double density = rock.mass.mass / unit.mass;
    EXPECT_LT(norm(unit.center), 1e-12);
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        EXPECT_NEAR(density * unit.inertia(row, column), rock.mass.inertia(row, column), 1e-12);
  }
}

}  // namespace
}  // namespace stickslip::peers
