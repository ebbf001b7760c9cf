#include "sweeps/packet_kind.hpp"

#include <cmath>

#include "math/index.hpp"

namespace stickslip {
namespace {

// What directions of length one may be off by rounding.
constexpr double kRounding = 1e-14;

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
  const ConstMatrixView a = J.values(contact, strips[0]), b = J.values(contact, strips[1]);
  bool opposite = true;
  for (int row = 0; row < a.rows; ++row)
    for (int k = 0; k < linear; ++k)
      opposite &= a.data[row * a.columns + k] == -b.data[row * b.columns + k];
  return opposite;
}

double dotOf(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bool isFrame(const double* strip) {
  const double *n = strip, *t_1 = strip + 6, *t_2 = strip + 12;
  const auto isUnit = [](const double* d) { return std::abs(dotOf(d, d) - 1) <= kRounding; };
  const auto areNormal = [](const double* a, const double* b) {
    return std::abs(dotOf(a, b)) <= kRounding;
  };
  return (isUnit(n) & isUnit(t_1) & isUnit(t_2)) &&
         (areNormal(n, t_1) & areNormal(n, t_2) & areNormal(t_1, t_2));
}

// True if the normal turns nothing, and each tangent what the other one is about.
bool turnsABall(const double* strip) {
  const double *t_1 = strip + 6, *t_2 = strip + 12;
  const double lever = leverOf(strip), most = kRounding * std::abs(lever);
  bool is = true;
  for (int k = 0; k < 3; ++k)
    is &= (strip[3 + k] == 0) & (std::abs(t_1[3 + k] - lever * t_2[k]) <= most) &
          (std::abs(t_2[3 + k] + lever * t_1[k]) <= most);
  return is;
}

bool isOfBalls(const ContactProblem& problem, const VelocitySlots& slots, int contact) {
  const ImpulseSet& set = problem.sets[at(contact)];
  if (set.tangents() != 2 || set.mu != set.mu_2) return false;
  for (const BlockRows::Strip& strip : problem.J.stripsOf(contact)) {
    const double* values = problem.J.values(contact, strip).data;
    if (!slots.hasOneInertia(slots.blockOf(strip.first_column)) || !turnsABall(values))
      return false;
  }
  return isFrame(problem.J.values(contact, problem.J.stripsOf(contact)[0]).data);
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
  if (strips.size() == 2 && (strips[0].first_column == strips[1].first_column ||
                             !areOpposite(problem.J, contact, columns == 3 ? 2 : 3)))
    return PacketKind::none;
  if (columns == 3) return PacketKind::planar;
  return isOfBalls(problem, slots, contact) ? PacketKind::balls : PacketKind::spatial;
}

}  // namespace stickslip
