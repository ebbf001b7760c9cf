// Every joint's functions and coordinates against finite differences over random configurations.
#include "model/joints/joint_geometry.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "support/random_rotation.hpp"

namespace stickslip {
namespace {

using testing::randomVector;

Pose randomPose(testing::Random& random, int dimension) {
  if (dimension == 2)
    return {{random.uniform(), random.uniform(), 0},
            matrixOf(rotationBy({0, 0, random.uniform(-3, 3)}))};
  return {randomVector(random), matrixOf(rotationBy(2.0 * randomVector(random)))};
}

struct Configuration {
  Kinematics frames;
  int dimension;

  Configuration(testing::Random& random, int dim) : dimension(dim) {
    frames.resize(2);
    for (int body = 0; body < 2; ++body) {
      BodyFrame& frame = frames[body];
      frame.pose = randomPose(random, dim);
      if (dim == 2) frame.angle = std::atan2(frame.pose.rotation.x.y, frame.pose.rotation.x.x);
      FrameVelocity velocity;
      velocity.linear = randomVector(random);
      velocity.angular = randomVector(random);
      if (dim == 2) velocity.linear.z = velocity.angular.x = velocity.angular.y = 0;
      frames.setVelocity(body, velocity);
    }
  }
  Kinematics movedBy(double dt) const {
    Kinematics moved = frames;
    for (int body = 0; body < 2; ++body) {
      BodyFrame& frame = moved[body];
      const FrameVelocity& velocity = moved.velocityOf(frame);
      frame.pose.position += dt * velocity.linear;
      frame.pose.rotation = matrixOf(rotationBy(dt * velocity.angular)) * frame.pose.rotation;
      frame.angle += dt * velocity.angular.z;
    }
    return moved;
  }
};

Joint randomJoint(testing::Random& random, Joint::Type type, int dimension) {
  Joint joint;
  joint.type = type;
  joint.body_a = random.integer(0, 1) == 0 ? 0 : Joint::kWorld;
  joint.body_b = 1;
  joint.frame_a = randomPose(random, dimension);
  joint.frame_b = randomPose(random, dimension);
  if (type == Joint::Type::distance) joint.length = 0.7;
  return joint;
}

constexpr Joint::Type kSpatialTypes[] = {Joint::Type::revolute,    Joint::Type::prismatic,
                                         Joint::Type::cylindrical, Joint::Type::spherical,
                                         Joint::Type::universal,   Joint::Type::planar,
                                         Joint::Type::fixed,       Joint::Type::distance};
constexpr Joint::Type kPlanarTypes[] = {Joint::Type::revolute, Joint::Type::prismatic,
                                        Joint::Type::fixed, Joint::Type::distance};

std::span<const Joint::Type> typesOf(int dimension) {
  return dimension == 2 ? std::span<const Joint::Type>(kPlanarTypes)
                        : std::span<const Joint::Type>(kSpatialTypes);
}

TEST(JointGeometry, RatesOfWhatIsHeldAgreeWithFiniteDifferences) {
  testing::Random random(5);
  const double dt = 1e-6;
  for (const int dimension : {2, 3})
    for (const Joint::Type type : typesOf(dimension))
      for (int trial = 0; trial < 50; ++trial) {
        const Configuration c(random, dimension);
        const Joint joint = randomJoint(random, type, dimension);
        const BodyFunctions now = heldFunctions(joint, c.frames, dimension);
        const BodyFunctions before = heldFunctions(joint, c.movedBy(-dt), dimension);
        const BodyFunctions after = heldFunctions(joint, c.movedBy(dt), dimension);
        EXPECT_EQ(now.count, static_cast<std::size_t>(heldCount(joint, dimension)));
        for (std::size_t k = 0; k < now.count; ++k) {
          if (std::abs(after.functions[k].value - before.functions[k].value) > 1)
            continue;  // half a turn
          const double rate = (after.functions[k].value - before.functions[k].value) / (2 * dt);
          EXPECT_NEAR(now.functions[k].rate.at(c.frames), rate, 1e-8)
              << jointTypeName(type) << " in " << dimension << " row " << k;
        }
      }
}

// Coordinates are only meant where the joint is closed, so bodies are put together first: b stands
// where the joint lets it be, and moves as the joint lets it move.
TEST(JointGeometry, CoordinatesMeasureTheFreedomThatIsLeft) {
  testing::Random random(6);
  for (const Joint::Type type :
       {Joint::Type::revolute, Joint::Type::prismatic, Joint::Type::cylindrical}) {
    for (int trial = 0; trial < 50; ++trial) {
      Configuration c(random, 3);
      Joint joint = randomJoint(random, type, 3);
      const double angle = type == Joint::Type::prismatic ? 0 : random.uniform(-3, 3);
      const double shift = type == Joint::Type::revolute ? 0 : random.uniform();
      const Pose relative{{0, 0, shift}, matrixOf(rotationBy({0, 0, angle}))};
      const Pose frame_b_in_b = joint.frame_b;
      const Mat3 back = transposed(frame_b_in_b.rotation);
      const Pose inverse{-(back * frame_b_in_b.position), back};
      const Pose a = joint.body_a < 0 ? joint.frame_a : c.frames[0].pose * joint.frame_a;
      c.frames[1].pose = a * relative * inverse;
      const BodyFunctions held_here = heldFunctions(joint, c.frames, 3);
      for (const BodyFunction& held : held_here.all()) EXPECT_NEAR(held.value, 0, 1e-14);
      if (type == Joint::Type::revolute) {
        EXPECT_NEAR(coordinateOf(joint, 0, c.frames, 3).value, angle, 1e-14);
      } else {
        EXPECT_NEAR(coordinateOf(joint, 0, c.frames, 3).value, shift, 1e-14);
      }
      if (type == Joint::Type::cylindrical) {
        EXPECT_NEAR(coordinateOf(joint, 1, c.frames, 3).value, angle, 1e-14);
      }
    }
  }
}

TEST(JointGeometry, UniversalAnglesTurnTheCross) {
  Joint joint;
  joint.type = Joint::Type::universal;
  joint.body_b = 0;
  Kinematics frames;
  frames.resize(1);
  for (const double first : {-2.5, -0.3, 0.0, 1.2})
    for (const double second : {-1.3, 0.0, 0.4}) {
      // About z of a, then about the y that this has turned.
      frames[0].pose.rotation =
          matrixOf(rotationBy({0, 0, first})) * matrixOf(rotationBy({0, second, 0}));
      EXPECT_NEAR(heldFunctions(joint, frames, 3).functions[3].value, 0, 1e-15);
      EXPECT_NEAR(coordinateOf(joint, 0, frames, 3).value, first, 1e-14);
      EXPECT_NEAR(coordinateOf(joint, 1, frames, 3).value, second, 1e-14);
    }
}

TEST(JointGeometry, TurnsAreCountedFromTheNearestOne) {
  const double turn = 2 * std::numbers::pi;
  EXPECT_NEAR(nearestTurn(0.1, 0.2), 0.1, 1e-15);
  EXPECT_NEAR(nearestTurn(-3.1, 3.2), -3.1 + turn, 1e-15);
  EXPECT_NEAR(nearestTurn(0.1, -5 * turn + 0.3), -5 * turn + 0.1, 1e-13);
}

}  // namespace
}  // namespace stickslip
