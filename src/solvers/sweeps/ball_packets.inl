// Packets of balls, which are round: part of packet_kernels.inl.

// The directions of a packet, by rows.
struct BallFrame {
  Lanes along[3][3];
};

[[gnu::always_inline]] inline BallFrame frameOf(const BallPacket& packet) {
  BallFrame frame;
  auto& [n, t, o] = frame.along;
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    n[k] = Lanes::load(packet.normal[k]);
    t[k] = Lanes::load(packet.tangent[k]);
  }
  o[0] = n[1] * t[2] - n[2] * t[1];
  o[1] = n[2] * t[0] - n[0] * t[2];
  o[2] = n[0] * t[1] - n[1] * t[0];
  return frame;
}

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
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k)
    out.angular[k] = first * bodies.side[0][3 + k] + second * bodies.side[1][3 + k];
  return out;
}

[[gnu::always_inline]] inline Lanes dotOf(const Lanes* a, const Lanes* x) {
  return a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
}

[[gnu::always_inline]] inline void velocitiesOf(const BallPacket& packet, const BallFrame& frame,
                                                const BallMotion& motion, Lanes* u) {
  const auto& [n, t, o] = frame.along;
  u[0] = dotOf(n, motion.linear) + Lanes::load(packet.b[0]);
  u[1] = dotOf(t, motion.linear) + dotOf(o, motion.angular) + Lanes::load(packet.b[1]);
  u[2] = dotOf(o, motion.linear) - dotOf(t, motion.angular) + Lanes::load(packet.b[2]);
}

[[gnu::always_inline]] inline void addBallImpulses(const BallPacket& packet, const BallFrame& frame,
                                                   const Lanes* dp, Bodies<6>& bodies) {
  const auto& [n, t, o] = frame.along;
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const Lanes push = n[k] * dp[0] + t[k] * dp[1] + o[k] * dp[2];
    const Lanes roll = o[k] * dp[1] - t[k] * dp[2];
#pragma GCC unroll 3
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
#pragma GCC unroll 3
  for (int i = 1; i < 3; ++i) p[i] = p[i] - u[i] * inverse;
  const Mask closed = zero < p[0];
  const Lanes square = p[1] * p[1] + p[2] * p[2];
  const Mask slides = closed & ~(square <= p[0] * p[0]);
  if (any(slides)) {
    const Lanes share = p[0] / squareRoot(square);
#pragma GCC unroll 3
    for (int i = 1; i < 3; ++i) p[i] = select(slides, share * p[i], p[i]);
  }
#pragma GCC unroll 3
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
    fetchAhead(packet, packets + count, w);
    const BallFrame frame = frameOf(*packet);
    gatherBodies(*packet, w, bodies);
    velocitiesOf(*packet, frame, motionOf(*packet, bodies), u);
#pragma GCC unroll 3
    for (int row = 0; row < 3; ++row) p[row] = change[row] = Lanes::load(packet->p[row]);
    if constexpr (kCoulomb)
      solveBallCoulomb(*packet, u, p);
    else
      stepRelaxed(relaxedStep(*packet), u, p);
#pragma GCC unroll 3
    for (int row = 0; row < 3; ++row) {
      p[row].store(packet->p[row]);
      change[row] = p[row] - change[row];
    }
    most = larger(magnitude(change[0] * Lanes::load(packet->mobility)), most);
    addBallImpulses(*packet, frame, change, bodies);
    scatterBodies(*packet, bodies, w);
  }
  return largestLane(most);
}

inline void pushBalls(const BallPacket* packets, int count, double* w) {
  for (const BallPacket* packet = packets; packet != packets + count; ++packet) {
    Bodies<6> bodies;
    Lanes p[3];
    gatherBodies(*packet, w, bodies);
#pragma GCC unroll 3
    for (int row = 0; row < 3; ++row) p[row] = Lanes::load(packet->p[row]);
    addBallImpulses(*packet, frameOf(*packet), p, bodies);
    scatterBodies(*packet, bodies, w);
  }
}

inline double largestBallVelocity(const BallPacket* packets, int count, const double* w) {
  Lanes most(0.0);
  for (const BallPacket* packet = packets; packet != packets + count; ++packet) {
    Bodies<6> bodies;
    Lanes u[3];
    gatherBodies(*packet, w, bodies);
    velocitiesOf(*packet, frameOf(*packet), motionOf(*packet, bodies), u);
    most = larger(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], most);
  }
  return std::sqrt(largestLane(most));
}

// Normal and tangent of each lane, the latter times its coefficient of friction.
[[gnu::always_inline]] inline void loadFrame(const LaneSource* sources,
                                             const TangentFactors<BallPacket>& factors,
                                             BallPacket& packet) {
  const double* place[2][kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
#pragma GCC unroll 3
    for (int row = 0; row < 2; ++row)
      place[row][lane] = sources[lane].rows > 0 ? sources[lane].along + 3 * row : kNothing;
  Lanes values[3];
  loadPlaces<3>(place[0], values);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) values[k].store(packet.normal[k]);
  loadPlaces<3>(place[1], values);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) (rowFactor(factors, 1) * values[k]).store(packet.tangent[k]);
}

inline void fillBalls(const LaneSource* sources, BallPacket& packet, PacketTurn*) {
  const Lanes zero(0.0), one(1.0);
  TangentFactors<BallPacket> factors;
  for (int lane = 0; lane < kLanes; ++lane) {
    loadLane(sources[lane], lane, packet, factors);
#pragma GCC unroll 3
    for (int side = 0; side < 2; ++side) {
      packet.share[side][lane] = sources[lane].share[side];
      packet.turn[side][lane] = sources[lane].turn[side];
    }
  }
  loadFrame(sources, factors, packet);
  Lanes shares(0.0), turns(0.0);
#pragma GCC unroll 3
  for (int side = 0; side < 2; ++side) {
    const Lanes share = Lanes::load(packet.share[side]), turn = Lanes::load(packet.turn[side]);
    shares = shares + share * share;
    turns = turns + turn * turn;
  }
  const auto [n, t, o] = frameOf(packet).along;
  const Lanes normal = shares * dotOf(n, n);
  const Lanes tangent = shares * dotOf(t, t) + turns * dotOf(o, o);
  const Mask moves = zero < normal;
  normal.store(packet.mobility);
  select(moves, one / normal, zero).store(packet.inverse_mobility);
  (one / larger(tangent, select(moves, Lanes(PacketSettings::flat) * normal, one)))
      .store(packet.inverse_decoupled);
}
