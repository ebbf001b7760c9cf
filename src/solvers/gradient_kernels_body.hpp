// The kernels of gradient_kernels.hpp for one vector type. Included once per instruction set,
// inside a namespace that defines `Vector`; no include guard, on purpose.
//
// Four numbers go together, in one vector or two.

constexpr int kLanes = static_cast<int>(sizeof(Vector) / sizeof(double));
constexpr int kPieces = 4 / kLanes;
constexpr int kFours = GradientContact::kColumns / 4;

struct Four {
  Vector piece[kPieces];
};

[[gnu::always_inline]] inline Four load(const double* from) {
  Four out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

[[gnu::always_inline]] inline void store(const Four& x, double* to) {
  std::memcpy(to, &x, sizeof x);
}

[[gnu::always_inline]] inline Four loadHalves(const double* first, const double* second) {
  Four out;
  std::memcpy(&out, first, 2 * sizeof(double));
  std::memcpy(reinterpret_cast<char*>(&out) + 2 * sizeof(double), second, 2 * sizeof(double));
  return out;
}

// The velocities of the bodies of a contact, in the order of its columns.
[[gnu::always_inline]] inline void loadVelocities(const GradientContact& c, const double* w,
                                                  Four (&v)[kFours]) {
  v[0] = load(w + c.a);
  v[1] = load(w + c.b);
  v[2] = loadHalves(w + c.a + 4, w + c.b + 4);
}

[[gnu::always_inline]] inline double times(const double* row, const Four (&v)[kFours]) {
  Four sum;
#pragma GCC unroll 2
  for (int n = 0; n < kPieces; ++n) sum.piece[n] = Vector{};
#pragma GCC unroll 3
  for (int j = 0; j < kFours; ++j) {
    const Four r = load(row + 4 * j);
#pragma GCC unroll 2
    for (int n = 0; n < kPieces; ++n) sum.piece[n] += r.piece[n] * v[j].piece[n];
  }
  double x[4];
  store(sum, x);
  return (x[0] + x[2]) + (x[1] + x[3]);
}

// w += A' change. Body b is read anew: it may be body a.
[[gnu::always_inline]] inline void addImpulse(const GradientContact& c, const double (&change)[3],
                                              double* w) {
  Four d[kFours];
#pragma GCC unroll 3
  for (int j = 0; j < kFours; ++j) {
    const Four r0 = load(c.rows + 4 * j), r1 = load(c.rows + 12 + 4 * j),
               r2 = load(c.rows + 24 + 4 * j);
#pragma GCC unroll 2
    for (int n = 0; n < kPieces; ++n)
      d[j].piece[n] = r0.piece[n] * change[0] + r1.piece[n] * change[1] + r2.piece[n] * change[2];
  }
  const auto add = [&](const Four& x, double* to) {
    Four sum = load(to);
#pragma GCC unroll 2
    for (int n = 0; n < kPieces; ++n) sum.piece[n] += x.piece[n];
    store(sum, to);
  };
  double last[4];
  store(d[2], last);
  add(d[0], w + c.a);
  w[c.a + 4] += last[0];
  w[c.a + 5] += last[1];
  add(d[1], w + c.b);
  w[c.b + 4] += last[2];
  w[c.b + 5] += last[3];
}

[[gnu::always_inline]] inline void projectOnCone(double slope, double (&x)[3]) {
  const double side = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  if (slope * side <= -x[0]) {
    x[0] = x[1] = x[2] = 0;
    return;
  }
  if (side <= slope * x[0]) return;
  x[0] = (x[0] + slope * side) / (1 + slope * slope);
  const double share = slope * x[0] / side;
  x[1] *= share;
  x[2] *= share;
}

[[gnu::always_inline]] inline void contactVelocity(const GradientContact& c, const double* w,
                                                   double (&u)[3]) {
  Four v[kFours];
  loadVelocities(c, w, v);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) u[k] = times(c.rows + 12 * k, v) + c.q[k];
}

template <bool Coulomb>
double sweepContacts(GradientContact* contacts, int count, double momentum, double* w) {
  double turn = 0;
  for (GradientContact* at = contacts; at != contacts + count; ++at) {
    GradientContact& c = *at;
    double u[3], y[3], x[3], change[3];
    contactVelocity(c, w, u);
    if constexpr (Coulomb) u[0] += c.slope * std::sqrt(u[1] * u[1] + u[2] * u[2]);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      y[k] = c.p[k] + momentum * (c.p[k] - c.before[k]);
      x[k] = y[k] - u[k];
    }
    projectOnCone(c.slope, x);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      change[k] = x[k] - y[k];
      turn -= change[k] * (x[k] - c.p[k]);
      c.before[k] = c.p[k];
      c.p[k] = x[k];
    }
    addImpulse(c, change, w);
  }
  return turn;
}

double sweep(GradientContact* contacts, int count, double momentum, bool coulomb, double* w) {
  return coulomb ? sweepContacts<true>(contacts, count, momentum, w)
                 : sweepContacts<false>(contacts, count, momentum, w);
}

double violation(const GradientContact* contacts, const ContactMeasure* measures, int count,
                 bool coulomb, const double* w) {
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    const GradientContact& c = contacts[i];
    const ContactMeasure& m = measures[i];
    double u[3], p[3], x[3];
    contactVelocity(c, w, u);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      u[k] *= k == 0 ? m.normal_velocity : m.friction_velocity;
      p[k] = (k == 0 ? m.normal_impulse : m.friction_impulse) * c.p[k];
    }
    if (coulomb) u[0] += m.slope * std::sqrt(u[1] * u[1] + u[2] * u[2]);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) x[k] = p[k] - u[k];
    projectOnCone(m.slope, x);
    double square = 0;
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) square += (p[k] - x[k]) * (p[k] - x[k]);
    const double error = m.caution * std::sqrt(square);
    if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, error);
  }
  return worst;
}

void push(const GradientContact* contacts, int count, double* w, double* w_before) {
  for (int i = 0; i < count; ++i) {
    addImpulse(contacts[i], contacts[i].p, w);
    addImpulse(contacts[i], contacts[i].before, w_before);
  }
}

constexpr GradientKernels kKernels{sweep, violation, push};
