// Body of packet_kernels.cpp for balls, which are round, after packet_kernels_body.hpp. No include
// guard, no includes.

// What the bodies of a packet do at its contacts: x and y.
struct BallMotion {
  Lanes linear[3];
  Lanes angular[3];
};

[[gnu::always_inline]] inline BallMotion motionOf(const BallPacket& packet,
                                                  const Bodies<6>& bodies) {
  BallMotion out;
  shareVelocities(packet, bodies, out.linear);
  const Lanes first = Lanes::load(packet.turn[0]), second = Lanes::load(packet.turn[1]);
  for (int k = 0; k < 3; ++k)
    out.angular[k] = first * bodies.side[0][3 + k] + second * bodies.side[1][3 + k];
  return out;
}

[[gnu::always_inline]] inline Lanes alongRow(const BallPacket& packet, int row, const Lanes* x) {
  return Lanes::load(packet.along[row][0]) * x[0] + Lanes::load(packet.along[row][1]) * x[1] +
         Lanes::load(packet.along[row][2]) * x[2];
}

[[gnu::always_inline]] inline void velocitiesOf(const BallPacket& packet, const BallMotion& motion,
                                                Lanes* u) {
  u[0] = alongRow(packet, 0, motion.linear) + Lanes::load(packet.b[0]);
  u[1] = alongRow(packet, 1, motion.linear) + alongRow(packet, 2, motion.angular) +
         Lanes::load(packet.b[1]);
  u[2] = alongRow(packet, 2, motion.linear) - alongRow(packet, 1, motion.angular) +
         Lanes::load(packet.b[2]);
}

[[gnu::always_inline]] inline void addBallImpulses(const BallPacket& packet, const Lanes* dp,
                                                   Bodies<6>& bodies) {
  for (int k = 0; k < 3; ++k) {
    const Lanes first = Lanes::load(packet.along[1][k]), second = Lanes::load(packet.along[2][k]);
    const Lanes push = Lanes::load(packet.along[0][k]) * dp[0] + first * dp[1] + second * dp[2];
    const Lanes roll = second * dp[1] - first * dp[2];
    for (int side = 0; side < 2; ++side) {
      Lanes* body = bodies.side[side];
      body[k] = body[k] + Lanes::load(packet.share[side]) * push;
      body[3 + k] = body[3 + k] + Lanes::load(packet.turn[side]) * roll;
    }
  }
}

// Sliding is along the impulse that would stop it.
[[gnu::always_inline]] inline void solveBallCoulomb(const BallPacket& packet, const Lanes* u,
                                                    Lanes (&p)[3]) {
  const Lanes zero(0.0), inverse = Lanes::load(packet.inverse_decoupled);
  p[0] = p[0] - u[0] * Lanes::load(packet.inverse_mobility);
  for (int i = 1; i < 3; ++i) p[i] = p[i] - u[i] * inverse;
  const Mask closed = zero < p[0];
  const Lanes square = p[1] * p[1] + p[2] * p[2];
  const Mask slides = closed & ~(square <= p[0] * p[0]);
  if (any(slides)) {
    const Lanes share = p[0] / squareRoot(square);
    for (int i = 1; i < 3; ++i) p[i] = select(slides, share * p[i], p[i]);
  }
  for (int row = 0; row < 3; ++row) p[row] = select(closed, p[row], zero);
}

// A matrix that is diagonal is bounded by its largest entry.
[[gnu::always_inline]] inline Lanes relaxedStep(const BallPacket& packet) {
  const Lanes normal = Lanes::load(packet.inverse_mobility);
  const Lanes tangent = Lanes::load(packet.inverse_decoupled);
  return select(normal < tangent, normal, tangent);
}

template <bool kCoulomb>
double sweepBalls(BallPacket* packets, int count, double* w) {
  Lanes most(0.0);
  for (BallPacket* packet = packets; packet != packets + count; ++packet) {
    Bodies<6> bodies;
    Lanes u[3], p[3], change[3];
    gatherBodies(*packet, w, bodies);
    velocitiesOf(*packet, motionOf(*packet, bodies), u);
    for (int row = 0; row < 3; ++row) p[row] = change[row] = Lanes::load(packet->p[row]);
    if constexpr (kCoulomb)
      solveBallCoulomb(*packet, u, p);
    else
      stepRelaxed(relaxedStep(*packet), u, p);
    for (int row = 0; row < 3; ++row) {
      p[row].store(packet->p[row]);
      change[row] = p[row] - change[row];
    }
    most = larger(magnitude(change[0] * Lanes::load(packet->mobility)), most);
    addBallImpulses(*packet, change, bodies);
    scatterBodies(*packet, bodies, w);
  }
  return largestLane(most);
}

inline void pushBalls(const BallPacket* packets, int count, double* w) {
  for (const BallPacket* packet = packets; packet != packets + count; ++packet) {
    Bodies<6> bodies;
    Lanes p[3];
    gatherBodies(*packet, w, bodies);
    for (int row = 0; row < 3; ++row) p[row] = Lanes::load(packet->p[row]);
    addBallImpulses(*packet, p, bodies);
    scatterBodies(*packet, bodies, w);
  }
}

inline double largestBallVelocity(const BallPacket* packets, int count, const double* w) {
  Lanes most(0.0);
  for (const BallPacket* packet = packets; packet != packets + count; ++packet) {
    Bodies<6> bodies;
    Lanes u[3];
    gatherBodies(*packet, w, bodies);
    velocitiesOf(*packet, motionOf(*packet, bodies), u);
    most = larger(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], most);
  }
  return std::sqrt(largestLane(most));
}

[[gnu::always_inline]] inline Lanes squareOf(const BallPacket& packet, int row) {
  Lanes sum(0.0);
  for (int k = 0; k < 3; ++k)
    sum = sum + Lanes::load(packet.along[row][k]) * Lanes::load(packet.along[row][k]);
  return sum;
}

inline void fillBalls(const LaneSource* sources, BallPacket& packet, PacketTurn*) {
  const Lanes zero(0.0), one(1.0);
  TangentFactors<BallPacket> factors;
  for (int lane = 0; lane < kLanes; ++lane) {
    loadLane(sources[lane], lane, packet, factors);
    for (int side = 0; side < 2; ++side) packet.turn[side][lane] = sources[lane].turn[side];
  }
  loadLinear(sources, factors, packet);
  Lanes shares(0.0), turns(0.0);
  for (int side = 0; side < 2; ++side) {
    const Lanes share = Lanes::load(packet.share[side]), turn = Lanes::load(packet.turn[side]);
    shares = shares + share * share;
    turns = turns + turn * turn;
  }
  const Lanes normal = shares * squareOf(packet, 0);
  const Lanes tangent = shares * squareOf(packet, 1) + turns * squareOf(packet, 2);
  const Mask moves = zero < normal;
  normal.store(packet.mobility);
  select(moves, one / normal, zero).store(packet.inverse_mobility);
  (one / larger(tangent, select(moves, Lanes(kFlat) * normal, one)))
      .store(packet.inverse_decoupled);
}

template <>
constexpr PacketKernels<BallPacket> kKernels<BallPacket>{fillBalls, pushBalls, largestBallVelocity,
                                                         sweepBalls<true>, sweepBalls<false>};
