#include "sweeps/packet_kind.hpp"

#include "math/index.hpp"

namespace stickslip {
namespace {

bool isPlain(const ImpulseSet& set) {
  using Kind = ImpulseSet::Kind;
  return (set.kind == Kind::frictionless || set.kind == Kind::planar ||
          set.kind == Kind::elliptic) &&
         !set.load_independent && set.dimension() == set.linearRows();
}

// True if a contact pushes its two bodies in opposite directions; `linear` velocities of a body
// come first.
bool areOpposite(const BlockRows& J, int contact, int linear) {
  const std::span<const BlockRows::Strip> strips = J.stripsOf(contact);
  const StripValues a = J.values(contact, strips[0]), b = J.values(contact, strips[1]);
  bool opposite = true;
  for (int row = 0; row < J.rowsOf(contact); ++row)
    for (int k = 0; k < linear; ++k) opposite &= a(row, k) == -b(row, k);
  return opposite;
}

// Packets of balls are for round cones, and for masses that do not tell balls from others.
PacketKind packetOfBalls(const ContactProblem& problem, const VelocitySlots& slots, int contact) {
  const ImpulseSet& set = problem.sets[at(contact)];
  bool round = set.tangents() == 2 && set.mu == set.mu_2;
  for (const BlockRows::Strip& strip : problem.J.stripsOf(contact)) {
    const int block = slots.blockOf(strip.first_column);
    if (!slots.isDiagonal(block)) return PacketKind::none;
    round = round && slots.hasOneInertia(block);
  }
  return round ? PacketKind::balls : PacketKind::spatial;
}

}  // namespace

PacketKind packetKindOf(const ContactProblem& problem, const VelocitySlots& slots, int contact) {
  const std::span<const BlockRows::Strip> strips = problem.J.stripsOf(contact);
  if (strips.empty() || strips.size() > 2) return PacketKind::none;
  const int columns = strips[0].columns;
  const ImpulseSet& set = problem.sets[at(contact)];
  if ((columns != 3 && columns != 6) || !isPlain(set) || set.tangents() > columns / 3)
    return PacketKind::none;
  for (const BlockRows::Strip& strip : strips) {
    const int block = slots.blockOf(strip.first_column);
    if (strip.columns != columns || slots.size(block) != columns ||
        slots.firstColumn(block) != strip.first_column || !slots.isBody(block))
      return PacketKind::none;
  }
  if (strips.size() == 2 && strips[0].first_column == strips[1].first_column)
    return PacketKind::none;
  if (problem.J.isOfBalls(contact)) return packetOfBalls(problem, slots, contact);
  if (strips.size() == 2 && !areOpposite(problem.J, contact, columns == 3 ? 2 : 3))
    return PacketKind::none;
  return columns == 3 ? PacketKind::planar : PacketKind::spatial;
}

}  // namespace stickslip
