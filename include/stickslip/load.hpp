// Forces on bodies: springs, given forces and torques, drag, and what a user writes in C++.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "stickslip/body.hpp"
#include "stickslip/motion.hpp"

namespace stickslip {

/// Spring and damper between a point of one body and a point of another (or of the world, index
/// Joint::kWorld). Pulls with stiffness * (distance - rest_length) + damping * d(distance)/dt.
struct PointSpring {
  std::string name{};
  int body_a = -1;
  int body_b = -1;
  Vec3 point_a{};  ///< in the body's frame
  Vec3 point_b{};
  double rest_length = 0;
  double stiffness = 0;  ///< >= 0
  double damping = 0;    ///< >= 0
  /// Solved together with the contacts, stable for any stiffness and step; otherwise the force at
  /// the middle of the step is taken as it is, which is cheaper and fine for soft springs.
  bool implicit = true;
};

/// A force and a torque on a body over time.
struct BodyLoad {
  int body = 0;
  VectorTable force{};         ///< no rows: none
  VectorTable torque{};        ///< no rows: none
  Vec3 point{};                ///< where the force acts, in the body's frame
  bool in_body_frame = false;  ///< force and torque turn with the body
};

/// Drag on the motion of the centre of mass and on the rotation:
/// force = -(linear + quadratic |v|) v, torque = -(angular + angular_quadratic |omega|) omega.
struct Drag {
  int body = 0;
  double linear = 0;
  double quadratic = 0;
  double angular = 0;
  double angular_quadratic = 0;
};

/// Force at the centre of mass and torque, world frame.
struct Wrench {
  Vec3 force{};
  Vec3 torque{};
};

/// A force written in C++: adds to `wrenches`, one per body in the order of
/// BodySystemData::bodies. Must be pure: same arguments, same result.
using UserForce =
    std::function<void(double t, std::span<const BodyState> bodies, std::span<Wrench> wrenches)>;

}  // namespace stickslip
