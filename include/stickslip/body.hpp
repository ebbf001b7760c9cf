// Rigid bodies, as a user describes them.
#pragma once

#include <string>

#include "stickslip/detail/shape_list.hpp"
#include "stickslip/mass_properties.hpp"
#include "stickslip/motion.hpp"

namespace stickslip {

/// A rigid body: where it starts, what it weighs, what shapes it has.
struct Body {
  enum class Type {
    dynamic,    ///< moves by forces and impulses
    fixed,      ///< never moves
    kinematic,  ///< moves as `motion` says, whatever it meets
  };

  std::string name{};
  Type type = Type::dynamic;
  int turns = 0;  ///< planar: whole turns on top of the orientation
  /// Of the body's frame, which need not sit at the centre of mass. Planar: rotation about z.
  Vec3 position{};
  Quaternion orientation{};
  Vec3 velocity{};          ///< of the frame's origin, world frame
  Vec3 angular_velocity{};  ///< world frame; planar: z only
  /// Dynamic bodies only. A mass of 0 is none: BodySystem then computes mass, centre and inertia
  /// from the shapes and their densities.
  MassProperties mass{};
  Motion motion{};  ///< kinematic bodies only
  ShapeList shapes{};
};

/// Pose and velocity of a body as results show them: of its frame, in world coordinates.
struct BodyState {
  Vec3 position{};
  Quaternion orientation{};
  double angle = 0;  ///< planar: the angle about z, with all its turns
  Vec3 velocity{};
  Vec3 angular_velocity{};
};

}  // namespace stickslip
