// Joints of scheme `velocity` [AP97]: held at velocity level so that Theorem 2.3 and Lemma 3.1 hold
// for mechanisms that collide, positions projected or not, and geometry taken at three places.
#include <gtest/gtest.h>

#include <cmath>

#include "support/bodies.hpp"
#include "support/random.hpp"

namespace stickslip::testing {
namespace {

// ---- Mechanisms that hit walls ----

// Chains of boxes between two walls, a floor and a ceiling.
BodySystemData chainsInABox(std::uint64_t seed, double friction, double restitution) {
  Random random(seed);
  BodySystemData data;
  data.dimension = 2;
  data.materials.resize(1);
  data.materials[0].surface.friction = friction;
  data.materials[0].surface.restitution = restitution;
  const auto wall = [&](const char* name, Vec3 position, double angle) {
    Body body;
    body.name = name;
    body.type = Body::Type::fixed;
    body.position = position;
    body.orientation = aboutZ(angle);
    body.shapes.push_back({HalfPlane{}, {}, 0});
    data.bodies.push_back(body);
  };
  const double quarter = std::acos(0.0);
  wall("floor", {0, -1, 0}, 0);
  wall("right", {1.2, 0, 0}, quarter);
  wall("ceiling", {0, 1, 0}, 2 * quarter);
  wall("left", {-1.2, 0, 0}, 3 * quarter);
  for (int chain = 0; chain < 2; ++chain)
    for (int link = 0; link < 3; ++link) {
      const double x = -0.6 + 0.4 * link, y = chain == 0 ? 0.4 : -0.4;
      Body body = planarBody("b" + std::to_string(3 * chain + link), random.uniform(0.5, 4),
                             random.uniform(0.01, 0.05), {x, y});
      body.shapes.push_back({PlanarBox{0.3, 0.1}, {}, 0});
      // The velocities of a rigid chain fit its joints.
      body.velocity = chain == 0 ? Vec3{3, 2, 0} : Vec3{-2, 3, 0};
      data.bodies.push_back(body);
      if (link == 0) continue;
      const int here = static_cast<int>(data.bodies.size()) - 1;
      data.joints.push_back(jointAt("j" + std::to_string(here), Joint::Type::revolute, data,
                                    here - 1, here, {x - 0.2, y, 0}));
    }
  return data;
}

Stepper velocityStepper(const std::shared_ptr<const System>& system, const char* impact,
                        const char* stabilization = "projection") {
  Method method = presetMethod("anitescu-potra", *system);
  method.impact = named<Impact>(impact);
  method.joint_stabilization = named<JointStabilization>(stabilization);
  return Stepper({system, method});
}

double kineticEnergy(const BodySystemData& data, const State& state) {
  double sum = 0;
  std::size_t k = 0;
  for (const Body& body : data.bodies) {
    if (body.type != Body::Type::dynamic) continue;
    const double* u = state.u.data() + k;
    sum +=
        (body.mass.mass * (u[0] * u[0] + u[1] * u[1]) + body.mass.inertia(2, 2) * u[2] * u[2]) / 2;
    k += 3;
  }
  return sum;
}

TEST(VelocityJoints, CollidingMechanismsGainNoEnergy) {
  for (const char* impact : {"reflected", "poisson"})
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      const BodySystemData data = chainsInABox(seed, seed == 1 ? 0 : 0.4, 1);
      const auto system = std::make_shared<BodySystem>(data);
      Stepper stepper = velocityStepper(system, impact);
      State state = system->initialState();
      double energy = kineticEnergy(data, state), most_drift = 0;
      long collisions = 0;
      for (int k = 0; k < 3000; ++k) {
        const StepReport report = stepper.step(state, 2e-3);
        const Certificate& c = report.certificate;
        ASSERT_TRUE(report.certified) << impact << ", step " << k << ": " << c.worstResidual();
        ASSERT_LE(c.kinetic_energy_end, c.kinetic_energy_free * (1 + 1e-12)) << "Theorem 2.3";
        const double after = kineticEnergy(data, state);
        ASSERT_LE(after, energy * (1 + 1e-9)) << impact << ", step " << k;
        energy = after;
        most_drift = std::max(most_drift, c.joint_drift);
        collisions += static_cast<long>(report.scheme.collisions);
      }
      EXPECT_GE(collisions, 30) << impact;
      EXPECT_LE(most_drift, 1e-3) << "what a step adds, before it is taken back";
    }
}

// Small heavy bodies on long arms, in long steps: joints are far off after every motion.
TEST(VelocityJoints, LongArmsAndLongStepsDoNotExplode) {
  BodySystemData data;
  data.dimension = 2;
  data.gravity = {0, -kGravity, 0};
  data.materials.resize(1);
  data.materials[0].surface.friction = 2.7;
  data.materials[0].surface.restitution = 1;
  Body ground;
  ground.name = "ground";
  ground.type = Body::Type::fixed;
  ground.shapes.push_back({HalfPlane{}, {}, 0});
  data.bodies.push_back(ground);
  for (int k = 0; k < 4; ++k) {
    const double mass = k % 2 == 0 ? 40 : 0.02, r = 0.005;
    Body body =
        planarBody("b" + std::to_string(k), mass, mass * r * r / 2, {0.1 * k, 0.3 + 0.05 * k});
    body.shapes.push_back({Disk{r}, {}, 0});
    data.bodies.push_back(body);
    if (k > 0)
      data.joints.push_back(jointAt("j" + std::to_string(k), Joint::Type::revolute, data, k, k + 1,
                                    {0.1 * k - 0.05, 0.2, 0}));
  }
  for (const char* impact : {"poisson", "reflected"}) {
    const auto system = std::make_shared<BodySystem>(data);
    Stepper stepper = velocityStepper(system, impact);
    const RunSummary summary = run(stepper, system->initialState(), {{0.049, 3}, false});
    // Explicit Euler steps gain (g h)^2/2 of each mass a step in flight, and no more.
    const double mass = 2 * 40 + 2 * 0.02, step = kGravity * 0.049;
    EXPECT_LE(summary.energy_end, summary.energy_start + 62 * mass * step * step) << impact;
  }
}

TEST(VelocityJoints, ProjectionTakesDriftBackAndLeavesVelocities) {
  // A bar that turns about its end without forces.
  BodySystemData data;
  data.dimension = 2;
  data.bodies.push_back(planarBody("bar", 2, 0.1, {0.5, 0}));
  data.bodies[0].velocity = {0, 1, 0};
  data.bodies[0].angular_velocity = {0, 0, 2};
  data.joints.push_back(jointAt("pin", Joint::Type::revolute, data, -1, 0, {0, 0, 0}));
  const auto system = std::make_shared<BodySystem>(data);
  double drift[3];
  int i = 0;
  for (const char* way : {"projection", "none", "baumgarte"}) {
    Stepper stepper = velocityStepper(system, "poisson", way);
    State state = system->initialState();
    for (int k = 0; k < 500; ++k) {
      const StepReport report = stepper.step(state, 0.01);
      ASSERT_TRUE(report.certified);
      if (i == 2) continue;
      ASSERT_LE(report.certificate.kinetic_energy_end,
                report.certificate.kinetic_energy_free * (1 + 1e-14));
    }
    JointSet joints;
    system->joints(state.t, state.q, joints);
    drift[i++] = std::hypot(joints.gap[0], joints.gap[1]);
  }
  EXPECT_LE(drift[0], 1e-10);
  EXPECT_GE(drift[1], 5e-3) << "(2.9) alone";
  EXPECT_LE(drift[2], 1e-3);
}

// A closed loop has redundant joints in space; the projection does not mind.
TEST(VelocityJoints, RedundantJointsAreProjected) {
  BodySystemData data;
  data.dimension = 3;
  const double side = 0.5;
  const Vec3 corner[4] = {{0, 0, 0}, {side, 0, 0}, {side, side, 0}, {0, side, 0}};
  for (int k = 0; k < 3; ++k) {
    const Vec3 middle = 0.5 * (corner[k] + corner[k + 1]);
    data.bodies.push_back(spatialBody("bar" + std::to_string(k), 1, {0.02, 0.02, 0.02}, middle));
  }
  // Bars 0 and 2 turn about their fixed ends; bar 1 goes with them.
  data.joints.push_back(jointAt("a", Joint::Type::revolute, data, -1, 0, corner[0]));
  data.joints.push_back(jointAt("b", Joint::Type::revolute, data, 0, 1, corner[1]));
  data.joints.push_back(jointAt("c", Joint::Type::revolute, data, 1, 2, corner[2]));
  data.joints.push_back(jointAt("d", Joint::Type::revolute, data, -1, 2, corner[3]));
  data.bodies[0].angular_velocity = data.bodies[2].angular_velocity = {0, 0, 3};
  data.bodies[0].velocity = {0, 3 * side / 2, 0};
  data.bodies[1].velocity = {0, 3 * side, 0};
  data.bodies[2].velocity = {0, 3 * side / 2, 0};
  const auto system = std::make_shared<BodySystem>(data);
  Stepper stepper = velocityStepper(system, "poisson");
  State state = system->initialState();
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(stepper.step(state, 0.01).certified);
  JointSet joints;
  system->joints(state.t, state.q, joints);
  for (const double gap : joints.gap) EXPECT_LE(std::abs(gap), 1e-8);
}

// ---- Where geometry is taken ----

/// A bead of unit mass on the unit circle, without forces.
class BeadOnACircle final : public GeneralizedSystem {
 public:
  BeadOnACircle() : GeneralizedSystem(2) {}
  int jointCount() const override { return 1; }
  void generalizedMass(double, std::span<const double>, MatrixView M) const override {
    M(0, 0) = M(1, 1) = 1;
  }
  void generalizedForces(double, std::span<const double>, std::span<const double>,
                         std::span<double>) const override {}
  double jointGap(int, double, std::span<const double> q) const override {
    return std::hypot(q[0], q[1]) - 1;
  }
  double jointDirection(int, double, std::span<const double> q,
                        std::span<double> w) const override {
    const double r = std::hypot(q[0], q[1]);
    w[0] = q[0] / r;
    w[1] = q[1] / r;
    return 0;
  }
};

// A velocity square to the radius at a place that is a part f of a step ahead of where the step
// begins leads outwards by (3/2 - f) (h v)^2 a step.
TEST(VelocityGeometry, DriftOffACircleIsThatOfThePlace) {
  const auto system = std::make_shared<BeadOnACircle>();
  const std::pair<const char*, double> places[] = {{"start", 0}, {"middle", 0.5}, {"end", 1}};
  for (const auto& [place, part] : places) {
    double drift[2];
    for (const int i : {0, 1}) {
      const double h = i == 0 ? 1e-3 : 5e-4;
      Method method = presetMethod("anitescu-potra", *system);
      method.joint_stabilization = JointStabilization::none;
      method.geometry = named<GeometryAt>(place);
      Stepper stepper({system, method});
      State state{0, {1, 0}, {0, 1}};
      // Of the very first step the velocity is given.
      stepper.step(state, h);
      const double before = std::hypot(state.q[0], state.q[1]);
      for (int k = 0; k < 50; ++k) EXPECT_TRUE(stepper.step(state, h).certified);
      drift[i] = (std::hypot(state.q[0], state.q[1]) - before) / 50;
      EXPECT_NEAR(drift[i] / (h * h), 1.5 - part, 0.15) << place;
    }
    EXPECT_NEAR(drift[0] / drift[1], 4, 0.1) << place;
  }
}

// All three are of first order: a pendulum against a fine run.
TEST(VelocityGeometry, OrderOneAtEveryPlace) {
  BodySystemData data;
  data.dimension = 2;
  data.gravity = {0, -kGravity, 0};
  data.bodies.push_back(planarBody("bar", 2, 0.1, {0.5, 0}));
  data.joints.push_back(jointAt("pin", Joint::Type::revolute, data, -1, 0, {0, 0, 0}));
  const auto system = std::make_shared<BodySystem>(data);
  const auto angleAt = [&](const char* place, double h) {
    Method method = presetMethod("anitescu-potra", *system);
    method.geometry = named<GeometryAt>(place);
    Stepper stepper({system, method});
    return run(stepper, system->initialState(), {{h, 0.8}, false}).final_state.q[2];
  };
  const double exact = 2 * angleAt("end", 5e-5) - angleAt("end", 1e-4);
  for (const char* place : {"start", "middle", "end"}) {
    const double coarse = std::abs(angleAt(place, 2e-3) - exact);
    const double fine = std::abs(angleAt(place, 1e-3) - exact);
    EXPECT_LE(coarse, 0.05) << place;
    EXPECT_NEAR(coarse / fine, 2, 0.25) << place;
  }
}

// Collisions are located and solved where they take place, whatever the place of the geometry.
TEST(VelocityGeometry, CollisionsAreTheSameAtEveryPlace) {
  for (const char* place : {"start", "middle", "end"}) {
    LinearSystemData data;
    data.coordinates = {"x", "y"};
    data.M = {2, 0, 0, 2};
    data.f = {0, -2 * kGravity};
    data.contacts = {{"floor", 0, {0, 1}, {1, 0}, 0, 0, {0, 0.5, 0}}};
    const auto system = std::make_shared<LinearSystem>(data);
    Method method = presetMethod("anitescu-potra", *system);
    method.geometry = named<GeometryAt>(place);
    method.rest_speed = 0.1;
    Stepper stepper({system, method});
    State state{0, {0, 0.04}, {0, -1}};
    const StepReport report = stepper.step(state, 0.1);
    EXPECT_EQ(report.scheme.collisions, 1) << place;
    const double after = 0.5 * (1 + 0.04 * kGravity);
    EXPECT_NEAR(state.q[1], 0.06 * after, 1e-12) << place;
    EXPECT_NEAR(state.u[1], after - 0.06 * kGravity, 1e-12) << place;
  }
}

TEST(VelocityGeometry, OptionsAreForSchemeVelocity) {
  Method method;
  method.scheme = "position";
  checkMethod(method);
  method.geometry = GeometryAt::start;
  EXPECT_THROW(checkMethod(method), InputError);
  method.geometry = GeometryAt::end;
  method.joint_stabilization = JointStabilization::none;
  EXPECT_THROW(checkMethod(method), InputError);
  method.scheme = "velocity";
  checkMethod(method);
  EXPECT_THROW(named<JointStabilization>("else"), InputError);
}

}  // namespace
}  // namespace stickslip::testing
