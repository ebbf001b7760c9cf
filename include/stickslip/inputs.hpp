// What a controller sets between steps: forces and torques on bodies, targets and forces of joints.
//
//   const int hinge = system->jointIndex("hinge");
//   BodyInputs& inputs = *system->inputs();
//   while (simulation.stepTowards(2.0))
//     inputs.joints[hinge].force[0] = -8 * system->jointCoordinate(hinge, 0, simulation.state());
//
// What is set holds over the whole step, and until it is set again. Forces are applied forces, as
// loads are: they count as work of forces, and have no potential energy. A number that cannot be
// used is an InputError of the next step, which then changes nothing.
//
// Any system takes generalized forces instead, one for each velocity: Stepper::inputForces().
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "stickslip/load.hpp"

namespace stickslip {

/// For the coordinates of one joint, in the order of joint.hpp. What it does not have stays as it
/// is here.
struct JointInput {
  static constexpr double kNotSet = std::numeric_limits<double>::quiet_NaN();

  /// What the motor aims at in place of its table, a velocity or a position as the motor's target
  /// is. Its rate of change counts as 0: a position motor is behind a target that moves by its time
  /// constant.
  std::array<double, 2> target{kNotSet, kNotSet};
  /// In place of the motor's own, >= 0.
  std::array<double, 2> max_force{kNotSet, kNotSet};
  /// Force along the coordinate, torque where that is an angle, on both bodies in opposite
  /// directions; with or without a motor.
  std::array<double, 2> force{};
};

/// Inputs of a BodySystem (BodySystem::inputs). The sizes stay what they are.
struct BodyInputs {
  BodyInputs(std::size_t body_count, std::size_t joint_count)
      : bodies(body_count), joints(joint_count) {}

  /// Nothing is set any more.
  void clear() {
    bodies.assign(bodies.size(), {});
    joints.assign(joints.size(), {});
  }

  /// Force at the centre of mass and torque, in world axes; only dynamic bodies take any. In the
  /// plane only force.x, force.y and torque.z act.
  std::vector<Wrench> bodies;
  std::vector<JointInput> joints;
};

}  // namespace stickslip
