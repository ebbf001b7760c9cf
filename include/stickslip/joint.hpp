// Joints between two bodies, or between a body and the world.
//
// A joint has a frame on each of its bodies; at the start the two coincide unless the scene says
// otherwise. Its axis is the z axis of its frames in space; in the plane, rotation is about z and
// prismatic joints slide along the x axis of their frames. What the joint leaves free are its
// coordinates:
//
//   type         holds (space / plane)   coordinates
//   revolute     5 / 2                   angle about the axis
//   prismatic    5 / 2                   displacement along the axis
//   cylindrical  4 / -                   displacement, angle
//   spherical    3 / -                   (none that can be driven)
//   universal    4 / -                   angle about the first axis (z of the frame on body a),
//   angle about the
//                                        second axis (y of the frame on body b)
//   planar       3 / -                   (none that can be driven); z is the normal
//   fixed        6 / 3                   none
//   distance     1 / 1                   the distance itself, if it is not held (limits, spring)
//   gear         1 / 1                   none
//
// Angles count whole turns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stickslip/motion.hpp"
#include "stickslip/rotation.hpp"

namespace stickslip {

/// What acts along one coordinate of a joint. Forces are torques where the coordinate is an angle.
struct JointDrive {
  std::optional<double> lower{};  ///< limit of the coordinate
  std::optional<double> upper{};
  double limit_restitution = 0;  ///< Newton restitution at the limits, in [0, 1]

  /// A motor on the coordinate.
  struct Motor {
    enum class Target { velocity, position };
    Target target = Target::velocity;
    VectorTable value{};   ///< x component: wanted velocity or position over time
    double max_force = 0;  ///< >= 0
    /// Position motors: the distance to the target shrinks to 1/e of itself in this time [s], > 0;
    /// not below the step.
    double time_constant = 0;
  };
  std::optional<Motor> motor{};

  /// Sprag clutch: 1 if the coordinate can only grow, -1 if it can only shrink, 0 if both.
  int one_way = 0;
  double friction = 0;   ///< dry friction: largest force it can hold, >= 0
  double stiffness = 0;  ///< spring, >= 0; implicit
  double rest = 0;       ///< coordinate at which the spring is at rest
  double damping = 0;    ///< viscous, >= 0; implicit
  double prestress = 0;  ///< force that it takes to move the coordinate away from `rest`, >= 0
};

/// What connects two bodies, or one and the world.
struct Joint {
  enum class Type {
    revolute,
    prismatic,
    cylindrical,
    spherical,
    universal,
    planar,
    fixed,
    distance,
    gear,
  };
  static constexpr int kWorld = -1;

  std::string name{};
  Type type = Type::revolute;
  int body_a = kWorld;  ///< index into BodySystemData::bodies, or kWorld
  int body_b = kWorld;
  Pose frame_a{};  ///< in the frame of body a (in the world's for kWorld)
  Pose frame_b{};
  /// Along the joint's coordinates, in the order of the table above; may be shorter.
  std::vector<JointDrive> drives{};
  /// Bodies that a joint connects do not collide unless this is true.
  bool collide = false;

  /// distance: the length that is held between the origins of the frames; none: only the drive
  /// acts, as a force element along the line between them (a spring, a rope with an upper limit).
  std::optional<double> length{};

  /// gear: coordinate of joint b = ratio * coordinate of joint a + offset, as at the start, where
  /// the coordinates are the first ones of two other joints (revolute, prismatic, cylindrical);
  /// indices into BodySystemData::joints. The bodies and frames above are not used.
  int joint_a = -1;
  int joint_b = -1;
  double ratio = 1;
};

/// The name that scenes use, "revolute" ... "gear".
const char* jointTypeName(Joint::Type type);
/// Number of coordinates that drives can act on.
int coordinateCount(Joint::Type type, int dimension);

}  // namespace stickslip
