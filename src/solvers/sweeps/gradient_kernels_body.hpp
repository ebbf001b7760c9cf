// The loops of gradient_kernels.hpp over contacts. Included once per instruction set, after the
// step of one contact and that of four; no include guard, on purpose.

// Records that are asked for ahead of the one at hand.
constexpr int kAhead = 8;

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
  double turns[4] = {};
  int i = 0;
  for (; i + 4 <= count; i += 4) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) fetchAhead(contacts + i + k, contacts + count, w);
    sweepFour<Coulomb>(contacts + i, momentum, w, turns);
  }
  for (int k = 0; i + k < count; ++k) sweepOne<Coulomb>(contacts[i + k], momentum, w, turns[k]);
  return (turns[0] + turns[2]) + (turns[1] + turns[3]);
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
    const double* before = contacts[i].before;
    addImpulse(contacts[i], contacts[i].p, w);
    addImpulse(contacts[i], {before[0], before[1], before[2]}, w_before);
  }
}

void extrapolate(double* w, double* before, int count, double momentum) {
  for (int k = 0; k < count; k += 4) {
    Four last, past;
    load(w + k, last);
    load(before + k, past);
    const Four next = last + (last - past) * momentum;
    std::memcpy(w + k, &next, sizeof next);
    std::memcpy(before + k, &last, sizeof last);
  }
}

constexpr RecordKernels kKernels{sweep, violation, push, extrapolate};
