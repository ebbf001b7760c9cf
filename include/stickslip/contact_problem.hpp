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
#include "stickslip/friction_curve.hpp"

namespace stickslip {

/// What a contact does while it slides: Coulomb's law, or the convex relaxation of 001 and 004, in
/// which a sliding contact lifts off with the normal velocity mu |u_t|.
enum class Law { coulomb, relaxed };

/// The set K of impulses that one contact, joint limit or motor can give. Its rows are those of a
/// contact: the normal, the tangents, then the spin about the normal if there is torsional
/// friction, then the angular velocities about the tangents if there is rolling friction. Impulses
/// of the angular rows are moments times time.
struct ImpulseSet {
  enum class Kind {
    frictionless,  ///< p_n >= 0; one row
    planar,        ///< |p_t| <= mu p_n with one tangent; two rows
    elliptic,      ///< (p_1/mu)^2 + (p_2/mu_2)^2 <= p_n^2; three rows; circular if mu = mu_2
    /// p_t in p_n D, D the polygon with the corners (mu cos a_k, mu_2 sin a_k),
    /// a_k = 2 pi k / directions; three rows (003 (2.5))
    polyhedral,
    interval,  ///< lower <= p <= upper, any velocity that p cannot stop; one row, no cone
  };
  static constexpr int kMostRows = 6;

  Kind kind = Kind::frictionless;
  double mu = 0;
  double mu_2 = 0;
  int directions = 0;  ///< polyhedral: even, >= 4
  double lower = 0;    ///< interval: lower <= 0 <= upper
  double upper = 0;

  /// Torsional friction (soft finger, 000 3.1), a length; with two tangents only. Where it is > 0
  /// there is a row of spin, whose moment m shares the cone with the tangents: elliptic
  /// (p_1/mu)^2 + (p_2/mu_2)^2 + (m/torsion)^2 <= p_n^2; polyhedral: D has the corners (0,
  /// +-torsion) more.
  double torsion = 0;
  /// Rolling friction, a length. Where it is > 0 there are as many rows of rolling as tangents,
  /// whose moments are in a set of their own, |m_r| <= rolling p_n; polyhedral: in the polygon with
  /// the corners rolling (cos a_k, sin a_k).
  double rolling = 0;
  /// Friction that does not depend on the load (002 section 6): mu and mu_2 are impulses, and p_t
  /// is in the set with p_n = 1, whatever p_n is. Torsion then has a set of its own, |m| <= torsion
  /// p_n.
  bool load_independent = false;

  int tangents() const {
    if (kind == Kind::planar) return 1;
    return kind == Kind::elliptic || kind == Kind::polyhedral ? 2 : 0;
  }
  int spinRows() const { return torsion > 0 && tangents() == 2 ? 1 : 0; }
  int rollingRows() const { return rolling > 0 ? tangents() : 0; }
  /// Rows from here on are angular.
  int linearRows() const { return 1 + tangents(); }
  int dimension() const { return linearRows() + spinRows() + rollingRows(); }
};

/// Friction of a contact that depends on its sliding speed |u_t|: its set's coefficients should be
/// these, which hold at rest, times the curve's factor at that speed.
struct SpeedFriction {
  FrictionCurve curve;
  double mu = 0;
  double mu_2 = 0;
  double torsion = 0;
};

struct ContactProblem {
  BlockDiagonal M;
  std::vector<double> v_free;
  BlockRows J;                     ///< one group per contact
  std::vector<double> b;           ///< one entry per row of J
  std::vector<ImpulseSet> sets;    ///< one per group of J
  BlockRows G;                     ///< one group per joint
  std::vector<double> g;           ///< one entry per row of G
  std::vector<double> compliance;  ///< diagonal of C, one entry per row of G, >= 0
  Law law = Law::coulomb;

  /// System's id of each contact, by which a solver may find its impulse of the step before.
  std::vector<std::uint64_t> contact_id;

  /// Velocity at the start of the step: for the certificate's report, and where the solver one-step
  /// takes its sliding velocities from.
  std::vector<double> v_old;

  /// One per contact, or empty if no friction depends on the speed. Solvers take the coefficients
  /// in `sets` as they are; an iteration around them makes these agree with the speeds
  /// (src/stepping/friction_iteration.hpp).
  std::vector<SpeedFriction> speed_friction;

  // For the certificate's report only; no solver reads what follows.
  std::vector<double> gap;          ///< gap of each contact where the geometry was taken
  std::vector<double> drive;        ///< rheonomic term of each row of J
  std::vector<double> joint_gap;    ///< constraint value of each row of G
  std::vector<double> joint_drive;  ///< rheonomic term of each row of G

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
