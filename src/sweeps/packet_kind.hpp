// Which packets a contact goes to.
#pragma once

#include "stickslip/contact_problem.hpp"
#include "sweeps/velocity_slots.hpp"

namespace stickslip {

enum class PacketKind : char {
  none,     ///< solved by itself
  planar,   ///< PlanarPacket
  spatial,  ///< SpatialPacket
  balls,    ///< BallPacket
};

PacketKind packetKindOf(const ContactProblem& problem, const VelocitySlots& slots, int contact);

/// What a contact of balls makes of the turning of one: the second tangent is turned along by so
/// much of the first, as given by the strip of the ball, row-major.
inline double leverOf(const double* strip) {
  return strip[9] * strip[12] + strip[10] * strip[13] + strip[11] * strip[14];
}

}  // namespace stickslip
