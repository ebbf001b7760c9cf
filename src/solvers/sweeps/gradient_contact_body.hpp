// One contact in the kernels of gradient_kernels.hpp. Included once per instruction set, inside a
// namespace that defines `Four`, four numbers with sums and products, and its halves; no include
// guard, on purpose.

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

// A row times the velocities: two numbers that are still to be added.
[[gnu::always_inline]] inline Two halves(const double* row, const Four (&v)[kFours]) {
  Four r0, r1, r2;
  load(row, r0);
  load(row + 4, r1);
  load(row + 8, r2);
  const Four sum = r0 * v[0] + r1 * v[1] + r2 * v[2];
  return low(sum) + high(sum);
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
  for (int k = 0; k < 3; ++k) {
    const Two sum = halves(c.rows + 12 * k, v);
    u[k] = (sum[0] + sum[1]) + c.q[k];
  }
}

// The step of one contact; `turn` is what the sum over contacts gets.
template <bool Coulomb>
[[gnu::always_inline]] inline void sweepOne(GradientContact& c, double momentum, double* w,
                                            double& turn) {
  double u[3], y[3], x[3], change[3];
  contactVelocity(c, w, u);
  if constexpr (Coulomb) u[0] += c.slope * std::sqrt(u[1] * u[1] + u[2] * u[2]);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    y[k] = c.p[k] + momentum * (c.p[k] - c.before[k]);
    x[k] = y[k] - u[k];
  }
  projectOnCone(c.slope, x);
  double sum = turn;
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    change[k] = x[k] - y[k];
    sum -= change[k] * (x[k] - c.p[k]);
    c.before[k] = c.p[k];
    c.p[k] = x[k];
  }
  turn = sum;
  addImpulse(c, change, w);
}
