// Balls have their angular velocity in world axes, other bodies in their own: nobody can tell.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <span>

#include "stickslip/stickslip.hpp"

namespace stickslip {
namespace {

// A ball that falls into a corner, spinning. With a seed inside, off its centre, it is no ball.
BodyState thrown(Quaternion orientation, bool has_seed, const std::string& solver) {
  BodySystemData data;
  data.dimension = 3;
  data.gravity = {0, 0, -9.81};
  data.materials.resize(1);
  data.materials[0].surface.friction = 0.4;
  Body ball;
  ball.name = "ball";
  ball.position = {0.8, 0.1, 0.7};
  ball.orientation = orientation;
  ball.velocity = {-2, 0.5, -1};
  ball.angular_velocity = {3, -7, 5};
  ball.shapes = {{Sphere{0.5}, {}, 0}};
  ball.mass = massProperties(ball.shapes[0].shape, 2);
  if (has_seed) ball.shapes.push_back({Sphere{0.1}, {{0.2, 0, 0}, {}}, 0});
  data.bodies.push_back(ball);
  for (int k = 0; k < 2; ++k) {
    Body wall;
    wall.name = k == 0 ? "floor" : "wall";
    wall.type = Body::Type::fixed;
    wall.orientation = k == 0 ? Quaternion{} : rotationBy({0, std::acos(0.0), 0});
    wall.shapes = {{HalfSpace{}, {}, 0}};
    data.bodies.push_back(wall);
  }
  const auto system = std::make_shared<BodySystem>(data);
  Method method = presetMethod("stickslip", *system);
  method.solver = solver;
  if (solver == "sweeps") method.budget = 50;
  Stepper stepper({system, method});
  State state = system->initialState();
  for (int k = 0; k < 60; ++k) stepper.step(state, 0.01);
  return system->bodyState(0, state);
}

void expectNear(Vec3 a, Vec3 b, double most) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], most);
}

void expectSameMotion(const BodyState& a, const BodyState& b) {
  expectNear(a.position, b.position, 1e-8);
  expectNear(a.velocity, b.velocity, 1e-8);
  expectNear(a.angular_velocity, b.angular_velocity, 1e-8);
}

class BallAxes : public ::testing::TestWithParam<const char*> {};

TEST_P(BallAxes, MovesLikeTheSameBodyThatIsNoBall) {
  const Quaternion turned = normalized(Quaternion{0.3, -0.5, 0.7, 0.2});
  const BodyState ball = thrown(turned, false, GetParam()),
                  other = thrown(turned, true, GetParam());
  expectSameMotion(ball, other);
  const Quaternion a = ball.orientation, b = other.orientation;
  EXPECT_NEAR(std::abs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z), 1, 1e-12);
  EXPECT_GT(norm(ball.angular_velocity), 0.1);
}

TEST_P(BallAxes, MovesAlikeHoweverItIsTurned) {
  const Quaternion turned = normalized(Quaternion{0.3, -0.5, 0.7, 0.2});
  const BodyState straight = thrown({}, false, GetParam()),
                  other = thrown(turned, false, GetParam());
  expectSameMotion(straight, other);
  const Quaternion a = straight.orientation * turned, b = other.orientation;
  EXPECT_NEAR(std::abs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z), 1, 1e-12);
}

// Wherever the frame of its body is.
TEST(BallAxes, AreThoseOfTheWorldWhateverIsRounded) {
  for (const double off : {0.0, 0.013, 0.05, 0.25, 1e3}) {
    BodySystemData data;
    data.dimension = 3;
    data.materials.resize(1);
    Body ball;
    ball.name = "ball";
    ball.shapes = {{Sphere{0.1}, {{off, 0.3 * off, 0}, {}}, 0}};
    const double density = 700;
    ball.mass = massProperties(ball.shapes, std::span(&density, 1));
    data.bodies.push_back(ball);
    EXPECT_EQ(BodySystem(data).velocityName(3), "ball.wx") << off;
    data.bodies[0].mass.center.x += 1e-6;
    EXPECT_EQ(BodySystem(data).velocityName(3), "ball.w1") << off;
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, BallAxes, ::testing::Values("auto", "sweeps"));

}  // namespace
}  // namespace stickslip
