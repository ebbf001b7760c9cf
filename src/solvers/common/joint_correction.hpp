// The last digits of joints. The certificate measures every row of a joint by the terms that are
// added in it, which may be far smaller than the velocities that an iteration has in view. With the
// contact impulses as they are, the joint impulses that make their rows exact follow from
//
//   (G M^-1 G' + C) dc = -(G v + g + C c),   dv = M^-1 G' dc
//
// by conjugate gradients with the diagonal as preconditioner: redundant joints do no harm, as the
// right side is in the range of the matrix, up to rounding. What makes nothing better is not kept.
#pragma once

#include <span>
#include <vector>

#include "stickslip/contact_problem.hpp"

namespace stickslip {

struct JointCorrectionSettings {
  /// Errors shrink by this much at most: beyond it they are rounding.
  double share = 1e-10;
  /// Errors of rounding size that redundant rows do not share lead astray; so far, and no farther:
  /// as a factor of the best error met.
  double lost = 1e4;
  /// Rows whose terms are below this part of what the fastest body could contribute are measured by
  /// that.
  double noise = 1e-6;
};

class JointCorrection {
 public:
  void reserve(int velocities, int joint_rows);
  /// Corrects c and v of `solution` if a row is off by more than `tolerance` of its terms. `L` is
  /// the Cholesky factor of M.
  void run(const ContactProblem& problem, const BlockDiagonal& L, double tolerance,
           ContactSolution& solution);

 private:
  /// Fills error_, and returns the largest one relative to the terms of its row.
  double measure(const ContactProblem& problem, const ContactSolution& solution);
  void findDiagonal(const ContactProblem& problem);
  void findSpeed(const ContactProblem& problem, const ContactSolution& solution);
  /// velocity_ = M^-1 G' x.
  void push(const ContactProblem& problem, const BlockDiagonal& L, std::span<const double> x);
  void solve(const ContactProblem& problem, const BlockDiagonal& L);

  double speed_ = 0;            ///< largest sqrt(m) |v|
  std::vector<double> masses_;  ///< diagonal of M
  std::vector<double> error_;
  std::vector<double> diagonal_;
  std::vector<double> correction_;
  std::vector<double> best_;
  std::vector<double> direction_;
  std::vector<double> image_;
  std::vector<double> velocity_;
  std::vector<double> c_before_;
  std::vector<double> v_before_;
};

}  // namespace stickslip
