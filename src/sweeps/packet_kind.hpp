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

}  // namespace stickslip
