// The innermost loops of sweeps: packets of contacts (packet_kernels.inl).
#pragma once

#include "simd/instruction_set.hpp"
#include "solvers/sweeps/contact_packet.hpp"

namespace stickslip {

/// For one kind of packet.
template <class Packet>
struct PacketKernels {
  /// Makes a packet of four sources; SpatialPacket has a turn to tell.
  void (*fill)(const LaneSource* sources, Packet& packet, PacketTurn* turn);
  /// w += A' p for `count` packets.
  void (*push)(const Packet* packets, int count, double* w);
  /// The largest |A w + b| of a contact.
  double (*largestVelocity)(const Packet* packets, int count, const double* w);
  /// Solves Coulomb's law at every contact of the packets while the others are held. Returns the
  /// largest change of a contact's own normal velocity.
  double (*sweepCoulomb)(Packet* packets, int count, double* w);
  /// One projected step of the relaxed law at every contact; its energy goes down.
  double (*sweepRelaxed)(Packet* packets, int count, double* w);
};

STICKSLIP_KERNELS(PacketKernels<PlanarPacket>);
STICKSLIP_KERNELS(PacketKernels<SpatialPacket>);
STICKSLIP_KERNELS(PacketKernels<BallPacket>);

}  // namespace stickslip
