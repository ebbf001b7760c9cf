// The kernels of ball_record_kernels.hpp. Compiled once for each instruction set.
#include <cmath>

#include "simd/lanes.hpp"
#include "solvers/sweeps/accelerated/ball_record_kernels.hpp"

namespace stickslip {
inline namespace STICKSLIP_INSTRUCTION_SET {
namespace {

// Velocities of the bodies of a packet.
struct Balls {
  Lanes side[2][6];
};

[[gnu::always_inline]] inline Balls ballsOf(const BallRecordPacket& packet, const double* w) {
  Balls out;
#pragma GCC unroll 2
  for (int side = 0; side < 2; ++side) loadSlots(w, packet.slot[side], 3, out.side[side]);
  return out;
}

[[gnu::always_inline]] inline Lanes alongAxis(const BallRecordPacket& packet, int axis,
                                              const Lanes* x) {
  return Lanes::load(packet.axes[axis][0]) * x[0] + Lanes::load(packet.axes[axis][1]) * x[1] +
         Lanes::load(packet.axes[axis][2]) * x[2];
}

// A w.
[[gnu::always_inline]] inline void velocitiesOf(const BallRecordPacket& packet, const Balls& balls,
                                                Lanes (&u)[3]) {
  Lanes x[3], y[3];
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    x[k] = Lanes::load(packet.share[0]) * balls.side[0][k] +
           Lanes::load(packet.share[1]) * balls.side[1][k];
    y[k] = Lanes::load(packet.turn[0]) * balls.side[0][3 + k] +
           Lanes::load(packet.turn[1]) * balls.side[1][3 + k];
  }
  u[0] = alongAxis(packet, 0, x);
  u[1] = alongAxis(packet, 1, x) + alongAxis(packet, 2, y);
  u[2] = alongAxis(packet, 2, x) - alongAxis(packet, 1, y);
}

// w += A' change.
[[gnu::always_inline]] inline void addChange(const BallRecordPacket& packet,
                                             const Lanes (&change)[3], Balls& balls, double* w) {
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const Lanes first = Lanes::load(packet.axes[1][k]), second = Lanes::load(packet.axes[2][k]);
    const Lanes push =
        Lanes::load(packet.axes[0][k]) * change[0] + first * change[1] + second * change[2];
    const Lanes roll = second * change[1] - first * change[2];
#pragma GCC unroll 2
    for (int side = 0; side < 2; ++side) {
      Lanes* ball = balls.side[side];
      ball[k] = ball[k] + Lanes::load(packet.share[side]) * push;
      ball[3 + k] = ball[3 + k] + Lanes::load(packet.turn[side]) * roll;
    }
  }
#pragma GCC unroll 2
  for (int side = 0; side < 2; ++side) storeSlots(balls.side[side], packet.slot[side], 3, w);
}

// On |x_t| <= slope x_n; `inverse` is 1 / (1 + slope^2).
[[gnu::always_inline]] inline void projectOnCones(const Lanes& slope, const Lanes& inverse,
                                                  Lanes (&x)[3]) {
  const Lanes zero(0.0), side = squareRoot(x[1] * x[1] + x[2] * x[2]);
  const Lanes n = (x[0] + slope * side) * inverse, share = slope * n / side;
  const Mask open = slope * side <= zero - x[0], inside = side <= slope * x[0];
  x[0] = select(open, zero, select(inside, x[0], n));
#pragma GCC unroll 3
  for (int k = 1; k < 3; ++k) x[k] = select(open, zero, select(inside, x[k], x[k] * share));
}

template <bool Coulomb>
double sweepPackets(BallRecordPacket* packets, int count, double momentum, double* w) {
  const Lanes beta(momentum);
  Lanes turn(0.0);
  for (BallRecordPacket* packet = packets; packet != packets + count; ++packet) {
    fetchAhead(packet, packets + count, w);
    Balls balls = ballsOf(*packet, w);
    const Lanes slope = Lanes::load(packet->slope);
    Lanes u[3], p[3], x[3], change[3];
    velocitiesOf(*packet, balls, u);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) u[k] = u[k] + Lanes::load(packet->q[k]);
    if constexpr (Coulomb) u[0] = u[0] + slope * squareRoot(u[1] * u[1] + u[2] * u[2]);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      p[k] = Lanes::load(packet->p[k]);
      change[k] = p[k] + beta * (p[k] - Lanes::load(packet->before[k]));
      x[k] = change[k] - u[k];
      p[k].store(packet->before[k]);
    }
    projectOnCones(slope, Lanes::load(packet->inverse), x);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      change[k] = x[k] - change[k];
      turn = turn - change[k] * (x[k] - p[k]);
      x[k].store(packet->p[k]);
    }
    addChange(*packet, change, balls, w);
  }
  return sumOfLanes(turn);
}

double sweep(BallRecordPacket* packets, int count, double momentum, bool coulomb, double* w) {
  return coulomb ? sweepPackets<true>(packets, count, momentum, w)
                 : sweepPackets<false>(packets, count, momentum, w);
}

// The natural map with the step of the certificate, one by the mean diagonal entry of W.
double violation(const BallRecordPacket* packets, const PacketMeasure* measures, int count,
                 bool coulomb, const double* w) {
  const Lanes one(1.0);
  Lanes worst(0.0), sum(0.0);
  for (int i = 0; i < count; ++i) {
    const BallRecordPacket& packet = packets[i];
    const Lanes mu = Lanes::load(measures[i].mu), mobility = Lanes::load(measures[i].mobility);
    Lanes u[3], p[3], x[3];
    velocitiesOf(packet, ballsOf(packet, w), u);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const Lanes scale =
          Lanes::load(k == 0 ? measures[i].normal_scale : measures[i].tangent_scale);
      u[k] = (u[k] + Lanes::load(packet.q[k])) * scale;
      p[k] = Lanes::load(packet.p[k]) * mobility / scale;
    }
    if (coulomb) u[0] = u[0] + mu * squareRoot(u[1] * u[1] + u[2] * u[2]);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) x[k] = p[k] - u[k];
    projectOnCones(mu, one / (one + mu * mu), x);
    Lanes square(0.0);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) square = square + (p[k] - x[k]) * (p[k] - x[k]);
    worst = larger(square, worst);
    sum = sum + square;
  }
  // What is no number is not the largest one, but does not leave a sum.
  if (!__builtin_isfinite(sumOfLanes(sum))) return kInfinity;
  return std::sqrt(largestLane(worst));
}

void push(const BallRecordPacket* packets, int count, double* w, double* w_before) {
  for (int i = 0; i < count; ++i) {
    Lanes p[3], before[3];
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      p[k] = Lanes::load(packets[i].p[k]);
      before[k] = Lanes::load(packets[i].before[k]);
    }
    Balls balls = ballsOf(packets[i], w), balls_before = ballsOf(packets[i], w_before);
    addChange(packets[i], p, balls, w);
    addChange(packets[i], before, balls_before, w_before);
  }
}

double speed(const BallRecordPacket* packets, const PacketMeasure* measures, int count,
             const double* w) {
  Lanes most(0.0);
  for (int i = 0; i < count; ++i) {
    Lanes u[3], square(0.0);
    velocitiesOf(packets[i], ballsOf(packets[i], w), u);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      u[k] = u[k] * Lanes::load(k == 0 ? measures[i].normal_scale : measures[i].tangent_scale);
      square = square + u[k] * u[k];
    }
    most = larger(square, most);
  }
  return std::sqrt(largestLane(most));
}

}  // namespace
}  // namespace STICKSLIP_INSTRUCTION_SET

template <>
const BallRecordKernels&
compiledKernels<BallRecordKernels, InstructionSet::STICKSLIP_INSTRUCTION_SET>() {
  static constexpr BallRecordKernels kTable{sweep, violation, push, speed};
  return kTable;
}

}  // namespace stickslip
