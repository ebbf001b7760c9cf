// Scheme `position`: constraints on the positions at the end of the step, linearized.
// [ST00] (3)-(4), [A06] (5.1)-(5.5), [AH04] (2.6)-(2.7).
//
//   M (v - u) = h k(q, u) + J' p + G' c,    q_new = q + h v
//   0 <= gap/h + n.v  compl.  p_n >= 0      so that the linearized gap at q_new is not negative
//   0  = joint gap/h + G v
//
// In the terms of the contact problem: b = w_hat, and gap/h for normals; g likewise. Active are
// contacts with a gap of at most `margin`, [A06] (5.2), or, if none is given, those that velocities
// can close. Where the solution closes others, the problem is solved again with these
// (active_contacts.hpp), at most kMostRounds times; if the solver has a fixed cost once, or never
// with a margin. Gaps of either sign stay in b: overlaps are taken back (constraint stabilization,
// [A06] Theorem 6.1), those of size h^2 that linearizing leaves within one step. The velocity that
// takes an overlap back stays in the state, so that a deep one, of a scene's start, must not be
// taken back at once: with gap/h a box 20 um in the floor leaves it at 20 m/s if h is 1 us. No
// contact is pushed out faster than it approaches or leaves, or kPushByMotion of its motion (all of
// it if implicit, where b_n also has what linearizing at the other end of the step leaves), plus
// kPushByForces of what forces change its velocity by within the step, in any direction: a deep
// overlap accelerates by 2 g.
//
// Implicit ([ST00] 3.4): M, n, D and gaps at the new position. From an iterate v_k these are taken
// at q_k = q + h v_k; the first is the solution with the geometry at q, which knows what is on the
// way (from u the geometry would be that behind a thin wall). With gap(q + h v) = gap(q_k) + h n.(v
// - v_k) to first order, b_n = gap(q_k)/h - n.v_k. Overlaps are then of second order in v - v_k,
// but M, n and D, and with them v, are off by the first order. The iteration therefore ends when v
// has changed by less than the method's tolerance, relative to the largest of the velocities old,
// free and new in the kinetic norm; the last change is the certificate's. After kPlain iterations,
// when contacts have mostly settled, Anderson's mixing in coordinates sqrt(M_kk) v_k makes the most
// of the last few changes; after kMixed only half of each change is made, which ends a hopping
// between two sets of contacts. Where nothing settles in kMostIterations the iterate that changed
// least is the answer.
//
// Restitution is Newton's, for fixed steps: a contact that the free motion would close bounces at
// once, b_n = min(gap/h, e gamma_old), hence up to one step too early, an error of order h as those
// of the positions; tangents likewise with their own e. Contacts slower than `rest_speed` do not.
//
// What may be given up where a step has no solution: restitution, and then b_n = max(gap/h, 0)
// beside the drives; [AH04] proves a solution for gaps that are not negative.
//
// Springs are taken at the end of the step, impulse -h (k x_new + c gamma), the force of
// prestressed elements is that of x_new, too. Bodies that spin coast for h before impulses act.
//
// With h = 0 this is a pure impact: contacts with gaps <= 0, b = w_hat + e gamma_old, nothing
// moves.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "stepping/active_contacts.hpp"
#include "stepping/anderson.hpp"
#include "stickslip/problem_builder.hpp"
#include "stickslip/scheme.hpp"

namespace stickslip {

class PositionScheme final : public Scheme {
 public:
  PositionScheme(const Method& method, const SolverTraits& solver);

  std::string_view name() const override { return "position"; }
  void reserve(const System& system, ContactProblem& problem) override;
  void formulate(const System& system, const State& state, double h,
                 ContactProblem& problem) override;
  bool concede(std::span<const Concession> contacts, std::span<const Concession> joints,
               ContactProblem& problem) override;
  StageEnd conclude(const System& system, const ContactSolution& solution,
                    ContactProblem& problem) override;
  void advance(const System& system, double h, std::span<const double> v, State& state) override;
  SchemeReport report() const override { return report_; }

 private:
  void formulateAtIterate(const System& system, ContactProblem& problem);
  /// Where geometry is taken.
  Configuration geometryPlace() const {
    return at_end_ ? Configuration{t_ + h_, q_iterate_} : Configuration{t_, q_};
  }
  void contacts(const System& system, ContactProblem& problem);
  /// Velocities of one contact's rows.
  struct RowMotion {
    std::array<double, ImpulseSet::kMostRows> old{};   ///< at the start of the step
    std::array<double, ImpulseSet::kMostRows> free{};  ///< without impulses
    double terms = 0;  ///< sum of the magnitudes that make up the normal one of the start
  };

  RowMotion motionOf(int i, const ContactProblem& problem) const;
  void setOffset(int i, Concession given_up, ContactProblem& problem) const;
  double fastestPush(int i, const RowMotion& motion, const ContactProblem& problem) const;
  void bounce(const ContactParameters& law, int i, const RowMotion& motion,
              ContactProblem& problem) const;
  void prestress(ContactProblem& problem);
  void joints(const System& system, ContactProblem& problem);
  StageEnd formulateAgain(const System& system, ContactProblem& problem);
  StageEnd concludeAtStart(const System& system, const ContactSolution& solution,
                           ContactProblem& problem);
  double relativeChange(const ContactProblem& problem, std::span<const double> v);
  void followChange(double change);
  void improveIterate(std::span<const double> v, const ContactProblem& problem);

  ActiveContacts watch_;
  bool implicit_;
  double correction_;
  bool full_push_;
  double rest_speed_;
  std::int64_t most_rounds_;
  double tolerance_;

  // The step: from (t_, q_), with the velocity v_old of the problem before impulses act.
  double h_ = 0;
  double t_ = 0;
  std::span<const double> q_;  ///< of the state at its start
  // Whether geometry is taken at the end of the step already, and where that is: q_ + h v_iterate_.
  bool at_end_ = false;
  std::vector<double> q_iterate_;
  std::vector<double> v_iterate_;
  std::vector<double> v_best_;  ///< the iterate that changed least,
  double least_change_ = 0;     ///< by so much
  SchemeReport report_;
  double first_change_ = 0;

  std::vector<double> gamma_joints_;  ///< of the iterate; 0 if geometry is taken at q_
  std::vector<double> b_before_;
  std::vector<double> difference_;
  AndersonMixing mixing_;
  std::vector<double> mass_root_;     ///< sqrt(M_kk), where mixing began
  std::vector<double> mixed_;         ///< iterate, and
  std::vector<double> mixed_change_;  ///< its change, in these coordinates
};

}  // namespace stickslip
