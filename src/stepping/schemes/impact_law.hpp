// What happens when bodies collide, [AP97] section 3: compression, then decompression.
//
//   compression    (3.2)        v_c in L(v-, 0), with impulses c_n, and c_t along the tangents
//   decompression  (3.3)-(3.5)  v+ in L(v_c, F_r), F_r = sum_j e_j n_j c_n,j     "poisson", or
//                               v+ = v_c + e (v_c - v-)                          "reflected"
//
// L(v, F) are the solutions of the contact problem with v_free = v + M^-1 F, joints at velocity
// level: G v = 0 as (2.9) has it, since Lemma 3.1 needs v_c in L(v-, 0). The paper prints
// "reflected" as (1 + e) v_c - v-, which its proof does not have: for e = 0 it would not be v_c.
// The e of "reflected" is that of the contacts that collide: they approach with more than
// kNegligible of the fastest. It goes through L as well: v+ is its own solution, without impulses,
// if it fits all contacts; if not, as where an impact closes a contact that was about to open, L
// makes it fit, and by Theorem 2.3 takes energy away. Lemma 3.1, no energy is gained, therefore
// holds for what comes out.
//
// A contact gives impulse back if it approached, or was compressed, faster than the rest speed:
// compressed means by c_n n M^-1 n', the change of its velocity by its own impulse, so that the
// balls of a cradle pass a blow on though they touched before. The rest speed is the method's, or
// what forces change the contact's velocity by within kRestSteps steps: bounces that are over
// within a few steps are none.
//
// Tangential restitution, which section 3 leaves open: F_r also has r c_t of each contact that
// gives back, r = e_t, or as much less as keeps ((1 + e_n) c_n, (1 + r) c_t) in the friction cone
// (Glocker & Pfeiffer, Nonlinear Dynamics 7, 1995, have such a law). Moments of spin and rolling
// are not given back. "reflected" gives friction back with e, and has no use for e_t.
//
// With friction, or different e, Poisson's hypothesis may gain energy, as the remark at the end of
// section 3 says. What the impulses of both phases do in the driven frames of contacts,
//
//   W = sum p.(gamma_start + gamma_end)/2,
//
// must not be positive. If it is, the decompression is solved again with F_r scaled down, to where
// W would be 0 if all its impulses scaled alike, and in the end without F_r.
#pragma once

#include <span>
#include <vector>

#include "stickslip/problem_builder.hpp"

namespace stickslip {

class ImpactLaw {
 public:
  explicit ImpactLaw(const Method& method)
      : reflected_(method.impact == Impact::reflected), rest_speed_(method.rest_speed) {}

  void reserve(const System& system, std::size_t contact_rows);

  /// Sets up the compression of the velocity v in `problem`, in which all but the velocities is in
  /// place already. `change` is how v would change within one step without the collision.
  /// Returns how fast the fastest contact approaches, or 0.
  double compress(std::span<const double> v, std::span<const double> change,
                  ContactProblem& problem);
  /// Given what came of it, sets up the decompression of `problem`, made by `builder`. False if
  /// nothing is given back: v_c is then the velocity after the collision.
  bool decompress(const ContactSolution& compression, ProblemBuilder& builder,
                  ContactProblem& problem);
  /// Given what came of the decompression, sets it up again with less restitution if energy was
  /// gained. False if not: it stands.
  bool weaken(const ContactSolution& decompression, ContactProblem& problem);
  /// The part of the restitution that is left of it.
  double share() const { return share_; }
  /// Energy that the impulses given back have put in, contacts and joints in their driven frames.
  double work(const ContactProblem& problem, std::span<const double> v) const;

 private:
  /// Speed below which contact i does not bounce.
  double restSpeed(const ContactProblem& problem, int i) const;
  void poisson(const ContactSolution& compression, ProblemBuilder& builder,
               ContactProblem& problem);
  void giveBackFriction(const ContactSolution& compression, const ContactParameters& law,
                        int contact, const ContactProblem& problem);
  void giveBack(const ContactProblem& problem);
  void setShare(double share, ContactProblem& problem);
  void reflect(const ContactSolution& compression, const ProblemBuilder& builder,
               const ContactProblem& problem);

  bool reflected_;
  double rest_speed_;
  static constexpr double kRestSteps = 2;
  static constexpr double kNegligible = 1e-6;

  std::vector<double> v_before_;
  std::vector<double> approach_;  ///< of each contact, with v_before_
  double fastest_ = 0;
  std::vector<double> change_;
  std::vector<double> v_compressed_;
  std::vector<double> returned_;        ///< impulses given back, rows of J
  std::vector<double> joint_returned_;  ///< and rows of G
  std::vector<double> momentum_;        ///< change of velocity by what is given back
  double compression_work_ = 0;         ///< W of the compression
  double share_ = 1;
  int attempts_ = 0;
  std::vector<double> impulse_;  ///< workspace, rows of J
  std::vector<double> joint_impulse_;
};

}  // namespace stickslip
