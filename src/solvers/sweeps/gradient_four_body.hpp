// The step of four contacts without a common body, the law for all of them at once and without
// branches. The operations are those of gradient_contact_body.hpp. Included where four numbers are
// one vector.

// Numbers of four contacts side by side, from the member at `offset` on.
[[gnu::always_inline]] inline void loadMembers(const GradientContact* contacts, std::size_t offset,
                                               Four (&x)[4]) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
    std::memcpy(&x[i], reinterpret_cast<const char*>(contacts + i) + offset, sizeof x[i]);
}

[[gnu::always_inline]] inline void storeMembers(const Four (&x)[4], std::size_t offset,
                                                GradientContact* contacts) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
    std::memcpy(reinterpret_cast<char*>(contacts + i) + offset, &x[i], sizeof x[i]);
}

// u of four contacts: u[k] has row k of all of them.
[[gnu::always_inline]] inline void velocityOfFour(const GradientContact* contacts, const double* w,
                                                  Four (&u)[3]) {
  Two sums[3][4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    Four v[kFours];
    loadVelocities(contacts[i], w, v);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) sums[k][i] = halves(contacts[i].rows + 12 * k, v);
  }
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k)
    u[k] = join(firsts(sums[k][0], sums[k][1]) + seconds(sums[k][0], sums[k][1]),
                firsts(sums[k][2], sums[k][3]) + seconds(sums[k][2], sums[k][3]));
}

// The same operations as projectOnCone(), all three cases at once.
[[gnu::always_inline]] inline void projectFour(const Four& slope, Four (&x)[3]) {
  const Four zero = fill(0), side = squareRoot(x[1] * x[1] + x[2] * x[2]);
  const Four n = (x[0] + slope * side) / (fill(1) + slope * slope), share = slope * n / side;
  const auto open = slope * side <= zero - x[0], inside = side <= slope * x[0];
  x[0] = select(open, zero, select(inside, x[0], n));
#pragma GCC unroll 2
  for (int k = 1; k < 3; ++k) x[k] = select(open, zero, select(inside, x[k], x[k] * share));
}

template <bool Coulomb>
[[gnu::always_inline]] inline void sweepFour(GradientContact* contacts, double momentum, double* w,
                                             double (&turns)[4]) {
  Four u[3], q[4], p[4], last[4], x[3], change[3], turn;
  load(turns, turn);
  velocityOfFour(contacts, w, u);
  loadMembers(contacts, offsetof(GradientContact, q), q);
  loadMembers(contacts, offsetof(GradientContact, before), last);
  loadMembers(contacts, offsetof(GradientContact, p), p);
  storeMembers(p, offsetof(GradientContact, before), contacts);
  transpose(q);
  transpose(last);
  transpose(p);
  const Four& slope = q[3];
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) u[k] = u[k] + q[k];
  if constexpr (Coulomb) u[0] = u[0] + slope * squareRoot(u[1] * u[1] + u[2] * u[2]);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    change[k] = p[k] + momentum * (p[k] - last[k]);
    x[k] = change[k] - u[k];
  }
  projectFour(slope, x);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    change[k] = x[k] - change[k];
    turn = turn - change[k] * (x[k] - p[k]);
    p[k] = x[k];
  }
  transpose(p);
  storeMembers(p, offsetof(GradientContact, p), contacts);
  std::memcpy(turns, &turn, sizeof turns);
  double changes[3][4];
  std::memcpy(changes, change, sizeof changes);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
    addImpulse(contacts[i], {changes[0][i], changes[1][i], changes[2][i]}, w);
}
