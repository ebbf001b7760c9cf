// The inner loops of the solver `accelerated` for contacts of balls (accelerated_balls.hpp), four
// at a time: half the memory of the records of record_kernels.hpp, and no sums across vectors.
//
// As there, rows are scaled such that a step has length one; results do not depend on the width of
// vectors. The first slot of the velocities is nobody's, kNoSlot.
#pragma once

#include "simd/instruction_set.hpp"
#include "solvers/sweeps/contact_packet.hpp"

namespace stickslip {

/// Four contacts that share no body, by lanes. Lanes that are left over are zero.
struct BallRecordPacket {
  alignas(64) double axes[3][3][kLanes];  ///< n, t_1, t_2, scaled
  double share[2][kLanes];
  double turn[2][kLanes];
  double q[3][kLanes];
  double slope[kLanes];    ///< |p_t| <= slope p_n
  double inverse[kLanes];  ///< 1 / (1 + slope^2)
  double p[3][kLanes];     ///< impulse
  double before[3][kLanes];
  int slot[2][kLanes];  ///< of the bodies; kNoSlot if fixed
};

/// What the residual needs of the same contacts: u = scale u^, p = p^ / scale, and the mean
/// diagonal entry of W, in the problem's units. Lanes that are left over have scales of one.
struct PacketMeasure {
  double normal_scale[kLanes];
  double tangent_scale[kLanes];
  double mobility[kLanes];
  double mu[kLanes];
};

/// See RecordKernels.
struct BallRecordKernels {
  double (*sweep)(BallRecordPacket* packets, int count, double momentum, bool coulomb, double* w);
  double (*violation)(const BallRecordPacket* packets, const PacketMeasure* measures, int count,
                      bool coulomb, const double* w);
  void (*push)(const BallRecordPacket* packets, int count, double* w, double* w_before);
  /// The largest |u| that w alone gives a contact, in the problem's units.
  double (*speed)(const BallRecordPacket* packets, const PacketMeasure* measures, int count,
                  const double* w);
};

STICKSLIP_KERNELS(BallRecordKernels);

}  // namespace stickslip
