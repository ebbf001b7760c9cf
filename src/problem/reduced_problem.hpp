// The contact problem with velocity and joint impulses eliminated: u = W p + q.
//
// With M = L L', y = L' v, A = J L^-T and B = G L^-T the momentum and joint equations read
//   y = y_free + A' p + B' c,    B y + g = 0.
// Let Q be an orthonormal basis of the rows of B and P = I - Q'Q. Then
//   y = y_free + s + P A' p,     s = y_g - Q'Q y_free,  y_g the shortest solution of B y = -g,
//   W = (A P)(A P)',             q = J v_free + b + A s.
// Only the changes s and P A' p pass through L^-T on the way back to v = v_free + L^-T (...):
// sending the whole velocity through L' and back would add rounding to it at every step, always the
// same way. W comes out symmetric positive semidefinite by construction, and redundant joints cost
// nothing: dependent rows of B are dropped, and their impulses are zero. If dependent rows
// contradict each other the joint residual of the certificate says so.
//
// A row with compliance C > 0 is a constraint on one velocity more, s = sqrt(C) c, of a unit mass
// that starts at rest: with the column sqrt(C) added to B the row G v + g + C c = 0 reads
// B (y, s) + g = 0, s = sqrt(C) c is the momentum of that mass, and everything above holds as it
// is. The rows of A are zero there.
#pragma once

#include <span>
#include <vector>

#include "math/dense/orthonormal_rows.hpp"
#include "problem/mass_factor.hpp"
#include "problem/scaled_rows.hpp"
#include "stickslip/contact_problem.hpp"

namespace stickslip {

class ReducedProblem {
 public:
  void reserve(int velocities, int contact_rows, int joint_rows);
  void reduce(const ContactProblem& problem);

  ConstMatrixView W() const { return {W_.data(), rows_, rows_}; }
  std::span<const double> q() const { return q_; }

  /// Velocity and joint impulses that belong to the contact impulses `p`.
  void recover(std::span<const double> p, ContactSolution& solution);

 private:
  void scaleRows(const BlockRows& rows, std::vector<double>& out);
  void addCompliance(std::span<const double> compliance);
  void eliminateJoints(const ContactProblem& problem);
  void multiplyRows();
  double startVelocity(int i, double free_velocity) const;
  std::span<double> rowOf(std::vector<double>& matrix, int i) const;
  std::span<const double> rowOf(const std::vector<double>& matrix, int i) const;

  int rows_ = 0;
  int velocities_ = 0;
  int width_ = 0;  ///< velocities and one column per compliant joint row
  MassFactor mass_;
  ScaledRows scaled_;
  std::vector<double> A_;        ///< rows of J L^-T
  std::vector<double> AP_;       ///< the same, projected
  std::vector<double> columns_;  ///< the columns of AP, one after the other
  std::vector<double> B_;        ///< rows of G L^-T
  OrthonormalRows joints_;
  std::vector<double> v_free_;
  std::vector<double> y_free_;  ///< L' v_free; only joints need it
  std::vector<double> shift_;   ///< s: what the joints change without contacts
  std::vector<double> change_;
  std::vector<double> r_;
  std::vector<double> W_;
  std::vector<double> q_;
};

}  // namespace stickslip
