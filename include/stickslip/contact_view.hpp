// Contacts of a step, as one looks at them from outside: to draw, to measure, to decide.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "stickslip/vector.hpp"

namespace stickslip {

/// One unilateral contact of the last step (Stepper::contacts). Limits of joints and motors are not
/// among them.
struct ContactView {
  /// What the contact does.
  enum class State {
    open,    ///< it carries nothing
    stick,   ///< it carries load, and its sides do not slide
    slip,    ///< it carries load, and its sides slide or nothing would hold them
    impact,  ///< it was hit: it carries load, and approached faster than forces make it in a step
  };

  int index = 0;         ///< group of Stepper::problem().J
  std::uint64_t id = 0;  ///< stays while the same two places touch (System::contactName)
  /// In BodySystemData::bodies; -1 where the system does not count in bodies.
  int body_a = -1;
  int body_b = -1;
  double gap = 0;  ///< where the scheme took the geometry [length]
  State state = State::open;

  /// Normal component, then along the tangents: as in ContactSolution::p. [force x time]
  std::array<double, 3> p{};
  /// Velocity of b as seen from a at the end of the step, in the same directions. [velocity]
  std::array<double, 3> gamma{};

  /// True if the system knows where its contacts are in space; what follows is 0 otherwise.
  bool is_placed = false;
  Vec3 point{};    ///< halfway between the two sides
  Vec3 normal{};   ///< unit, from a to b
  Vec3 impulse{};  ///< on b, of the step; -impulse acts on a
  Vec3 force{};    ///< the mean over the step that has this impulse; 0 in an impact without time
  Vec3 slip_velocity{};  ///< of b along the surface of a, at the end of the step
};

/// "open", "stick", "slip", "impact".
std::string_view toString(ContactView::State state);

}  // namespace stickslip
