// Rigid bodies in contact: scenes of the repository whose answer is known in closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "support/bodies.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

using testing::kGravity;

// A scene of the repository with some of its fields changed, run to its end.
struct CertifiedRun {
  Scene scene;
  RunSummary summary;

  const BodySystem& system() const { return static_cast<const BodySystem&>(*scene.model.system); }
  int index(const std::string& name) const {
    const std::vector<Body>& bodies = system().data().bodies;
    for (std::size_t k = 0; k < bodies.size(); ++k)
      if (bodies[k].name == name) return static_cast<int>(k);
    ADD_FAILURE() << "no body " << name;
    return 0;
  }
  BodyState body(const std::string& name) const {
    return system().bodyState(index(name), summary.final_state);
  }
};

using BodyObserver = std::function<void(const BodySystem&, const State&)>;

CertifiedRun runCertified(const std::string& name, std::vector<std::string> overrides = {},
                          const BodyObserver& observer = {}) {
  CertifiedRun result{testing::repositoryScene(name, overrides), {}};
  Stepper stepper(result.scene.model);
  result.summary = run(stepper, result.scene.initial, result.scene.run,
                       [&](long, const State& state, const Stepper&, const StepReport*) {
                         if (observer) observer(result.system(), state);
                       });
  EXPECT_TRUE(result.summary.certified()) << name;
  return result;
}

// ---- Incline ----

BodySystemData boxOnSlope(double slope, double heading, double mu) {
  const Vec3 axis{-std::sin(heading), std::cos(heading), 0};
  const Quaternion tilt = rotationBy(slope * axis);
  BodySystemData data;
  data.gravity = {0, 0, -kGravity};
  data.materials = {{.name = "default", .surface = {.friction = mu}}};
  Body floor;
  floor.name = "slope";
  floor.type = Body::Type::fixed;
  floor.orientation = tilt;
  floor.shapes = {{HalfSpace{}, {}, 0}};
  Body box;
  box.name = "box";
  box.orientation = tilt;
  box.position = matrixOf(tilt) * Vec3{0, 0, 0.25};
  box.shapes = {{Box{{0.8, 0.6, 0.5}}, {}, 0}};
  const double density[] = {500};
  box.mass = massProperties(box.shapes, density);
  data.bodies = {floor, box};
  return data;
}

TEST(RigidContact, BoxOnASlopeSticksOrSlidesWhateverTheHeading) {
  const double slope = std::numbers::pi / 9;
  for (int k = 0; k < 12; ++k) {
    const double heading = 2 * std::numbers::pi * k / 12 + 0.1;
    const BodySystemData steep_friction = boxOnSlope(slope, heading, 1.001 * std::tan(slope));
    const testing::BodyRun stuck = testing::runBodies(steep_friction, 0.01, 5);
    EXPECT_TRUE(stuck.summary.certified());
    // Solvers end at a tenth of the tolerance, of velocities of g h: in 5 s that makes
    const double creep = 5 * 1e-9 * kGravity * 0.01;
    EXPECT_LE(norm(stuck.body(1).position - steep_friction.bodies[1].position), creep)
        << "creep at heading " << heading;

    const double mu = 0.8 * std::tan(slope);
    const BodySystemData data = boxOnSlope(slope, heading, mu);
    const testing::BodyRun sliding = testing::runBodies(data, 0.01, 1);
    EXPECT_TRUE(sliding.summary.certified());
    const double speed = kGravity * (std::sin(slope) - mu * std::cos(slope));
    EXPECT_NEAR(norm(sliding.body(1).velocity), speed, 1e-8) << "heading " << heading;
    EXPECT_LE(norm(sliding.body(1).angular_velocity), 1e-8);
  }
}

TEST(RigidContact, SceneOfTheInclineSticksAndSlides) {
  const CertifiedRun stuck = runCertified("incline.json");
  const Vec3 start = stuck.system().data().bodies[1].position;
  EXPECT_LE(norm(stuck.body("box").position - start), 1e-9);
  const CertifiedRun sliding =
      runCertified("incline.json", {"system.materials.default.friction=0.3"});
  const double slope = std::numbers::pi / 9;
  EXPECT_NEAR(norm(sliding.body("box").velocity),
              2 * kGravity * (std::sin(slope) - 0.3 * std::cos(slope)), 1e-6);
}

// ---- Impacts ----

TEST(RigidContact, BouncingSphereComesToRestInFiniteTime) {
  double last_motion = 0;
  runCertified("bouncing-sphere.json", {"time.step=1e-4"},
               [&](const BodySystem& s, const State& state) {
                 if (norm(s.bodyState(1, state).velocity) > 0.003) last_motion = state.t;
               });
  EXPECT_NEAR(last_motion, 1.3546, 2e-3);
}

TEST(RigidContact, CradleFollowsSimultaneousNewtonImpact) {
  double before = 0;
  Vec3 after{};
  runCertified("cradle.json", {}, [&](const BodySystem& system, const State& state) {
    const double first = system.bodyState(0, state).velocity.x;
    if (first > 0) before = first;
    if (first < 0 && after.x == 0)
      after = {first, system.bodyState(1, state).velocity.x, system.bodyState(2, state).velocity.x};
  });
  EXPECT_NEAR(before, std::sqrt(2 * kGravity * (1 - std::cos(std::numbers::pi * 40 / 180))), 1e-2);
  EXPECT_NEAR(after.x / before, -1.0 / 3, 2e-3);
  EXPECT_NEAR(after.y / before, 2.0 / 3, 2e-3);
  EXPECT_NEAR(after.z / before, 2.0 / 3, 2e-3);
}

// Upright the block lands on its other corner, and its angular velocity jumps: within one step of
// `midpoint`; `position` lands in one step and stops the corner in the next.
TEST(RigidContact, RockingBlockLosesTheRightShareAtEachImpact) {
  for (const std::string scheme : {"midpoint", "position"}) {
    std::vector<double> angles, omegas;
    runCertified("rocking-block.json", {"time.step=1e-4", "time.end=2", "method.scheme=" + scheme},
                 [&](const BodySystem& system, const State& state) {
                   angles.push_back(system.bodyState(1, state).angle);
                   omegas.push_back(system.bodyState(1, state).angular_velocity.z);
                 });
    std::vector<double> ratios;
    for (std::size_t n = 4; n + 4 < angles.size(); ++n)
      if ((angles[n - 1] < 0) != (angles[n] < 0)) ratios.push_back(omegas[n + 3] / omegas[n - 4]);
    ASSERT_EQ(ratios.size(), 5u) << scheme;
    for (const double ratio : ratios) EXPECT_NEAR(ratio, 1 - 1.5 / 17, 3e-3) << scheme;
  }
}

// ---- Rolling, wedge, stacks ----

TEST(RigidContact, SlidingSphereEndsUpRolling) {
  double rolling_since = -1;
  const CertifiedRun end =
      runCertified("slip-to-roll.json", {}, [&](const BodySystem& s, const State& state) {
        const BodyState ball = s.bodyState(1, state);
        const Vec3 slip = ball.velocity + cross(ball.angular_velocity, {0, 0, -0.1});
        if (norm(slip) < 1e-9 && rolling_since < 0) rolling_since = state.t;
      });
  EXPECT_NEAR(norm(end.body("ball").velocity), 2.0 * 5 / 7, 1e-9);
  EXPECT_NEAR(rolling_since, 2 * 2.0 / (7 * 0.2 * kGravity), 2e-3);
}

TEST(RigidContact, WedgeIsSelfLockingBelowTheFrictionAngleOnly) {
  const double critical = std::tan(std::numbers::pi / 12);
  for (const double share : {1.02, 0.9}) {
    const CertifiedRun run = runCertified(
        "wedge.json", {"system.materials.default.friction=" + std::to_string(share * critical)});
    const double moved = run.body("wedge").position.x - 0.5;
    if (share > 1) {
      EXPECT_NEAR(moved, 0, 1e-9);
    } else {
      EXPECT_GE(moved, 0.01) << "squeezed out";
    }
  }
}

TEST(RigidContact, StacksOfTwoBoxesStandAtAnyMassRatio) {
  for (const double ratio : {1.0, 10.0, 100.0, 1000.0})
    for (const bool heavy_on_top : {true, false}) {
      const std::string heavy = std::to_string(ratio);
      const CertifiedRun run = runCertified(
          "box-stack.json", {"system.bodies.heavy.mass=" + (heavy_on_top ? heavy : "1"),
                             "system.bodies.light.mass=" + (heavy_on_top ? "1" : heavy)});
      EXPECT_LE(run.summary.penetration_max, 1e-6) << ratio;
      EXPECT_LE(norm(run.body("light").position - Vec3{0, 0, 0.5}), 1e-6) << ratio;
      EXPECT_LE(norm(run.body("heavy").position - Vec3{0.1, -0.05, 1.5}), 1e-6) << ratio;
    }
}

TEST(RigidContact, PlatesWithLargeMassRatiosStickOnASlope) {
  const CertifiedRun run = runCertified("incline-stack.json", {"time.end=0.3"});
  EXPECT_TRUE(run.summary.certified());
  for (int k = 1; k <= 10; ++k) {
    const Vec3 start{0, 0, 0.2 * k - 0.1};
    EXPECT_LE(norm(run.body("plate-" + std::to_string(k)).position - start), 1e-10) << k;
  }
}

// Far from the origin gaps are rounded to 1e-12; a box must not fall for a step because of that.
TEST(RigidContact, BoxStandsFarFromTheOrigin) {
  BodySystemData data = boxOnSlope(0.3, 0.7, 0.5);
  const Vec3 away{3e3, -2e3, 7e3};
  for (Body& body : data.bodies) body.position += away;
  const testing::BodyRun run = testing::runBodies(data, 0.01, 2);
  EXPECT_TRUE(run.summary.certified());
  EXPECT_LE(norm(run.body(1).position - data.bodies[1].position), 1e-9);
}

// No free velocity moves a box that a spring presses on a floor without gravity: still certified.
TEST(RigidContact, BoxThatASpringPressesOnTheFloorIsCertified) {
  BodySystemData data = boxOnSlope(0, 0, 0.5);
  data.gravity = {};
  data.springs = {
      {.name = "press", .body_b = 1, .point_a = {0, 0, 1}, .rest_length = 2, .stiffness = 50}};
  const testing::BodyRun run = testing::runBodies(data, 1e-2, 1);
  EXPECT_TRUE(run.summary.certified());
  EXPECT_LE(norm(run.body(1).position - Vec3{0, 0, 0.25}), 1e-12);
}

TEST(RigidContact, OverlappingBodiesKeepTheirAngularMomentum) {
  BodySystemData data;
  data.materials = {{.name = "default", .surface = {.friction = 0.8}}};
  for (int k = 0; k < 2; ++k) {
    Body ball = testing::spatialBody(k == 0 ? "a" : "b", 1, {0.1, 0.1, 0.1}, {0.9 * k, 0, 0});
    ball.shapes = {{Sphere{0.5}, {}, 0}};
    ball.velocity = {k == 0 ? 1.0 : -1.0, k == 0 ? 0.5 : -0.5, 0};
    data.bodies.push_back(ball);
  }
  const auto momentum = [&](const BodyState& a, const BodyState& b) {
    return cross(a.position, a.velocity) + cross(b.position, b.velocity) +
           0.1 * (a.angular_velocity + b.angular_velocity);
  };
  const BodySystem system(data);
  const State start = system.initialState();
  const Vec3 before = momentum(system.bodyState(0, start), system.bodyState(1, start));
  const testing::BodyRun run = testing::runBodies(data, 1e-3, 0.2);
  EXPECT_GE(norm(run.body(0).angular_velocity), 0.1) << "friction has acted";
  EXPECT_LE(norm(momentum(run.body(0), run.body(1)) - before), 1e-4);
}

// ---- Bodies with a prescribed motion ----

// A box on a belt is carried along once friction has accelerated it to the belt's speed.
TEST(RigidContact, BeltCarriesABoxAlong) {
  BodySystemData data = boxOnSlope(0, 0, 0.4);
  data.bodies[0].type = Body::Type::kinematic;
  data.bodies[0].motion = ConstantMotion{{0, 1.5, 0}, {}};
  const testing::BodyRun run = testing::runBodies(data, 1e-3, 1.0);
  EXPECT_TRUE(run.summary.certified());
  EXPECT_NEAR(run.body(1).velocity.y, 1.5, 1e-9);
  const double slip_time = 1.5 / (0.4 * kGravity);
  EXPECT_NEAR(run.body(1).position.y, 1.5 * (1.0 - slip_time / 2), 2e-3);
}

// A box stands on a shaken table as long as the table does not fall faster than it.
TEST(RigidContact, ShakenTableThrowsTheBoxOnlyAboveItsCriticalAcceleration) {
  for (const double peak : {0.8, 1.5}) {
    BodySystemData data = boxOnSlope(0, 0, 0.4);
    const double frequency = 5, omega = 2 * std::numbers::pi * frequency;
    data.bodies[0].type = Body::Type::kinematic;
    data.bodies[0].motion = SinusoidalMotion{.amplitude = {0, 0, peak * kGravity / (omega * omega)},
                                             .frequency = frequency};
    double largest_gap = 0;
    testing::runBodies(
        data, 2e-4, 0.5, [&](long, const State& state, const Stepper& s, const StepReport*) {
          const auto& system = static_cast<const BodySystem&>(*s.model().system);
          largest_gap = std::max(largest_gap, system.bodyState(1, state).position.z - 0.25 -
                                                  system.bodyState(0, state).position.z);
        });
    if (peak < 1) {
      EXPECT_LE(largest_gap, 1e-4);
    } else {
      EXPECT_GE(largest_gap, 1e-3);
    }
  }
}

// ---- Anisotropic friction ----

// A box with skates: slippery along its x axis, rough across it.
TEST(RigidContact, AnisotropicFrictionTurnsWithTheBody) {
  for (const double angle : {0.0, 0.6}) {
    BodySystemData data = boxOnSlope(0, 0, 0.1);
    data.materials.push_back(
        {.name = "skates", .surface = {.friction = 0.1}, .anisotropy = Anisotropy{{1, 0, 0}, 0.9}});
    data.bodies[1].shapes[0].material = 1;
    data.bodies[1].orientation = rotationBy({0, 0, angle});
    data.bodies[1].velocity = {std::cos(angle), std::sin(angle), 0};
    const testing::BodyRun along = testing::runBodies(data, 1e-3, 0.2);
    // Along the skates: geometric mean of 0.1 and 0.1.
    EXPECT_NEAR(norm(along.body(1).velocity), 1 - 0.1 * kGravity * 0.2, 1e-6);
    data.bodies[1].velocity = {-std::sin(angle), std::cos(angle), 0};
    const testing::BodyRun across = testing::runBodies(data, 1e-3, 0.2);
    EXPECT_NEAR(norm(across.body(1).velocity), 1 - std::sqrt(0.1 * 0.9) * kGravity * 0.2, 1e-6);
  }
}

// Floor and box of one grained material: the geometric mean of two ellipses, whatever the angle
// between them; parallel grains, grains that cross, and between.
TEST(RigidContact, OneAnisotropicMaterialOnBothBodies) {
  constexpr double kAlong = 0.1, kAcross = 0.9, kTime = 0.1;
  for (const double angle : {0.0, 0.5, std::numbers::pi / 4, std::numbers::pi / 2, 2.0, 3.0}) {
    BodySystemData data = boxOnSlope(0, 0, kAlong);
    data.materials[0].anisotropy = Anisotropy{{1, 0, 0}, kAcross};
    data.bodies[1].orientation = rotationBy({0, 0, angle});
    // Half of the acute angle between the grains, which are lines.
    const double folded = std::remainder(angle, std::numbers::pi), half = folded / 2;
    const double c = std::cos(half), s = std::sin(half);
    const double first = std::pow(kAlong * c, 2) + std::pow(kAcross * s, 2);
    const double second = std::pow(kAlong * s, 2) + std::pow(kAcross * c, 2);
    const double mean = std::sqrt(kAlong * kAcross), ratio = std::pow(first / second, 0.25);
    for (const bool along : {true, false}) {
      data.bodies[1].velocity = along ? Vec3{c, s, 0} : Vec3{-s, c, 0};
      const testing::BodyRun run = testing::runBodies(data, 1e-3, kTime);
      const double mu = along ? mean * ratio : mean / ratio;
      EXPECT_NEAR(norm(run.body(1).velocity), 1 - mu * kGravity * kTime, 1e-6) << angle;
      EXPECT_NEAR(dot(run.body(1).velocity, data.bodies[1].velocity), norm(run.body(1).velocity),
                  1e-6);
    }
  }
}

TEST(RigidContact, TwoGrainsNeedAFrictionOfTheirOwn) {
  BodySystemData data = boxOnSlope(0, 0, 0.1);
  data.materials[0].anisotropy = Anisotropy{{1, 0, 0}, 0.9};
  data.materials.push_back(data.materials[0]);
  data.materials[1].name = "other";
  data.bodies[1].shapes[0].material = 1;
  EXPECT_THROW(BodySystem{data}, InputError);
  data.material_pairs.push_back(
      {.a = 1, .b = 0, .surface = {.friction = 0.2}, .keeps_grain = true});
  EXPECT_THROW(BodySystem{data}, InputError);
  data.material_pairs[0].keeps_grain = false;
  EXPECT_NO_THROW(BodySystem{data});
}

}  // namespace
}  // namespace stickslip
