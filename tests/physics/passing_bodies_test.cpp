// Bodies that pass each other closely do not touch: scheme `position` takes part of contacts that
// velocities could close, and their rows are planes, which go on beyond the corners of bodies.
#include <gtest/gtest.h>

#include <memory>

#include "stickslip/body_system.hpp"
#include "stickslip/run.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip {
namespace {

Body flyingBox(const char* name, Vec3 position, Vec3 velocity, Vec3 size, int dimension) {
  Body body{.name = name, .position = position, .velocity = velocity};
  if (dimension == 2)
    body.shapes.push_back({PlanarBox{size.x, size.y}, {}, 0});
  else
    body.shapes.push_back({Box{size}, {}, 0});
  const double density[] = {100};
  body.mass = massProperties(body.shapes, density);
  return body;
}

BodySystemData emptySpace(double friction, int dimension) {
  BodySystemData data;
  data.dimension = dimension;
  data.materials = {{.name = "default", .surface = {.friction = friction}}};
  return data;
}

std::vector<double> velocitiesAfter(const BodySystemData& data, double step, double end) {
  const auto system = std::make_shared<BodySystem>(data);
  Method method = presetMethod("stickslip", *system);
  method.scheme = "position";
  Stepper stepper({system, method});
  return run(stepper, system->initialState(), {{step, end}, false}).final_state.u;
}

TEST(PassingBodies, AKinematicOneLeavesABystanderAlone) {
  for (const double clearance : {0.001, 0.003, 0.005})
    for (const double step : {0.01, 0.005, 0.001}) {
      BodySystemData data = emptySpace(0.5, 2);
      Body ram = flyingBox("ram", {-0.504, 0, 0}, {}, {0.1, 0.1, 0}, 2);
      ram.type = Body::Type::kinematic;
      ram.mass = {};
      ram.motion = ConstantMotion{.velocity = {8, 0, 0}};
      data.bodies = {ram, flyingBox("bystander", {0, 0.1 + clearance, 0}, {}, {0.1, 0.1, 0}, 2)};
      for (const double v : velocitiesAfter(data, step, 0.125)) EXPECT_EQ(v, 0);
    }
}

// The second box is hit by the first, and goes on below the third.
TEST(PassingBodies, OneThatIsPushedLeavesABystanderAlone) {
  for (const int dimension : {2, 3})
    for (const double clearance : {0.001, 0.005}) {
      const Vec3 size{0.1, 0.1, 0.1};
      BodySystemData data = emptySpace(0, dimension);
      data.bodies = {flyingBox("first", {-0.101, 0, 0}, {30, 0, 0}, size, dimension),
                     flyingBox("second", {0, 0, 0}, {}, size, dimension),
                     flyingBox("third", {0.105, 0.1 + clearance, 0}, {}, size, dimension)};
      const std::vector<double> u = velocitiesAfter(data, 0.001, 0.0033);
      const std::size_t each = dimension == 2 ? 3 : 6;
      EXPECT_NEAR(u[each], 15, 1e-8);
      for (std::size_t k = 0; k < each; ++k) EXPECT_NEAR(u[2 * each + k], 0, 1e-12);
    }
}

TEST(PassingBodies, LengthsDoNotMatter) {
  for (const double length : {1e-3, 1e3}) {
    BodySystemData data = emptySpace(0.5, 3);
    const Vec3 size = length * Vec3{0.1, 0.1, 0.1};
    Body ram = flyingBox("ram", length * Vec3{-0.25, 0, 0.03}, {}, size, 3);
    ram.type = Body::Type::kinematic;
    ram.mass = {};
    ram.motion = ConstantMotion{.velocity = length * Vec3{3, 0, 0}};
    data.bodies = {ram, flyingBox("bystander", length * Vec3{0, 0.101, 0}, {}, size, 3)};
    for (const double v : velocitiesAfter(data, 0.001, 0.15)) EXPECT_EQ(v, 0);
  }
}

// What meets only on the way is not let through: a way far longer than a plate is thick.
TEST(PassingBodies, ThinPlatesAreHit) {
  for (const int dimension : {2, 3})
    for (const double speed : {30.0, 60.0}) {
      BodySystemData data = emptySpace(0.5, dimension);
      Body plate = flyingBox("plate", {0, 0, 0}, {}, {0.002, 0.5, 0.5}, dimension);
      plate.type = Body::Type::fixed;
      plate.mass = {};
      data.bodies = {
          plate, flyingBox("bullet", {-0.123, 0.05, 0}, {speed, 0, 0}, {0.1, 0.1, 0.1}, dimension)};
      EXPECT_LE(velocitiesAfter(data, 0.01, 0.05)[0], 1e-8);
    }
}

}  // namespace
}  // namespace stickslip
