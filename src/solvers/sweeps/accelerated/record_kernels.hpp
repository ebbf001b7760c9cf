// The inner loops of the solver `accelerated`, for contacts with round cones between one or two
// bodies of up to six velocities: nearly all that there are where there are many.
//
// All that a sweep needs of a contact is in one record of six cache lines, read in one stream, of
// which one line is written. Rows are those of A = J L^-T with M = L L', scaled such that a step
// has length one (accelerated_cones.hpp). Bodies have slots of eight numbers, one cache line each.
//
// Rows of one contact fill vectors; the law is computed for four contacts at a time, without
// branches. Kernels exist for vectors of two and of four numbers. Both do the same operations in
// the same order, none of them fused: results do not depend on the machine.
#pragma once

#include "simd/instruction_set.hpp"

namespace stickslip {

struct alignas(64) ContactRecord {
  static constexpr int kColumns = 12;

  /// Three rows. Columns: the first four of body a, of body b, the last two of a, of b.
  double rows[3 * kColumns];
  double q[3];
  double slope;  ///< |p_t| <= slope p_n
  double p[3];   ///< impulse
  int a;         ///< where the slots of the bodies begin; the same where there is one body
  int b;
  double before[4];  ///< impulse of the sweep before; the last number means nothing
};
static_assert(sizeof(ContactRecord) == 384);

/// What the residual of a contact needs: see ScaledLaw. Rows of friction share their numbers.
struct ContactMeasure {
  double normal_velocity;
  double normal_impulse;
  double friction_velocity;
  double friction_impulse;
  double slope;
  double caution;
};

struct RecordKernels {
  /// Slots of bodies have so many numbers at least.
  static constexpr int kSlot = 8;

  /// One step of each contact, no two of which touch the same body, from y = p + momentum (p -
  /// before), where w is that of y: p := P_K(y - u^), w += A' (p - y). Returns the sum of (y - p) .
  /// (p - last p), which is positive where momentum leads astray. With Coulomb's law u_n counts
  /// slope |u_t| more.
  double (*sweep)(ContactRecord* contacts, int count, double momentum, bool coulomb, double* w);
  /// The largest violation of the law.
  double (*violation)(const ContactRecord* contacts, const ContactMeasure* measures, int count,
                      bool coulomb, const double* w);
  /// w += A' p, and the same for those of the sweep before.
  void (*push)(const ContactRecord* contacts, int count, double* w, double* w_before);
  /// w := w + momentum (w - before), before := the last w. Of `count` numbers, whole slots.
  void (*extrapolate)(double* w, double* before, int count, double momentum);
};

STICKSLIP_KERNELS(RecordKernels);

}  // namespace stickslip
