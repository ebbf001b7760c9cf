// The contact problem as a sparse complementarity problem that keeps velocities and joint impulses.
//
// With M = L L', d = L' (v - v_free), A = J L^-T, B = G L^-T and p = base + s column z (as
// friction_variables has it):
//   d - A' p - B' c = 0                       momentum
//   B d = -(G v_free + g)                     joints
//   w = s row.(A d + J v_free + b) + ...      contacts
// A compliant joint row is a constraint on one velocity more (problem/reduced_problem); rows of B
// have length near 1 by powers of two, and those that depend on others are left out.
//
// The right side is multiplied by a power of two that brings it near 1. The unit of a pair is the
// largest contact velocity that appears before impulses, in the scale of its contact: violations in
// that unit are relative velocities, as the certificate measures them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "math/factor/sparse_lu.hpp"
#include "problem/mass_factor.hpp"
#include "problem/scaled_rows.hpp"
#include "solvers/lemke/friction_variables.hpp"
#include "solvers/lemke/mixed_lcp.hpp"

namespace stickslip {

class SparseFrictionLcp {
 public:
  using Form = FrictionVariables::Form;

  /// Sets as friction_variables has them.
  void build(Form form, const ContactProblem& problem);
  const MixedLcp& lcp() const { return lcp_; }
  const FrictionVariables& variables() const { return variables_; }

  /// Velocity and impulses of x and z. The velocity is that of x, and not what follows from the
  /// impulses: beside much heavier bodies the rounding of impulses would move a light one.
  void recover(const ContactProblem& problem, std::span<const double> x, std::span<const double> z,
               ContactSolution& solution) const;
  /// The velocity that follows from the impulses, for points that do not solve the problem.
  void balance(const ContactProblem& problem, ContactSolution& solution) const;
  /// How far z and the solution recovered from it are from satisfying the contacts.
  VelocityError velocityError(const ContactProblem& problem, std::span<const double> z,
                              const ContactSolution& solution);

 private:
  void findFreeVelocities(const ContactProblem& problem);
  void prepareJoints(const ContactProblem& problem);
  void chooseScale(const ContactProblem& problem);
  void fillFree();
  void fillImpulses();
  void fillCouplings();
  void fillRightSide(const ContactProblem& problem);
  void combine(const FrictionVariables::ConeVariables& cone, const FrictionVariables::Row& weights);
  void finishVelocity(const ContactProblem& problem, ContactSolution& solution) const;
  double rowVelocity(int variable, std::span<const double> u) const;

  MassFactor mass_;
  ScaledRows contact_rows_;
  ScaledRows joint_rows_;
  std::vector<double> joint_scale_;  ///< power of two that brings a row of B to length 1
  std::vector<int> compliant_;       ///< unknown that a compliant joint row adds, -1: rigid
  std::vector<double> softness_;     ///< sqrt(compliance)
  std::vector<int> kept_;            ///< joint rows that are independent
  std::vector<char> is_dropped_;
  SparseColumns joint_columns_;
  SparseLu joint_test_;

  FrictionVariables variables_;
  MixedLcp lcp_;
  int moving_ = 0;                  ///< velocities and those of compliant joints
  double reference_ = 0;            ///< velocity
  double scale_ = 1;                ///< of the right side
  std::vector<double> u_free_;      ///< J v_free + b
  std::vector<double> joint_free_;  ///< G v_free + g
  std::vector<double> dense_;       ///< over moving_; zero between calls
  std::vector<int> touched_;
  std::vector<double> u_;
  std::vector<double> w_;
};

}  // namespace stickslip
