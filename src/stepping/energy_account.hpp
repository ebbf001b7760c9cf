// Energy that contacts and joints may not put in: Certificate::energy_residual.
//
// In a step impulses do the work W = sum p.(gamma_old + gamma_new)/2, contacts and rigid joints in
// the frames of their drives (contact_work). Every law here takes energy. For impacts whose
// contacts all have the same e: W <= 0. Without restitution, [AP97] Theorem 2.3: with D = M^-1 (J'p
// + G'c), and d = v_free - v_old what forces and springs do, W <= -|D|^2/2 - D.d/2 <= |d|^2/8 in
// the kinetic norm, a quarter of `forced_energy`. Over a convex surface of radius r contacts push
// at a speed of order h, W = m h^2 a (g - a) with a = v^2/r, at most half of it. So what is gained
// is
//
//   gain = W - forced_energy / 2
//
// and it is flagged where it exceeds what is allowed for drift that is taken back:
//
//   overlaps  the work of pushing them out, as long as that needs impulses of no more than
//             kPushByForces of what forces do in the step: a deep overlap leaves with 2 g against
//             g. |I| |v| <= kPushByForces |d| |v| = 2 kPushByForces sqrt(forced_energy T). With
//             Method::full_push, which asks for it, whatever it needs.
//   account   what contacts and joints have taken out in the steps before, up to kPart of the
//             kinetic energy T then. The drift of a joint that turns is energy which the step
//             before took, as it went along a tangent: (h w)^2/4 of it, hence kPart for h w = 0.2.
//   start     joints that are open in the first step may be closed in the first kOpening steps:
//             that is how a scene begins.
//
// A stage that is flagged is solved again without what gains energy (concessions.hpp).
//
// So over certified steps contacts and joints, overlaps apart, never give more than they have
// taken, and no step gains more than kPart.
//
// All contacts and joints are added up: within an impact they pass energy on to each other, so that
// one alone may well do work, and only for the sum does a law say anything.
#pragma once

#include <cstdint>

#include "stickslip/certificate.hpp"

namespace stickslip {

class EnergyAccount {
 public:
  explicit EnergyAccount(bool full_push) : full_push_(full_push) {}

  /// What contacts and joints have put in beyond what is allowed to them, relative to the largest
  /// kinetic energy of the step or stage that `certificate` is of.
  double excess(const Certificate& certificate) const;
  /// Takes a step into account, all of whose certificate but this is known. Returns its excess.
  double settle(const Certificate& certificate);

  template <class Memory, class Self>
  static void parts(Memory& memory, Self& self) {
    memory(self.balance_, self.steps_, self.starts_open_);
  }

 private:
  double unexplainedGain(const Certificate& certificate) const;

  bool full_push_;
  double balance_ = 0;      ///< what they may give back
  std::int64_t steps_ = 0;  ///< taken into account
  bool starts_open_ = false;
};

}  // namespace stickslip
