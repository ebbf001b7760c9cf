// The innermost loops of sweeps: packets of contacts, for the vector width of the machine. Results
// do not depend on the width.
#pragma once

#include <span>

#include "sweeps/contact_packet.hpp"

namespace stickslip {

/// For one kind of packet.
template <int Columns>
struct PacketKernels {
  using Packet = ContactPacket<Columns>;

  /// Makes a packet of four sources; in the plane there is no turn to tell.
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
template <int Columns>
const PacketKernels<Columns>& packetKernels();

/// All kernels that run on this machine, for tests.
template <int Columns>
std::span<const PacketKernels<Columns>> allPacketKernels();

extern template const PacketKernels<3>& packetKernels<3>();
extern template const PacketKernels<6>& packetKernels<6>();
extern template std::span<const PacketKernels<3>> allPacketKernels<3>();
extern template std::span<const PacketKernels<6>> allPacketKernels<6>();

}  // namespace stickslip
