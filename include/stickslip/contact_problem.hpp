// The contact problem of one step: the only thing that solvers see. It knows no bodies.
//
//   M (v - v_free) = J' p + G' c                    momentum
//   G v + g = 0                                     joints
//   u_i = J_i v + b_i                               contact velocity, normal component first
//   p_i in K_i,  u_hat_i in K_i*,  p_i.u_hat_i = 0  with u_hat = u + mu |u_t| e_n  (Coulomb)
//
// The scheme decides what v_free, b and g are; see docs/theory.md.
#pragma once

#include <span>
#include <vector>

#include "stickslip/block_matrix.hpp"

namespace stickslip {

/// The friction cone K of one contact.
struct FrictionCone {
  enum class Kind {
    frictionless,  ///< p_n >= 0; one row
    planar,        ///< |p_t| <= mu p_n with one tangent; two rows
  };
  Kind kind = Kind::frictionless;
  double mu = 0;

  int dimension() const { return kind == Kind::planar ? 2 : 1; }
};

struct ContactProblem {
  BlockDiagonal M;
  std::vector<double> v_free;
  BlockRows J;            ///< one group per contact
  std::vector<double> b;  ///< one entry per row of J
  std::vector<FrictionCone> cones;
  BlockRows G;            ///< one group per joint
  std::vector<double> g;  ///< one entry per row of G

  // For the certificate's report only; no solver reads what follows.
  std::vector<double> v_old;        ///< velocity at the start of the step
  std::vector<int> contact_id;      ///< System's id of each contact
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
