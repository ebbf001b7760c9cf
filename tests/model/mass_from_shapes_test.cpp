// Bodies without a mass get that of their shapes.
#include <gtest/gtest.h>

#include "stickslip/input_error.hpp"
#include "stickslip/stickslip.hpp"

namespace stickslip {
namespace {

BodySystemData boxOnFloor() {
  BodySystemData world{.gravity = {0, 0, -9.81}, .materials = {{.surface = {.friction = 0.5}}}};
  world.bodies = {{.name = "floor", .type = Body::Type::fixed, .shapes = {{HalfSpace{}}}},
                  {.name = "box", .position = {0, 0, 1}, .shapes = {{Box{{1, 1, 1}}}}}};
  return world;
}

TEST(MassFromShapes, ABoxFallsAndRests) {
  const auto system = std::make_shared<BodySystem>(boxOnFloor());
  EXPECT_EQ(system->data().bodies[1].mass.mass, 1000);
  Stepper stepper({system, defaultMethod(*system)});
  State state = system->initialState();
  while (state.t < 1) ASSERT_TRUE(stepper.step(state, 1e-3).certified);
  EXPECT_NEAR(system->bodyState(1, state).position.z, 0.5, 1e-6);
}

TEST(MassFromShapes, DensityIsTheShapesOrTheMaterials) {
  BodySystemData world = boxOnFloor();
  world.materials.push_back({.name = "steel", .density = 7800});
  Body& body = world.bodies[1];
  body.shapes = {{Box{{1, 1, 1}}, {{-1, 0, 0}, {}}, 1}, {Box{{1, 1, 1}}, {{1, 0, 0}, {}}, 1, 2600}};
  const MassProperties mass = BodySystem(world).data().bodies[1].mass;
  EXPECT_DOUBLE_EQ(mass.mass, 7800 + 2600);
  EXPECT_DOUBLE_EQ(mass.center.x, -0.5);
  EXPECT_DOUBLE_EQ(mass.inertia(0, 0), (7800 + 2600) / 6.0);
  EXPECT_DOUBLE_EQ(mass.inertia(1, 1), (7800 + 2600) / 6.0 + 7800 * 0.25 + 2600 * 2.25);
  // A mass that is given stays.
  body.mass = {2, {}, diagonal({1, 1, 1})};
  EXPECT_EQ(BodySystem(world).data().bodies[1].mass.mass, 2);
}

std::string complaintAbout(const BodySystemData& world) {
  try {
    BodySystem{world};
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(MassFromShapes, WhatCannotHaveAMassIsRefused) {
  BodySystemData world = boxOnFloor();
  world.bodies[1].shapes.clear();
  EXPECT_EQ(complaintAbout(world),
            "body \"box\": it needs a mass > 0, or shapes to compute it from");
  world = boxOnFloor();
  world.bodies[1].shapes[0].density = -1;
  EXPECT_NE(complaintAbout(world).find("density"), std::string::npos);
  world = boxOnFloor();
  world.materials[0].density = 0;
  EXPECT_NE(complaintAbout(world).find("density"), std::string::npos);
  world = boxOnFloor();
  world.bodies[1].shapes[0].shape = HalfSpace{};
  EXPECT_NE(complaintAbout(world).find("half-space"), std::string::npos);
}

}  // namespace
}  // namespace stickslip
