// The plain contacts of a problem, those with a round or planar cone between bodies of one kind, in
// packets: coloured, four of a colour at once, colours one after the other, each by all threads.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/large_pages.hpp"
#include "solvers/sweeps/packet_kernels.hpp"
#include "solvers/sweeps/sweep_order.hpp"
#include "solvers/sweeps/velocity_slots.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip {

template <class Packet>
class PacketSweeps {
 public:
  void reserve(int contacts);
  /// Takes these contacts, which are for such packets (packetKindOf), with impulses p (rows of the
  /// problem) to start from. Returns the largest velocity of a contact in the velocities that
  /// `slots` has.
  double build(const ContactProblem& problem, VelocitySlots& slots, std::span<const int> contacts,
               std::span<const double> p);

  /// Adds what the impulses do to w.
  void push(double* w);
  /// Solves all contacts so many times; returns the largest change of a normal velocity in the last
  /// sweep.
  double sweep(Law law, std::int64_t times, double* w);
  /// Writes the impulses to the rows of the problem.
  void impulses(const ContactProblem& problem, std::span<double> p) const;

 private:
  double fill(const ContactProblem& problem, VelocitySlots& slots, std::span<const double> p);
  void makeRoom(std::size_t packets);
  double largestOfChunks() const;
  LaneSource source(const ContactProblem& problem, const VelocitySlots& slots, int contact,
                    std::span<const double> p, double* scratch) const;
  void addBalls(const BlockRows& J, const VelocitySlots& slots, int contact, LaneSource& out) const;
  void addStrips(const BlockRows& J, const VelocitySlots& slots, int contact, double* scratch,
                 LaneSource& out) const;
  /// nullptr if packets have none.
  PacketTurn* turnOf(int packet) { return turns_.empty() ? nullptr : turns_.data() + packet; }
  /// Contact of the problem in a lane, -1 where there is none.
  int contactAt(int place) const;
  /// Of the contact at a place among the lanes, in the rows of the problem.
  void lanesImpulse(int place, const ImpulseSet& set, double* p) const;
  /// Calls action(packets, count) for all chunks in their order, so many times; the largest result
  /// of the last time.
  template <class Action>
  double forChunks(std::int64_t times, Action action);

  SweepOrder order_;
  std::vector<std::array<int, 2>> bodies_;
  LargePageVector<Packet> packets_;  ///< may hold more than there are
  std::vector<PacketTurn> turns_;    ///< one a packet, or none
  std::vector<double> largest_;      ///< of each chunk
  std::span<const int> contacts_;
};

extern template class PacketSweeps<PlanarPacket>;
extern template class PacketSweeps<SpatialPacket>;
extern template class PacketSweeps<BallPacket>;

// Which packets a contact goes to.

enum class PacketKind : char {
  none,     ///< solved by itself
  planar,   ///< PlanarPacket
  spatial,  ///< SpatialPacket
  balls,    ///< BallPacket
};

PacketKind packetKindOf(const ContactProblem& problem, const VelocitySlots& slots, int contact);

}  // namespace stickslip
