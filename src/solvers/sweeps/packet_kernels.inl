// The kernels of packet_kernels.hpp. Compiled once for each instruction set.
#include <cmath>

#include "simd/lanes.hpp"
#include "solvers/sweeps/packet_kernels.hpp"
#include "solvers/sweeps/settings.hpp"

namespace stickslip {
inline namespace STICKSLIP_INSTRUCTION_SET {
namespace {

#include "solvers/sweeps/packet_fill.inl"

// Velocities of the bodies of a packet: the first `kPadded` are those of the first bodies. In the
// plane the place that pads a slot comes along.
template <int C>
struct Bodies {
  static constexpr int kPadded = C == 3 ? 4 : 6;
  Lanes side[2][kPadded];
};

template <class Packet>
[[gnu::always_inline]] inline void gatherBodies(const Packet& packet, const double* w,
                                                Bodies<Packet::kColumns>& bodies) {
  for (int side = 0; side < 2; ++side)
    loadSlots(w, packet.slot[side], Bodies<Packet::kColumns>::kPadded / 2, bodies.side[side]);
}

template <class Packet>
[[gnu::always_inline]] inline void scatterBodies(const Packet& packet,
                                                 const Bodies<Packet::kColumns>& bodies,
                                                 double* w) {
  for (int side = 0; side < 2; ++side)
    storeSlots(bodies.side[side], packet.slot[side], Bodies<Packet::kColumns>::kPadded / 2, w);
}

// Linear velocities of the bodies, each by its share.
template <class Packet>
[[gnu::always_inline]] inline void shareVelocities(const Packet& packet,
                                                   const Bodies<Packet::kColumns>& bodies,
                                                   Lanes* shared) {
  const Lanes first = Lanes::load(packet.share[0]), second = Lanes::load(packet.share[1]);
  for (int k = 0; k < Packet::kLinear; ++k)
    shared[k] = first * bodies.side[0][k] + second * bodies.side[1][k];
}

template <int C>
[[gnu::always_inline]] inline Lanes rowTimes(const ContactPacket<C>& packet, int row,
                                             const Lanes* shared, const Bodies<C>& bodies) {
  using Packet = ContactPacket<C>;
  Lanes sum = Lanes::load(packet.along[row][0]) * shared[0];
  for (int k = 1; k < Packet::kLinear; ++k)
    sum = sum + Lanes::load(packet.along[row][k]) * shared[k];
  for (int side = 0; side < 2; ++side)
    for (int k = 0; k < Packet::kAngular; ++k)
      sum = sum + Lanes::load(packet.about[side][row][k]) * bodies.side[side][Packet::kLinear + k];
  return sum;
}

template <int C>
[[gnu::always_inline]] inline void addImpulses(const ContactPacket<C>& packet, const Lanes* dp,
                                               Bodies<C>& bodies) {
  using Packet = ContactPacket<C>;
  const Lanes first = Lanes::load(packet.share[0]), second = Lanes::load(packet.share[1]);
  for (int k = 0; k < Packet::kLinear; ++k) {
    Lanes push = Lanes::load(packet.along[0][k]) * dp[0];
    for (int row = 1; row < Packet::kRows; ++row)
      push = push + Lanes::load(packet.along[row][k]) * dp[row];
    bodies.side[0][k] = bodies.side[0][k] + first * push;
    bodies.side[1][k] = bodies.side[1][k] + second * push;
  }
  for (int side = 0; side < 2; ++side)
    for (int k = 0; k < Packet::kAngular; ++k) {
      Lanes& velocity = bodies.side[side][Packet::kLinear + k];
      for (int row = 0; row < Packet::kRows; ++row)
        velocity = velocity + Lanes::load(packet.about[side][row][k]) * dp[row];
    }
}

// In the plane there are two directions to slide in.
[[gnu::always_inline]] inline void slide(const Lanes& n_0, const Lanes* c, const Lanes* k,
                                         const Lanes*, Lanes (&p)[2], const Mask& slides) {
  const Lanes direction = select(c[0] < Lanes(0.0), Lanes(1.0), Lanes(-1.0));
  const Lanes n = n_0 / (Lanes(1.0) + k[0] * direction);
  p[0] = select(slides, n, p[0]);
  p[1] = select(slides, n * direction, p[1]);
}

// In space p_t = -c / (s + kappa) with the kappa > 0 at which |p_t| = p_n = n_0 - k.p_t. Newton's
// method on p_n / |p_t| = 1, which is nearly linear in kappa, kept between bounds.
[[gnu::always_inline]] inline void slide(const Lanes& n_0, const Lanes* c, const Lanes* k,
                                         const Lanes* s, Lanes (&p)[3], const Mask& slides) {
  const Lanes zero(0.0), one(1.0);
  const Lanes mean = (s[0] + s[1]) * Lanes(0.5);
  Lanes low = zero, high(kInfinity);
  Lanes kappa = larger(squareRoot(c[0] * c[0] + c[1] * c[1]) / n_0 - mean, zero);
  Lanes t[2], length, n;
  for (int step = 0; step < PacketSettings::slide_steps; ++step) {
    const Lanes inverse[2] = {one / (s[0] + kappa), one / (s[1] + kappa)};
    for (int i = 0; i < 2; ++i) t[i] = zero - c[i] * inverse[i];
    const Lanes square[2] = {t[0] * t[0], t[1] * t[1]};
    length = squareRoot(square[0] + square[1]);
    n = n_0 - k[0] * t[0] - k[1] * t[1];
    const Lanes excess = length - n;
    const Mask searching =
        slides & (Lanes(PacketSettings::slide_exact) * length < magnitude(excess));
    if (!any(searching)) break;
    const Mask outside = zero < excess;
    low = select(outside, kappa, low);
    high = select(outside, high, kappa);
    const Lanes slope_n = k[0] * t[0] * inverse[0] + k[1] * t[1] * inverse[1];
    const Lanes slope =
        slope_n * length + n * (square[0] * inverse[0] + square[1] * inverse[1]) / length;
    const Lanes newton = kappa + excess * length / slope;
    const Mask inside = (low < newton) & (newton < high) & (zero < slope);
    const Mask bounded = high < Lanes(kInfinity);
    const Lanes between = select(bounded, (low + high) * Lanes(0.5), kappa + kappa + mean);
    kappa = select(searching, select(inside, newton, between), kappa);
  }
  // Whatever is left of the direction's error, the contact does not open or sink.
  const Lanes direction[2] = {t[0] / length, t[1] / length};
  const Lanes upright = one + k[0] * direction[0] + k[1] * direction[1];
  n = select(zero < upright, n_0 / upright, larger(n, zero));
  p[0] = select(slides, n, p[0]);
  for (int i = 0; i < 2; ++i) p[1 + i] = select(slides, n * direction[i], p[1 + i]);
}

template <int C>
[[gnu::always_inline]] inline void solveCoulomb(const ContactPacket<C>& packet, const Lanes* u,
                                                Lanes (&p)[ContactPacket<C>::kRows]) {
  constexpr int kTangents = ContactPacket<C>::kTangents;
  const Lanes zero(0.0);
  Lanes k[kTangents], s[kTangents], c[kTangents];
  Lanes n_0 = p[0] - u[0] * Lanes::load(packet.inverse_mobility);
  for (int i = 0; i < kTangents; ++i) {
    k[i] = Lanes::load(packet.lean[i]);
    s[i] = Lanes::load(packet.decoupled[i]);
    n_0 = n_0 + k[i] * p[1 + i];
    c[i] = u[1 + i] - k[i] * u[0] - s[i] * p[1 + i];
  }
  Lanes square = zero;
  p[0] = n_0;
  for (int i = 0; i < kTangents; ++i) {
    p[1 + i] = zero - c[i] / s[i];
    p[0] = p[0] - k[i] * p[1 + i];
    square = square + p[1 + i] * p[1 + i];
  }
  const Mask closed = zero < n_0;
  const Mask sticks = (zero <= p[0]) & (square <= p[0] * p[0]);
  const Mask slides = closed & ~sticks;
  if (any(slides)) slide(n_0, c, k, s, p, slides);
  for (int row = 0; row <= kTangents; ++row) p[row] = select(closed, p[row], zero);
}

template <int kRows>
[[gnu::always_inline]] inline void stepRelaxed(const Lanes& step, const Lanes* u,
                                               Lanes (&p)[kRows]) {
  const Lanes zero(0.0);
  Lanes square = zero;
  for (int row = 0; row < kRows; ++row) p[row] = p[row] - step * u[row];
  for (int row = 1; row < kRows; ++row) square = square + p[row] * p[row];
  const Lanes length = squareRoot(square);
  const Mask within = length <= p[0];
  const Mask below = length <= zero - p[0];
  const Lanes n = (p[0] + length) * Lanes(0.5);
  const Lanes share = select(within, Lanes(1.0), select(below, zero, n / length));
  p[0] = select(within, p[0], select(below, zero, n));
  for (int row = 1; row < kRows; ++row) p[row] = p[row] * share;
}

template <int C, bool kCoulomb>
double sweepPackets(ContactPacket<C>* packets, int count, double* w) {
  constexpr int kRows = ContactPacket<C>::kRows;
  Lanes most(0.0);
  for (ContactPacket<C>* packet = packets; packet != packets + count; ++packet) {
    Bodies<C> bodies;
    Lanes u[kRows], p[kRows], change[kRows], shared[ContactPacket<C>::kLinear];
    fetchAhead(packet, packets + count, w);
    gatherBodies(*packet, w, bodies);
    shareVelocities(*packet, bodies, shared);
    for (int row = 0; row < kRows; ++row) {
      u[row] = rowTimes(*packet, row, shared, bodies) + Lanes::load(packet->b[row]);
      p[row] = change[row] = Lanes::load(packet->p[row]);
    }
    if constexpr (kCoulomb)
      solveCoulomb<C>(*packet, u, p);
    else
      stepRelaxed(Lanes::load(packet->step), u, p);
    Lanes leaned(0.0);
    for (int row = 0; row < kRows; ++row) {
      p[row].store(packet->p[row]);
      change[row] = p[row] - change[row];
      leaned = row == 0 ? change[0] : leaned + Lanes::load(packet->lean[row - 1]) * change[row];
    }
    most = larger(magnitude(leaned * Lanes::load(packet->mobility)), most);
    addImpulses(*packet, change, bodies);
    scatterBodies(*packet, bodies, w);
  }
  return largestLane(most);
}

template <int C>
void pushPackets(const ContactPacket<C>* packets, int count, double* w) {
  constexpr int kRows = ContactPacket<C>::kRows;
  for (const ContactPacket<C>* packet = packets; packet != packets + count; ++packet) {
    Bodies<C> bodies;
    Lanes p[kRows];
    gatherBodies(*packet, w, bodies);
    for (int row = 0; row < kRows; ++row) p[row] = Lanes::load(packet->p[row]);
    addImpulses(*packet, p, bodies);
    scatterBodies(*packet, bodies, w);
  }
}

template <int C>
double largestVelocityOf(const ContactPacket<C>* packets, int count, const double* w) {
  Lanes most(0.0);
  for (const ContactPacket<C>* packet = packets; packet != packets + count; ++packet) {
    Bodies<C> bodies;
    Lanes square(0.0), shared[ContactPacket<C>::kLinear];
    gatherBodies(*packet, w, bodies);
    shareVelocities(*packet, bodies, shared);
    for (int row = 0; row < ContactPacket<C>::kRows; ++row) {
      const Lanes u = rowTimes(*packet, row, shared, bodies) + Lanes::load(packet->b[row]);
      square = square + u * u;
    }
    most = larger(square, most);
  }
  return std::sqrt(largestLane(most));
}

#include "solvers/sweeps/ball_packets.inl"

}  // namespace
}  // namespace STICKSLIP_INSTRUCTION_SET

template <>
const PacketKernels<PlanarPacket>&
compiledKernels<PacketKernels<PlanarPacket>, InstructionSet::STICKSLIP_INSTRUCTION_SET>() {
  static constexpr PacketKernels<PlanarPacket> kTable{fillPacket<3>, pushPackets<3>,
                                                      largestVelocityOf<3>, sweepPackets<3, true>,
                                                      sweepPackets<3, false>};
  return kTable;
}

template <>
const PacketKernels<SpatialPacket>&
compiledKernels<PacketKernels<SpatialPacket>, InstructionSet::STICKSLIP_INSTRUCTION_SET>() {
  static constexpr PacketKernels<SpatialPacket> kTable{fillPacket<6>, pushPackets<6>,
                                                       largestVelocityOf<6>, sweepPackets<6, true>,
                                                       sweepPackets<6, false>};
  return kTable;
}

template <>
const PacketKernels<BallPacket>&
compiledKernels<PacketKernels<BallPacket>, InstructionSet::STICKSLIP_INSTRUCTION_SET>() {
  static constexpr PacketKernels<BallPacket> kTable{fillBalls, pushBalls, largestBallVelocity,
                                                    sweepBalls<true>, sweepBalls<false>};
  return kTable;
}

}  // namespace stickslip
