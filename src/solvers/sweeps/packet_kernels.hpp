// The innermost loops of sweeps: packets of contacts, for the vector width of the machine. Results
// do not depend on the width.
#pragma once

#include <span>

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

/// The kernels for this machine.
template <class Packet>
const PacketKernels<Packet>& packetKernels();

/// All kernels that run on this machine, for tests.
template <class Packet>
std::span<const PacketKernels<Packet>> allPacketKernels();

extern template const PacketKernels<PlanarPacket>& packetKernels<PlanarPacket>();
extern template const PacketKernels<SpatialPacket>& packetKernels<SpatialPacket>();
extern template const PacketKernels<BallPacket>& packetKernels<BallPacket>();
extern template std::span<const PacketKernels<PlanarPacket>> allPacketKernels<PlanarPacket>();
extern template std::span<const PacketKernels<SpatialPacket>> allPacketKernels<SpatialPacket>();
extern template std::span<const PacketKernels<BallPacket>> allPacketKernels<BallPacket>();

}  // namespace stickslip
