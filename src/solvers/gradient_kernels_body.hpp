// The kernels of gradient_kernels.hpp. Included once per instruction set, inside a namespace that
// defines `Four`, four numbers with sums and products, and its halves; no include guard, on
// purpose.

// Records that are asked for ahead of the one at hand.
constexpr int kAhead = 4;
constexpr int kFours = GradientContact::kColumns / 4;

[[gnu::always_inline]] inline void load(const double* from, Four& x) {
  std::memcpy(&x, from, sizeof x);
}

[[gnu::always_inline]] inline void load(const double* from, Two& x) {
  std::memcpy(&x, from, sizeof x);
}

[[gnu::always_inline]] inline void addTo(const Four& x, double* to) {
  Four sum;
  load(to, sum);
  sum = sum + x;
  std::memcpy(to, &sum, sizeof sum);
}

[[gnu::always_inline]] inline void addTo(const Two& x, double* to) {
  Two sum;
  load(to, sum);
  sum += x;
  std::memcpy(to, &sum, sizeof sum);
}

// The velocities of the bodies of a contact, in the order of its columns.
[[gnu::always_inline]] inline void loadVelocities(const GradientContact& c, const double* w,
                                                  Four (&v)[kFours]) {
  Two last_a, last_b;
  load(w + c.a, v[0]);
  load(w + c.b, v[1]);
  load(w + c.a + 4, last_a);
  load(w + c.b + 4, last_b);
  v[2] = join(last_a, last_b);
}

[[gnu::always_inline]] inline double times(const double* row, const Four (&v)[kFours]) {
  Four r0, r1, r2;
  load(row, r0);
  load(row + 4, r1);
  load(row + 8, r2);
  const Four sum = r0 * v[0] + r1 * v[1] + r2 * v[2];
  const Two half = low(sum) + high(sum);
  return half[0] + half[1];
}

// w += A' change. Body b is read anew: it may be body a.
[[gnu::always_inline]] inline void addImpulse(const GradientContact& c, const double (&change)[3],
                                              double* w) {
  Four d[kFours];
#pragma GCC unroll 3
  for (int j = 0; j < kFours; ++j) {
    Four r0, r1, r2;
    load(c.rows + 4 * j, r0);
    load(c.rows + 12 + 4 * j, r1);
    load(c.rows + 24 + 4 * j, r2);
    d[j] = r0 * change[0] + r1 * change[1] + r2 * change[2];
  }
  addTo(d[0], w + c.a);
  addTo(low(d[2]), w + c.a + 4);
  addTo(d[1], w + c.b);
  addTo(high(d[2]), w + c.b + 4);
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

// Asks for a record, and for the bodies of one that is nearer: at the end of a page the hardware
// does not look ahead.
[[gnu::always_inline]] inline void fetchAhead(const GradientContact* at, const GradientContact* end,
                                              const double* w) {
  if (end - at <= kAhead) return;
  const char* record = reinterpret_cast<const char*>(at + kAhead);
#pragma GCC unroll 6
  for (int line = 0; line < 6; ++line) __builtin_prefetch(record + 64 * line);
  __builtin_prefetch(w + at[kAhead / 2].a);
  __builtin_prefetch(w + at[kAhead / 2].b);
}

template <bool Coulomb>
double sweepContacts(GradientContact* contacts, int count, double momentum, double* w) {
  double turn = 0;
  for (GradientContact* at = contacts; at != contacts + count; ++at) {
    GradientContact& c = *at;
    fetchAhead(at, contacts + count, w);
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
    fetchAhead(&c, contacts + count, w);
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
