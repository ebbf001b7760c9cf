// The certificate of a step: how well a solution satisfies its contact problem, and what the step
// did to energy, gaps and joints. Computed from problem and solution alone by code that shares
// nothing with the solvers. A solver's own word is never the status of a step; this is.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "stickslip/local_problem.hpp"
#include "stickslip/step_workspace.hpp"

namespace stickslip {

/// How well a solution satisfies its problem, and what the step did to energy, gaps and joints.
struct Certificate {
  /// max_i |p_i - P_K(p_i - rho_i u_hat_i)| / rho_i, rho_i = dim / trace(J_i M^-1 J_i'), relative
  /// to the largest |J_i v_free + b_i|. Dimensionless.
  double residual = 0;
  /// |p - P_K(p - u_hat)| / |J v_free + b| over all contacts, as FCLIB defines it (its value
  /// depends on units; kept for comparison with that library's problems).
  double fclib_error = 0;
  /// Worst row of M (v - v_free) - J' p - G' c relative to the terms that were added in it.
  double momentum_residual = 0;
  /// Worst row of G v + g + C c relative to the terms that were added in it.
  double joint_residual = 0;

  /// Schemes that take the geometry at the end of the step: the last change of the velocity that
  /// the geometry follows, relative to the largest of the velocities old, free and new in the
  /// kinetic norm.
  double geometry_residual = 0;

  /// Friction that depends on the sliding speed: the largest |mu - mu(s)| / mu(0) of a contact, mu
  /// being the coefficient that the solution was found with, and s its sliding speed or another
  /// that differs by no more than the error of the contact's own law.
  double friction_residual = 0;

  /// Energy that contacts and joints put in beyond what the law, and the drift that is taken back,
  /// allow, relative to the largest kinetic energy of the step. The Stepper's, which keeps an
  /// account over its steps (src/stepping/energy_account.hpp).
  double energy_residual = 0;

  double worst_gap = 0;    ///< most negative gap where the geometry was taken, 0 if none [length]
  double joint_drift = 0;  ///< largest |constraint value| of a joint, in the joint's own unit

  double kinetic_energy_start = 0;  ///< v_old.M v_old / 2
  double kinetic_energy_free = 0;   ///< v_free.M v_free / 2: what [AP97] Thm 2.3 compares with
  double kinetic_energy_end = 0;    ///< v.M v / 2
  /// Energy that contacts and joints put in, measured in their own (driven) frames; negative when
  /// they dissipate; compliant joints, which are springs, left out. Kinetic energy grows by this,
  /// the work of the forces and that of the drives.
  double contact_work = 0;
  /// |v_free - v_old|^2_M / 2, what springs do included: kinetic energy that forces give to what is
  /// at rest, within the step.
  double forced_energy = 0;
  /// Most energy that contacts put in because overlaps are taken back: sum of p_n times the
  /// velocity in b_n for that.
  double overlap_work = 0;

  /// Relaxed law: the largest normal velocity mu |u_t| that it gives to a loaded contact because it
  /// slides; Coulomb's law gives none. [velocity]
  double lift = 0;

  /// False if the impulses that can act without changing v are linearly dependent, so that another
  /// set of impulses may give the same motion; or if finding out would take too long, or the
  /// residual is above 1e-6, which is too rough to tell which contacts carry load. Contacts whose
  /// velocity is below the residual may carry some.
  bool impulses_unique = true;
  /// False if the solution holds a number that is not finite; nothing else is then meaningful.
  bool finite = true;

  /// Makes this the certificate of two stages of a step, the second of which is `later`: the worst
  /// of both, the energies at the ends, the work of all.
  void add(const Certificate& later);
  /// True if the solution satisfies its problem as solvers see it: contact law, momentum, joints.
  bool lawHolds(double tolerance) const;
  /// True if every residual is at most `tolerance`.
  bool holds(double tolerance) const;
  /// The largest of the relative residuals; infinite if the solution is not finite.
  double worstResidual() const;
  /// The name of that residual, as members have it; "finite" if the solution is not.
  std::string_view worstName() const;
};

/// The certificate of a problem without bodies: residual and fclib_error; momentum is balanced by
/// the form of the problem, and nothing is said about energy and uniqueness.
Certificate certifyLocal(const LocalProblem& problem, std::span<const double> p);

/// Computes certificates. Has a workspace of its own, and does without most of it if it is handed
/// one that others use in between.
class Certifier {
 public:
  Certifier();
  ~Certifier();
  Certifier(Certifier&&) noexcept;
  Certifier& operator=(Certifier&&) noexcept;

  /// Makes room, so that certifying problems of up to these sizes allocates nothing.
  void reserve(std::size_t velocities, std::size_t contact_rows, std::size_t joint_rows);
  Certificate certify(const ContactProblem& problem, const ContactSolution& solution);
  Certificate certify(const ContactProblem& problem, const ContactSolution& solution,
                      StepWorkspace& workspace);
  /// The residuals of the problem as solvers see it, with constant coefficients of friction, and
  /// nothing about energy, gaps and uniqueness.
  Certificate residuals(const ContactProblem& problem, const ContactSolution& solution);
  Certificate residuals(const ContactProblem& problem, const ContactSolution& solution,
                        StepWorkspace& workspace);

  /// Of the solution last certified: each contact's part of Certificate::residual.
  std::span<const double> contactResiduals() const;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> work_;
};

}  // namespace stickslip
