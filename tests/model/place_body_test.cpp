// BodySystem::place: what is put somewhere is there, and its joints know how far it turned.
#include <gtest/gtest.h>

#include <numbers>

#include "stickslip/body_system.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

Body box(const char* name) {
  Body body{.name = name, .mass = {2, {0.1, -0.2, 0.3}, {}}};
  body.mass.inertia = {{1, 0.1, 0}, {0.1, 2, 0}, {0, 0, 2.5}};
  return body;
}

TEST(PlaceBody, InSpaceIsWhereAndHowFastItWasPut) {
  BodySystemData data;
  data.bodies = {box("a"), box("b")};
  const BodySystem system(data);
  State state = system.initialState();
  const State before = state;
  const BodyState wanted{.position = {1, 2, 3},
                         .orientation = normalized({0.3, -0.5, 0.7, 0.1}),
                         .velocity = {-1, 0.5, 2},
                         .angular_velocity = {0.3, -2, 1}};
  system.place(1, wanted, state);
  const BodyState is = system.bodyState(1, state);
  EXPECT_LT(norm(is.position - wanted.position), 1e-14);
  EXPECT_LT(norm(is.velocity - wanted.velocity), 1e-14);
  EXPECT_LT(norm(is.angular_velocity - wanted.angular_velocity), 1e-14);
  EXPECT_NEAR(is.orientation.w, wanted.orientation.w, 1e-15);
  EXPECT_NEAR(is.orientation.y, wanted.orientation.y, 1e-15);
  EXPECT_EQ(system.bodyState(0, state).position, system.bodyState(0, before).position);
}

TEST(PlaceBody, InThePlaneKeepsWholeTurns) {
  BodySystemData data;
  data.dimension = 2;
  data.bodies = {box("a")};
  data.bodies[0].mass.center.z = 0;
  const BodySystem system(data);
  State state = system.initialState();
  system.place(
      0, {.position = {1, 2, 0}, .angle = 15, .velocity = {3, 4, 0}, .angular_velocity = {0, 0, 5}},
      state);
  const BodyState is = system.bodyState(0, state);
  EXPECT_EQ(is.angle, 15);
  EXPECT_LT(norm(is.position - Vec3{1, 2, 0}), 1e-14);
  EXPECT_LT(norm(is.velocity - Vec3{3, 4, 0}), 1e-14);
}

TEST(PlaceBody, AnglesOfJointsGoToTheNextTurn) {
  BodySystemData data;
  data.bodies = {box("wheel")};
  data.joints = {{.name = "axle", .type = Joint::Type::revolute, .body_b = 0}};
  const BodySystem system(data);
  State state = system.initialState();
  const auto turnTo = [&](double angle) {
    system.place(0, {.orientation = rotationBy({0, 0, angle})}, state);
    return system.jointCoordinate(0, 0, state);
  };
  for (const double angle : {2.0, 4.0, 6.0, 8.0}) EXPECT_NEAR(turnTo(angle), angle, 1e-12);
  EXPECT_NEAR(turnTo(8 - 2 * std::numbers::pi), 8, 1e-12);
}

TEST(PlaceBody, RefusesWhatDoesNotMoveFreely) {
  BodySystemData data;
  data.bodies = {box("a"), {.name = "floor", .type = Body::Type::fixed}};
  const BodySystem system(data);
  State state = system.initialState();
  EXPECT_THROW(system.place(1, {}, state), InputError);
  EXPECT_THROW(system.place(2, {}, state), InputError);
  EXPECT_THROW(system.place(0, {.orientation = {0, 0, 0, 0}}, state), InputError);
}

}  // namespace
}  // namespace stickslip
