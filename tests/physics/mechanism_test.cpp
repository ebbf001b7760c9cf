// Mechanisms against ordinary differential equations in minimal coordinates and closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/bodies.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

using testing::BodyRun;
using testing::jointAt;
using testing::kGravity;
using testing::runBodies;
using testing::spatialBody;

// Axes with z along y of the world, so that space has the same mechanism as the plane xz.
const Mat3 kAxisAlongY{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};

// ---- A mechanism of the plane, set up in the plane or in space (where z stands for its y) ----

Vec3 place(int dimension, double x, double y) {
  return dimension == 2 ? Vec3{x, y, 0} : Vec3{x, 0, y};
}

// The turn that takes the mechanism's x axis towards its y axis.
Quaternion turn(int dimension, double angle) {
  return rotationBy(angle * (dimension == 2 ? Vec3{0, 0, 1} : Vec3{0, -1, 0}));
}

Mat3 jointAxes(int dimension) {
  return dimension == 2 ? Mat3{} : kAxisAlongY;
}

// A uniform rod from one point to another.
Body rod(int dimension, const std::string& name, double mass, Vec2 from, Vec2 to) {
  const Vec2 along = to - from;
  const double moment = mass * dot(along, along) / 12;
  // Thin, but not without inertia about its own axis.
  return spatialBody(
      name, mass,
      dimension == 2 ? Vec3{moment / 100, moment, moment} : Vec3{moment / 100, moment, moment},
      place(dimension, (from.x + to.x) / 2, (from.y + to.y) / 2),
      turn(dimension, std::atan2(along.y, along.x)));
}

BodySystemData emptyMechanism(int dimension) {
  BodySystemData data;
  data.dimension = dimension;
  data.gravity = place(dimension, 0, -kGravity);
  return data;
}

void hinge(BodySystemData& data, const std::string& name, int a, int b, Vec2 at) {
  data.joints.push_back(jointAt(name, Joint::Type::revolute, data, a, b,
                                place(data.dimension, at.x, at.y), jointAxes(data.dimension)));
}

double planarY(int dimension, Vec3 position) {
  return dimension == 2 ? position.y : position.z;
}

class Mechanism : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(PlaneAndSpace, Mechanism, ::testing::Values(2, 3));

// ---- Double pendulum ----

struct Angles {
  double a = 0, b = 0, rate_a = 0, rate_b = 0;
};

// Two uniform rods of length 1 and masses 1 and 2; angles from hanging straight down.
Angles doublePendulumByRungeKutta(Angles x, double end) {
  const double m1 = 1, m2 = 2, l = 0.5, I1 = m1 / 12, I2 = m2 / 12;
  const auto rate = [&](const Angles& y) {
    const double c = m2 * l * std::cos(y.a - y.b), s = m2 * l * std::sin(y.a - y.b);
    const double A = I1 + m1 * l * l + m2, B = I2 + m2 * l * l;
    const double f = -s * y.rate_b * y.rate_b - (m1 * l + m2) * kGravity * std::sin(y.a);
    const double g = s * y.rate_a * y.rate_a - m2 * l * kGravity * std::sin(y.b);
    const double determinant = A * B - c * c;
    return Angles{y.rate_a, y.rate_b, (B * f - c * g) / determinant, (A * g - c * f) / determinant};
  };
  const auto plus = [](const Angles& y, double h, const Angles& k) {
    return Angles{y.a + h * k.a, y.b + h * k.b, y.rate_a + h * k.rate_a, y.rate_b + h * k.rate_b};
  };
  const int steps = 20000;
  const double h = end / steps;
  for (int i = 0; i < steps; ++i) {
    const Angles k1 = rate(x), k2 = rate(plus(x, h / 2, k1)), k3 = rate(plus(x, h / 2, k2));
    const Angles k4 = rate(plus(x, h, k3));
    x = plus(plus(plus(plus(x, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
  return x;
}

TEST_P(Mechanism, DoublePendulumFollowsItsDifferentialEquation) {
  const int dimension = GetParam();
  const Angles start{1.2, -0.5, 0, 0};
  const Vec2 elbow{std::sin(start.a), -std::cos(start.a)};
  const Vec2 tip = elbow + Vec2{std::sin(start.b), -std::cos(start.b)};
  BodySystemData data = emptyMechanism(dimension);
  data.bodies = {rod(dimension, "upper", 1, {}, elbow), rod(dimension, "lower", 2, elbow, tip)};
  hinge(data, "shoulder", Joint::kWorld, 0, {});
  hinge(data, "elbow", 0, 1, elbow);

  const double end = 1.0;
  const Angles exact = doublePendulumByRungeKutta(start, end);
  double last_error = 0, last_drift = 1e-3;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    const BodyRun run = runBodies(data, h, end);
    EXPECT_TRUE(run.summary.certified());
    const double error =
        std::hypot(run.body(0).position.x - 0.5 * std::sin(exact.a),
                   run.body(1).position.x - std::sin(exact.a) - 0.5 * std::sin(exact.b));
    if (last_error > 0) {
      EXPECT_LE(error, 0.6 * last_error) << "at h = " << h;
    }
    last_error = error;
    EXPECT_LE(run.summary.joint_drift_max, 0.3 * last_drift) << "second order, at h = " << h;
    last_drift = run.summary.joint_drift_max;
  }
  EXPECT_LE(last_error, 2e-3);
}

// ---- Slider-crank: a crank that turns as prescribed drives a piston ----

TEST_P(Mechanism, SliderCrankFollowsItsClosedForm) {
  const int dimension = GetParam();
  const double crank = 0.3, link = 1.0, omega = 4, start_angle = 0.4;
  const Vec2 pin{crank * std::cos(start_angle), crank * std::sin(start_angle)};
  const auto slider_at = [&](double angle) {
    const double side = crank * std::sin(angle);
    return crank * std::cos(angle) + std::sqrt(link * link - side * side);
  };
  const Vec2 piston{slider_at(start_angle), 0};
  BodySystemData data = emptyMechanism(dimension);
  Body wheel = rod(dimension, "crank", 1, {}, pin);
  wheel.type = Body::Type::kinematic;
  wheel.position = {};
  wheel.motion = ConstantMotion{{}, omega * (dimension == 2 ? Vec3{0, 0, 1} : Vec3{0, -1, 0})};
  data.bodies = {wheel, rod(dimension, "link", 1, pin, piston),
                 spatialBody("piston", 2, {0.1, 0.1, 0.1}, place(dimension, piston.x, 0))};
  hinge(data, "crank pin", 0, 1, pin);
  hinge(data, "piston pin", 1, 2, piston);
  // Prismatic joints slide along x of their frames in the plane, along z in space.
  const Mat3 along_x = dimension == 2 ? Mat3{} : Mat3{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  data.joints.push_back(jointAt("cylinder", Joint::Type::prismatic, data, Joint::kWorld, 2,
                                place(dimension, piston.x, 0), along_x));

  for (const double h : {2e-3, 5e-4}) {
    double worst = 0;
    // The velocities of link and piston do not fit the crank at first: hence after a few steps.
    const BodyRun run = runBodies(
        data, h, 2.0, [&](long step, const State& state, const Stepper& s, const StepReport*) {
          if (step < 5) return;
          const auto& system = static_cast<const BodySystem&>(*s.model().system);
          const double x = system.bodyState(2, state).position.x;
          worst = std::max(worst, std::abs(x - slider_at(start_angle + omega * state.t)));
        });
    EXPECT_TRUE(run.summary.certified());
    EXPECT_LE(worst, 30 * h * h) << "at h = " << h;
    EXPECT_NEAR(run.coordinate(2), run.body(2).position.x - piston.x, 1e-12);
  }
}

// ---- Four-bar: 18 velocities and 20 equations in space, and still one freedom ----

TEST_P(Mechanism, FourBarKeepsItsClosedFormAndItsEnergy) {
  const int dimension = GetParam();
  const double crank = 0.4, coupler = 1.0, rocker = 0.8, ground = 1.0, start_angle = 1.3;
  // Elbow of the two-bar chain from `a` over lengths r, s to `b`, on the left of the way.
  const auto elbow = [](Vec2 a, double r, Vec2 b, double s) {
    const Vec2 d = b - a;
    const double length = norm(d), along = (r * r - s * s + length * length) / (2 * length);
    return a + (along / length) * d + (std::sqrt(r * r - along * along) / length) * turned(d);
  };
  const Vec2 A{}, D{ground, 0};
  const auto crankPin = [&](double angle) {
    return Vec2{crank * std::cos(angle), crank * std::sin(angle)};
  };
  const Vec2 B = crankPin(start_angle), C = elbow(B, coupler, D, rocker);
  BodySystemData data = emptyMechanism(dimension);
  data.bodies = {rod(dimension, "crank", 1, A, B), rod(dimension, "coupler", 2, B, C),
                 rod(dimension, "rocker", 1.5, D, C)};
  hinge(data, "A", Joint::kWorld, 0, A);
  hinge(data, "B", 0, 1, B);
  hinge(data, "C", 1, 2, C);
  hinge(data, "D", Joint::kWorld, 2, D);

  double worst = 0;
  const double h = 5e-4;
  const BodyRun run =
      runBodies(data, h, 2.0, [&](long, const State& state, const Stepper& s, const StepReport*) {
        const auto& system = static_cast<const BodySystem&>(*s.model().system);
        const Vec3 middle = system.bodyState(0, state).position;
        const double angle = std::atan2(planarY(dimension, middle), middle.x);
        const Vec2 c = elbow(crankPin(angle), coupler, D, rocker);
        const Vec3 rocker_middle = system.bodyState(2, state).position;
        worst = std::max(worst, std::hypot(rocker_middle.x - (D.x + c.x) / 2,
                                           planarY(dimension, rocker_middle) - c.y / 2));
      });
  EXPECT_TRUE(run.summary.certified());
  EXPECT_LE(worst, 1e-4);
  EXPECT_NEAR(run.summary.energy_end, run.summary.energy_start, 2e-2);
  if (dimension == 3) {
    EXPECT_GE(run.summary.nonunique_steps, 1);  // redundant equations
    EXPECT_NEAR(run.body(1).position.y, 0, 1e-10);
  }
}

// ---- A box on two hinges in line: five equations too many ----

TEST(SpatialMechanism, BoxOnTwoHingesSwingsAsAPendulum) {
  BodySystemData data = emptyMechanism(3);
  const double mass = 3, arm = 0.5, inertia = 0.2;
  data.bodies = {spatialBody("door", mass, {0.3, inertia, 0.25}, {arm, 0, 0})};
  for (const double y : {-0.4, 0.4})
    data.joints.push_back(jointAt(y < 0 ? "left" : "right", Joint::Type::revolute, data,
                                  Joint::kWorld, 0, {0, y, 0}, kAxisAlongY));
  // Pendulum equation from horizontal, by Runge-Kutta.
  const double end = 1.0, factor = mass * kGravity * arm / (inertia + mass * arm * arm);
  double angle = 0, rate = 0;
  const int steps = 10000;
  const double dt = end / steps;
  for (int i = 0; i < steps; ++i) {
    const auto acceleration = [&](double a) { return factor * std::cos(a); };
    const double k1 = acceleration(angle), k2 = acceleration(angle + dt / 2 * rate);
    const double k3 = acceleration(angle + dt / 2 * (rate + dt / 2 * k1));
    const double k4 = acceleration(angle + dt * (rate + dt / 2 * k2));
    angle += dt * rate + dt * dt / 6 * (k1 + k2 + k3);
    rate += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const BodyRun run = runBodies(data, 5e-4, end);
  EXPECT_TRUE(run.summary.certified());
  EXPECT_NEAR(run.coordinate(0), angle, 2e-3);
  EXPECT_NEAR(run.coordinate(1), run.coordinate(0), 1e-9);
  EXPECT_EQ(run.summary.nonunique_steps, run.summary.steps);
}

TEST(SpatialMechanism, AnglesOfJointsCountTheirTurns) {
  BodySystemData data;
  data.bodies = {spatialBody("wheel", 1, {1, 1, 1}, {})};
  data.bodies[0].angular_velocity = {0, 0, 30};
  data.joints = {jointAt("axle", Joint::Type::revolute, data, Joint::kWorld, 0, {})};
  const BodyRun run = runBodies(data, 1e-2, 10);
  EXPECT_NEAR(run.coordinate(0), 300, 1e-9);
}

// Two shafts at an angle b on a universal joint: tan(second) = tan(first) / cos(b).
TEST(SpatialMechanism, UniversalJointTurnsTheSecondShaftUnevenly) {
  const Scene scene = testing::repositoryScene("joints/universal.json");
  const auto& system = static_cast<const BodySystem&>(*scene.model.system);
  Stepper stepper(scene.model);
  double worst = 0;
  const RunSummary summary =
      run(stepper, scene.initial, scene.run,
          [&](long, const State& state, const Stepper&, const StepReport*) {
            const double first = system.jointCoordinate(0, 0, state);
            const double second = system.jointCoordinate(2, 0, state);
            const double exact = std::atan2(std::sin(first), std::cos(first) * std::sqrt(0.75));
            worst = std::max(worst, std::abs(std::remainder(second - exact, 2 * std::numbers::pi)));
          });
  EXPECT_TRUE(summary.certified());
  EXPECT_GE(system.jointCoordinate(2, 0, summary.final_state), 9) << "more than a turn";
  EXPECT_LE(worst, 1e-5);
}

TEST(SpatialMechanism, JointsThatDoNotFitAtTheStartAreRefused) {
  BodySystemData data;
  data.bodies = {spatialBody("arm", 1, {1, 1, 1}, {1, 0, 0})};
  data.joints = {jointAt("hinge", Joint::Type::revolute, data, Joint::kWorld, 0, {})};
  EXPECT_NO_THROW(BodySystem{data});
  BodySystemData apart = data;
  apart.joints[0].frame_b.position.y += 0.1;
  EXPECT_THROW(BodySystem{apart}, InputError);
  BodySystemData askew = data;
  askew.joints[0].frame_b.rotation = matrixOf(rotationBy({0.1, 0, 0}));
  EXPECT_THROW(BodySystem{askew}, InputError);
  BodySystemData rod = data;
  rod.joints[0] = {.name = "rod", .type = Joint::Type::distance, .body_b = 0, .length = 1.2};
  EXPECT_THROW(BodySystem{rod}, InputError);
}

// ---- Torque-free rotation (Dzhanibekov, the tennis racket) ----

TEST(SpatialMechanism, TumblingBodyKeepsEnergyAndMomentumOverManySteps) {
  const Vec3 inertia{1, 2, 3};
  double last_drift = 0;
  for (const double h : {4e-3, 2e-3}) {
    BodySystemData data;
    data.bodies = {spatialBody("racket", 1, inertia, {}, rotationBy({0.3, 0.2, -0.5}))};
    data.bodies[0].angular_velocity = matrixOf(data.bodies[0].orientation) * Vec3{0.02, 3, 0.01};
    const auto momentum = [&](const BodyState& s) {
      const Mat3 R = matrixOf(s.orientation);
      return R * (diagonal(inertia) * transposedTimes(R, s.angular_velocity));
    };
    int flips = 0;
    double last_spin = 1, drift = 0;
    Vec3 start;
    const BodyRun run =
        runBodies(data, h, 1e5 * 2e-3,
                  [&](long step, const State& state, const Stepper& s, const StepReport*) {
                    const BodyState body =
                        static_cast<const BodySystem&>(*s.model().system).bodyState(0, state);
                    const double spin = state.u[4];
                    if (step == 0) start = momentum(body);
                    drift = std::max(drift, norm(momentum(body) - start) / norm(start));
                    if (spin * last_spin < 0) ++flips;
                    if (spin != 0) last_spin = spin;
                  });
    EXPECT_NEAR(run.summary.energy_end, run.summary.energy_start, 1e-10 * run.summary.energy_start);
    EXPECT_GE(flips, 20);  // it turns over again and again
    EXPECT_NEAR(norm(momentum(run.body(0))), norm(start), 1e-10 * norm(start));
    if (last_drift > 0) {
      EXPECT_LE(drift, 0.6 * last_drift) << "the direction of momentum drifts with the step";
    }
    last_drift = drift;
  }
  EXPECT_LE(last_drift, 1e-2);
}

}  // namespace
}  // namespace stickslip
