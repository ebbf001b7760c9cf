// The kernels of record_kernels.hpp. Compiled once for each instruction set.
#include <cmath>
#include <cstddef>
#include <cstring>

#include "simd/lanes.hpp"
#include "solvers/sweeps/accelerated/record_kernels.hpp"

namespace stickslip {
inline namespace STICKSLIP_INSTRUCTION_SET {
namespace {

constexpr int kFours = ContactRecord::kColumns / 4;

template <class Numbers>
[[gnu::always_inline]] inline void addTo(const Numbers& x, double* to) {
  storeNumbers(loadNumbers<Numbers>(to) + x, to);
}

// The velocities of the bodies of a contact, in the order of its columns.
[[gnu::always_inline]] inline void loadVelocities(const ContactRecord& c, const double* w,
                                                  Lanes (&v)[kFours]) {
  v[0] = Lanes::load(w + c.a);
  v[1] = Lanes::load(w + c.b);
  v[2] = join(loadNumbers<Pair>(w + c.a + 4), loadNumbers<Pair>(w + c.b + 4));
}

// A row times the velocities: two numbers that are still to be added.
[[gnu::always_inline]] inline Pair halves(const double* row, const Lanes (&v)[kFours]) {
  const Lanes sum =
      Lanes::load(row) * v[0] + Lanes::load(row + 4) * v[1] + Lanes::load(row + 8) * v[2];
  return lowPair(sum) + highPair(sum);
}

// w += A' change. Body b is read anew: it may be body a.
[[gnu::always_inline]] inline void addImpulse(const ContactRecord& c, const double (&change)[3],
                                              double* w) {
  Lanes d[kFours];
#pragma GCC unroll 3
  for (int j = 0; j < kFours; ++j) {
    const double* column = c.rows + 4 * j;
    d[j] = Lanes::load(column) * change[0] +
           Lanes::load(column + ContactRecord::kColumns) * change[1] +
           Lanes::load(column + 2 * ContactRecord::kColumns) * change[2];
  }
  addTo(d[0], w + c.a);
  addTo(lowPair(d[2]), w + c.a + 4);
  addTo(d[1], w + c.b);
  addTo(highPair(d[2]), w + c.b + 4);
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

[[gnu::always_inline]] inline void contactVelocity(const ContactRecord& c, const double* w,
                                                   double (&u)[3]) {
  Lanes v[kFours];
  loadVelocities(c, w, v);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const Pair sum = halves(c.rows + 12 * k, v);
    u[k] = (sum[0] + sum[1]) + c.q[k];
  }
}

// The step of one contact; `turn` is what the sum over contacts gets.
template <bool Coulomb>
[[gnu::always_inline]] inline void sweepOne(ContactRecord& c, double momentum, double* w,
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

// The same for four contacts without a common body, the law for all of them at once and without
// branches.

// Numbers of four contacts side by side, from the member at `offset` on.
[[gnu::always_inline]] inline void loadMembers(const ContactRecord* contacts, std::size_t offset,
                                               Lanes (&x)[4]) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
    std::memcpy(&x[i], reinterpret_cast<const char*>(contacts + i) + offset, sizeof x[i]);
}

[[gnu::always_inline]] inline void storeMembers(const Lanes (&x)[4], std::size_t offset,
                                                ContactRecord* contacts) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
    std::memcpy(reinterpret_cast<char*>(contacts + i) + offset, &x[i], sizeof x[i]);
}

// u of four contacts: u[k] has row k of all of them.
[[gnu::always_inline]] inline void velocityOfFour(const ContactRecord* contacts, const double* w,
                                                  Lanes (&u)[3]) {
  Pair sums[3][4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    Lanes v[kFours];
    loadVelocities(contacts[i], w, v);
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) sums[k][i] = halves(contacts[i].rows + 12 * k, v);
  }
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k)
    u[k] = join(firstOfPairs(sums[k][0], sums[k][1]) + secondOfPairs(sums[k][0], sums[k][1]),
                firstOfPairs(sums[k][2], sums[k][3]) + secondOfPairs(sums[k][2], sums[k][3]));
}

// The same operations as projectOnCone(), all three cases at once.
[[gnu::always_inline]] inline void projectFour(const Lanes& slope, Lanes (&x)[3]) {
  const Lanes zero = Lanes(0.0), side = squareRoot(x[1] * x[1] + x[2] * x[2]);
  const Lanes n = (x[0] + slope * side) / (Lanes(1.0) + slope * slope), share = slope * n / side;
  const Mask open = slope * side <= zero - x[0], inside = side <= slope * x[0];
  x[0] = select(open, zero, select(inside, x[0], n));
#pragma GCC unroll 2
  for (int k = 1; k < 3; ++k) x[k] = select(open, zero, select(inside, x[k], x[k] * share));
}

template <bool Coulomb>
[[gnu::always_inline]] inline void sweepFour(ContactRecord* contacts, double momentum, double* w,
                                             double (&turns)[4]) {
  Lanes u[3], q[4], p[4], last[4], x[3], change[3], turn = Lanes::load(turns);
  velocityOfFour(contacts, w, u);
  loadMembers(contacts, offsetof(ContactRecord, q), q);
  loadMembers(contacts, offsetof(ContactRecord, before), last);
  loadMembers(contacts, offsetof(ContactRecord, p), p);
  storeMembers(p, offsetof(ContactRecord, before), contacts);
  transpose(q);
  transpose(last);
  transpose(p);
  const Lanes& slope = q[3];
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) u[k] = u[k] + q[k];
  if constexpr (Coulomb) u[0] = u[0] + slope * squareRoot(u[1] * u[1] + u[2] * u[2]);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    change[k] = p[k] + (p[k] - last[k]) * momentum;
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
  storeMembers(p, offsetof(ContactRecord, p), contacts);
  turn.store(turns);
  double changes[3][4];
  std::memcpy(changes, change, sizeof changes);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
    addImpulse(contacts[i], {changes[0][i], changes[1][i], changes[2][i]}, w);
}

// Records that are asked for ahead of the one at hand.
constexpr int kAhead = 8;

// Asks for a record, and for the bodies of one that is nearer: at the end of a page the hardware
// does not look ahead.
[[gnu::always_inline]] inline void fetchAhead(const ContactRecord* at, const ContactRecord* end,
                                              const double* w) {
  if (end - at <= kAhead) return;
  const char* record = reinterpret_cast<const char*>(at + kAhead);
#pragma GCC unroll 6
  for (int line = 0; line < 6; ++line) __builtin_prefetch(record + 64 * line);
  __builtin_prefetch(w + at[kAhead / 2].a);
  __builtin_prefetch(w + at[kAhead / 2].b);
}

template <bool Coulomb>
double sweepContacts(ContactRecord* contacts, int count, double momentum, double* w) {
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

double sweep(ContactRecord* contacts, int count, double momentum, bool coulomb, double* w) {
  return coulomb ? sweepContacts<true>(contacts, count, momentum, w)
                 : sweepContacts<false>(contacts, count, momentum, w);
}

double violation(const ContactRecord* contacts, const ContactMeasure* measures, int count,
                 bool coulomb, const double* w) {
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    const ContactRecord& c = contacts[i];
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
    if (!__builtin_isfinite(error)) return kInfinity;
    worst = worst < error ? error : worst;
  }
  return worst;
}

void push(const ContactRecord* contacts, int count, double* w, double* w_before) {
  for (int i = 0; i < count; ++i) {
    const double* before = contacts[i].before;
    addImpulse(contacts[i], contacts[i].p, w);
    addImpulse(contacts[i], {before[0], before[1], before[2]}, w_before);
  }
}

void extrapolate(double* w, double* before, int count, double momentum) {
  for (int k = 0; k < count; k += 4) {
    const Lanes last = Lanes::load(w + k), past = Lanes::load(before + k);
    (last + (last - past) * momentum).store(w + k);
    last.store(before + k);
  }
}

}  // namespace
}  // namespace STICKSLIP_INSTRUCTION_SET

template <>
const RecordKernels& compiledKernels<RecordKernels, InstructionSet::STICKSLIP_INSTRUCTION_SET>() {
  static constexpr RecordKernels kTable{sweep, violation, push, extrapolate};
  return kTable;
}

}  // namespace stickslip
