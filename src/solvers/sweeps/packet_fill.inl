// How packets are made of rows of J: part of packet_kernels.inl.

// Where nothing is.
constexpr double kNothing[6] = {};

// Coefficients of friction of the lanes, where there is friction.
template <class Packet>
struct TangentFactors {
  double of[Packet::kTangents][kLanes];
};

// The numbers of a lane that are one a row: offsets, impulses, coefficients.
template <class Packet>
[[gnu::always_inline]] inline void loadLane(const LaneSource& source, int lane, Packet& packet,
                                            TangentFactors<Packet>& factors) {
  for (int side = 0; side < 2; ++side) packet.slot[side][lane] = source.slot[side];
  for (int row = 0; row < Packet::kRows; ++row) {
    const double factor = row == 0 ? 1 : source.factor[row - 1];
    const bool used = row < source.rows && factor > 0;
    packet.b[row][lane] = used ? factor * source.b[row] : 0;
    packet.p[row][lane] = used ? source.p[row] / factor : 0;
    if (row > 0) factors.of[row - 1][lane] = used ? factor : 0;
  }
}

template <class Packet>
[[gnu::always_inline]] inline Lanes rowFactor(const TangentFactors<Packet>& factors, int row) {
  return row == 0 ? Lanes(1.0) : Lanes::load(factors.of[row - 1]);
}

// The first C numbers of a row of each lane's strip, where it has one.
template <int C>
[[gnu::always_inline]] inline void loadStripRow(const LaneSource* sources,
                                                const double* const* strip, int row, Lanes* out) {
  const double* place[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    const bool used = row < sources[lane].rows && strip[lane] != nullptr;
    place[lane] = used ? strip[lane] + row * C : kNothing;
  }
  loadPlaces<C>(place, out);
}

template <class Packet>
[[gnu::always_inline]] inline void loadLinear(const LaneSource* sources,
                                              const TangentFactors<Packet>& factors,
                                              Packet& packet) {
  const double* strip[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    strip[lane] = sources[lane].along;
    for (int side = 0; side < 2; ++side) packet.share[side][lane] = sources[lane].share[side];
  }
  for (int row = 0; row < Packet::kRows; ++row) {
    Lanes values[Packet::kColumns];
    loadStripRow<Packet::kColumns>(sources, strip, row, values);
    for (int k = 0; k < Packet::kLinear; ++k)
      (rowFactor(factors, row) * values[k]).store(packet.along[row][k]);
  }
}

template <int C>
[[gnu::always_inline]] inline void loadAngular(const LaneSource* sources, int side,
                                               const TangentFactors<ContactPacket<C>>& factors,
                                               ContactPacket<C>& packet) {
  constexpr int kLinear = ContactPacket<C>::kLinear;
  const double *strip[kLanes], *place[kLanes];
  Lanes scale[C], values[C];
  for (int lane = 0; lane < kLanes; ++lane) {
    strip[lane] = sources[lane].strip[side];
    place[lane] = strip[lane] != nullptr ? sources[lane].scale[side] : kNothing;
  }
  loadPlaces<C>(place, scale);
  for (int row = 0; row < ContactPacket<C>::kRows; ++row) {
    loadStripRow<C>(sources, strip, row, values);
    for (int k = kLinear; k < C; ++k)
      (rowFactor(factors, row) * scale[k] * values[k]).store(packet.about[side][row][k - kLinear]);
  }
}

// Four contacts into their lanes.
template <int C>
[[gnu::always_inline]] inline void loadRows(const LaneSource* sources, ContactPacket<C>& packet) {
  TangentFactors<ContactPacket<C>> factors;
  for (int lane = 0; lane < kLanes; ++lane) loadLane(sources[lane], lane, packet, factors);
  loadLinear(sources, factors, packet);
  for (int side = 0; side < 2; ++side) loadAngular(sources, side, factors, packet);
}

// A A', entry (i, j).
template <int C>
[[gnu::always_inline]] inline Lanes product(const ContactPacket<C>& packet, int i, int j) {
  using Packet = ContactPacket<C>;
  const Lanes first = Lanes::load(packet.share[0]), second = Lanes::load(packet.share[1]);
  Lanes sum(0.0);
  for (int k = 0; k < Packet::kLinear; ++k)
    sum = sum + Lanes::load(packet.along[i][k]) * Lanes::load(packet.along[j][k]);
  sum = (first * first + second * second) * sum;
  for (int side = 0; side < 2; ++side)
    for (int k = 0; k < Packet::kAngular; ++k)
      sum = sum + Lanes::load(packet.about[side][i][k]) * Lanes::load(packet.about[side][j][k]);
  return sum;
}

[[gnu::always_inline]] inline void turn(const Lanes& cosine, const Lanes& sine, double* first,
                                        double* second) {
  const Lanes x = Lanes::load(first), y = Lanes::load(second);
  (cosine * x - sine * y).store(first);
  (sine * x + cosine * y).store(second);
}

// Turns the tangents into the principal axes of the matrix (a, b; b, d), which becomes (a, d).
inline void turnTangents(ContactPacket<6>& packet, PacketTurn& turned, Lanes& a, const Lanes& b,
                         Lanes& d) {
  const Lanes zero(0.0), one(1.0);
  const Mask coupled = zero < magnitude(b);
  const Lanes theta = (d - a) / select(coupled, b + b, one);
  const Lanes size = one / (magnitude(theta) + squareRoot(theta * theta + one));
  const Lanes tangent = select(coupled, select(theta < zero, zero - size, size), zero);
  const Lanes cosine = one / squareRoot(tangent * tangent + one), sine = tangent * cosine;
  a = a - tangent * b;
  d = d + tangent * b;
  for (int k = 0; k < 3; ++k) {
    turn(cosine, sine, packet.along[1][k], packet.along[2][k]);
    for (auto& rows : packet.about) turn(cosine, sine, rows[1][k], rows[2][k]);
  }
  turn(cosine, sine, packet.b[1], packet.b[2]);
  turn(cosine, sine, packet.p[1], packet.p[2]);
  turn(cosine, sine, packet.lean[0], packet.lean[1]);
  cosine.store(turned.cosine);
  sine.store(turned.sine);
}

template <int C>
void fillPacket(const LaneSource* sources, ContactPacket<C>& packet,
                [[maybe_unused]] PacketTurn* turned) {
  constexpr int kRows = ContactPacket<C>::kRows;
  const Lanes zero(0.0), one(1.0);
  loadRows(sources, packet);
  Lanes W[kRows][kRows];
  for (int i = 0; i < kRows; ++i)
    for (int j = i; j < kRows; ++j) W[i][j] = W[j][i] = product(packet, i, j);
  const Mask moves = zero < W[0][0];
  const Lanes inverse = select(moves, one / W[0][0], zero);
  W[0][0].store(packet.mobility);
  inverse.store(packet.inverse_mobility);
  // Gershgorin's bound.
  Lanes bound = zero;
  for (int i = 0; i < kRows; ++i) {
    Lanes sum = zero;
    for (int j = 0; j < kRows; ++j) sum = sum + magnitude(W[i][j]);
    bound = larger(sum, bound);
  }
  select(zero < bound, one / bound, zero).store(packet.step);
  Lanes lean[kRows - 1], S[kRows - 1][kRows - 1];
  for (int i = 0; i + 1 < kRows; ++i) {
    lean[i] = W[1 + i][0] * inverse;
    lean[i].store(packet.lean[i]);
  }
  for (int i = 0; i + 1 < kRows; ++i)
    for (int j = 0; j + 1 < kRows; ++j) S[i][j] = W[1 + i][1 + j] - lean[i] * W[0][1 + j];
  if constexpr (C == 6) turnTangents(packet, *turned, S[0][0], S[0][1], S[1][1]);
  const Lanes flat = select(moves, Lanes(PacketSettings::flat) * W[0][0], one);
  for (int i = 0; i + 1 < kRows; ++i) larger(S[i][i], flat).store(packet.decoupled[i]);
}
