// The contact problem of one step: the only thing that solvers see. It knows no bodies.
//
//   M (v - v_free) = J' p + G' c                    momentum
//   G v + g + C c = 0                               joints; C diagonal, 0 where they are rigid
//   u_i = J_i v + b_i                               contact velocity, normal component first
//   p_i in K_i,  u_hat_i in K_i*,  p_i.u_hat_i = 0  with u_hat = u + mu |u_t| e_n  (law coulomb)
//                                                        u_hat = u                 (law relaxed)
//
// mu |u_t| stands for the most power that friction can take per unit of p_n, whatever the set; what
// does not depend on the load adds nothing.
//
// The scheme decides what v_free, b and g are; see docs/theory.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"
#include "stickslip/detail/row_drive.hpp"
#include "stickslip/friction_curve.hpp"
#include "stickslip/impulse_sets.hpp"
#include "stickslip/law.hpp"

namespace stickslip {

/// Friction of a contact that depends on its sliding speed |u_t|: its set's coefficients should be
/// these, which hold at rest, times the curve's factor at that speed.
struct SpeedFriction {
  FrictionCurve curve;
  double mu = 0;
  double mu_2 = 0;
  double torsion = 0;
  double rolling = 0;  ///< of directions that roll (FrictionDirections); else it does not change
  /// Law `relaxed`: the contact should lift off with the integral of the coefficient over speeds up
  /// to |u_t|, not with mu |u_t|. By `extra_lift`, the difference, b_n is less.
  bool integral_lift = false;
  double extra_lift = 0;
};

/// What solvers see of a step; the equations are at the head of this file.
struct ContactProblem {
  BlockDiagonal M;
  std::vector<double> v_free;
  BlockRows J;                     ///< one group per contact
  std::vector<double> b;           ///< one entry per row of J
  ImpulseSets sets;                ///< one per group of J
  BlockRows G;                     ///< one group per joint
  std::vector<double> g;           ///< one entry per row of G
  std::vector<double> compliance;  ///< diagonal of C, one entry per row of G, >= 0
  Law law = Law::coulomb;

  /// System's id of each contact, by which a solver may find its impulse of the step before.
  std::vector<std::uint64_t> contact_id;

  /// Velocity at the start of the step: for the certificate's report, and where
  /// Method::initial_slip takes sliding speeds from.
  std::vector<double> v_old;

  /// One per contact, or empty if no friction depends on the speed. Solvers take the coefficients
  /// in `sets` as they are; an iteration around them makes these agree with the speeds
  /// (src/stepping/friction_iteration.hpp).
  std::vector<SpeedFriction> speed_friction;

  // For the certificate's report only; no solver reads what follows.
  std::vector<double> gap;          ///< gap of each contact where the geometry was taken
  std::vector<double> drive;        ///< rheonomic term of each row of J, or empty (driveOf)
  std::vector<double> joint_gap;    ///< constraint value of each row of G
  std::vector<double> joint_drive;  ///< rheonomic term of each row of G
  /// Time for which the forces act that make v_free of v_old; 0 for an impact, where it is not
  /// forces that do. [s]
  double duration = 0;

  int velocityCount() const { return M.size(); }
  int contactCount() const { return J.groupCount(); }
};

/// What a solver returns: velocity, contact impulses (rows of J), joint impulses (rows of G).
struct ContactSolution {
  std::vector<double> v;
  std::vector<double> p;
  std::vector<double> c;
};

}  // namespace stickslip
