// Units do not matter: the same bodies in millimetres, milligrams and milliseconds move the same.
#include <gtest/gtest.h>

#include <cmath>

#include "support/bodies.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

/// How many new units an old one has.
struct Units {
  double length = 1;
  double mass = 1;
  double time = 1;

  double velocity() const { return length / time; }
  double force() const { return mass * length / (time * time); }
  double torque() const { return force() * length; }
  double inertia() const { return mass * length * length; }
};

struct ShapeScaler {
  double factor;

  void operator()(Disk& s) const { s.radius *= factor; }
  void operator()(PlanarCapsule& s) const { s = {factor * s.length, factor * s.radius}; }
  void operator()(PlanarBox& s) const { s = {factor * s.width, factor * s.height}; }
  void operator()(Polygon& s) const {
    for (Vec2& v : s.vertices) v = factor * v;
  }
  void operator()(Sphere& s) const { s.radius *= factor; }
  void operator()(Capsule& s) const { s = {factor * s.length, factor * s.radius}; }
  void operator()(Cylinder& s) const { s = {factor * s.radius, factor * s.height}; }
  void operator()(Box& s) const { s.size = factor * s.size; }
  void operator()(ConvexHull& s) const {
    for (Vec3& v : s.points) v = factor * v;
  }
  void operator()(HalfPlane&) const {}
  void operator()(HalfSpace&) const {}
  template <class Other>
  void operator()(Other&) const {
    ADD_FAILURE() << "the test does not scale this shape";
  }
};

void rescale(Body& body, const Units& to) {
  body.position = to.length * body.position;
  body.velocity = to.velocity() * body.velocity;
  body.angular_velocity = 1 / to.time * body.angular_velocity;
  body.mass = {to.mass * body.mass.mass, to.length * body.mass.center,
               to.inertia() * body.mass.inertia};
  for (PlacedShape& shape : body.shapes) {
    std::visit(ShapeScaler{to.length}, shape.shape);
    shape.placement.position = to.length * shape.placement.position;
  }
}

void rescale(JointDrive& drive, bool is_angle, const Units& to) {
  const double coordinate = is_angle ? 1 : to.length;
  const double force = is_angle ? to.torque() : to.force();
  if (drive.lower) *drive.lower *= coordinate;
  if (drive.upper) *drive.upper *= coordinate;
  if (drive.motor) {
    drive.motor->max_force *= force;
    for (Vec3& v : drive.motor->value.values) v = coordinate / to.time * v;  // velocity motors
    for (double& t : drive.motor->value.times) t *= to.time;
  }
  drive.friction *= force;
  drive.rest *= coordinate;
  drive.stiffness *= force / coordinate;
  drive.damping *= force / coordinate * to.time;
}

BodySystemData inUnits(BodySystemData data, const Units& to) {
  data.gravity = to.length / (to.time * to.time) * data.gravity;
  for (Body& body : data.bodies) rescale(body, to);
  for (Joint& joint : data.joints) {
    joint.frame_a.position = to.length * joint.frame_a.position;
    joint.frame_b.position = to.length * joint.frame_b.position;
    if (joint.length) *joint.length *= to.length;
    for (std::size_t k = 0; k < joint.drives.size(); ++k)
      rescale(
          joint.drives[k],
          joint.type == Joint::Type::revolute || (joint.type == Joint::Type::cylindrical && k == 1),
          to);
  }
  for (BodyLoad& load : data.loads) {
    for (Vec3& force : load.force.values) force = to.force() * force;
    for (double& t : load.force.times) t *= to.time;
    load.point = to.length * load.point;
  }
  return data;
}

void expectSameMotion(const std::string& name, double end, const Units& to, double tolerance,
                      std::string_view preset = "stickslip") {
  const Scene scene = testing::repositoryScene(name);
  const auto& system = static_cast<const BodySystem&>(*scene.model.system);
  const double step = scene.run.time.step;
  const testing::BodyRun plain = testing::runBodies(system.data(), step, end, {}, preset);
  const testing::BodyRun scaled =
      testing::runBodies(inUnits(system.data(), to), to.time * step, to.time * end, {}, preset);
  EXPECT_TRUE(plain.summary.certified() && scaled.summary.certified()) << name;
  for (int k = 0; k < static_cast<int>(system.data().bodies.size()); ++k) {
    const BodyState a = plain.body(k), b = scaled.body(k);
    const double size = 1 + norm(a.position), speed = 1 + norm(a.velocity);
    EXPECT_LE(norm(1 / to.length * b.position - a.position), tolerance * size) << name;
    EXPECT_LE(norm(1 / to.velocity() * b.velocity - a.velocity), tolerance * speed) << name;
    EXPECT_LE(norm(to.time * b.angular_velocity - a.angular_velocity), tolerance * speed) << name;
  }
}

TEST(Units, BodiesMoveTheSameInMillimetresMilligramsAndMilliseconds) {
  const Units small{1e3, 1e6, 1e3}, odd{0.3048, 2.2046, 1.0 / 60};
  for (const Units& to : {small, odd}) {
    expectSameMotion("slip-to-roll.json", 0.5, to, 1e-9);
    expectSameMotion("incline.json", 1, to, 1e-9);
    expectSameMotion("box-stack.json", 1, to, 1e-9);
    expectSameMotion("wedge.json", 0.2, to, 1e-9);
    expectSameMotion("slider-crank.json", 0.5, to, 1e-8);
    expectSameMotion("four-bar.json", 0.5, to, 1e-8);
    expectSameMotion("rocking-block.json", 1, to, 1e-8);
    expectSameMotion("joints/revolute.json", 1, to, 1e-8);
    expectSameMotion("joints/prismatic.json", 1, to, 1e-8);
    expectSameMotion("joints/cylindrical.json", 1, to, 1e-8);
    expectSameMotion("dzhanibekov.json", 2, to, 1e-8);
    // Collisions are located by tolerances that have no units.
    expectSameMotion("bouncing-sphere.json", 1.6, to, 1e-8, "anitescu-potra");
    expectSameMotion("rocking-block.json", 1, to, 1e-8, "anitescu-potra");
    expectSameMotion("cradle.json", 1, to, 1e-8, "anitescu-potra");
  }
}

}  // namespace
}  // namespace stickslip
