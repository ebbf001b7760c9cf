// Newton's linear systems for the pairs of an island,
//
//   (diag(a) + H) dz + C d_u = rho,   d_u = W B dz,
//
// with a = w/z on a smoothed path, plus whatever a proximal term adds. Every cone is eliminated by
// itself, which gives its block of S in delassus.hpp. For friction, with i = 1/a, i_c and i_k those
// of c and beta_k, a_l that of lambda, x = sum i_k, y = sum i_k d_k and D = a_l + x:
//
//   S_nn = i_c    S_nt = 0    S_tn = i_c y / D
//   S_tt = (a_l sum i_k d_k d_k' + sum_{k<l} i_k i_l (d_k - d_l)(d_k - d_l)') / D,
//
// sums of positive terms on the diagonal: nothing cancels, however small the a of a sticking
// contact.
#pragma once

#include <span>
#include <vector>

#include "solvers/exact/law_pairs.hpp"

namespace stickslip {

class PairSystem {
 public:
  /// `a` has one positive entry for each pair and free variable. False if the matrix is singular
  /// to rounding.
  bool factor(const LawPairs& pairs, Delassus& W, std::span<const double> a);
  /// What is left of the linear system is returned, relative to the terms in it.
  double solve(std::span<const double> rho, std::span<double> dz);
  /// The sign of the determinant of the whole system.
  int determinantSign() const { return W_->determinantSign(); }

 private:
  using Item = LawPairs::Item;
  void eliminateFriction(const Item& cone, double* S);
  void eliminatePlanarFriction(const Item& cone, double* S);
  void solveItems(std::span<const double> rho, std::span<double> dz) const;
  void solveFriction(const Item& cone, const double* rho, double* dz) const;

  const LawPairs* pairs_ = nullptr;
  Delassus* W_ = nullptr;
  std::vector<double> inverse_;  ///< 1 / a; 1 / D in the place of lambda
  std::vector<double> a_;
  std::vector<double> S_;
  std::vector<double> r_;
  std::vector<double> none_;
  std::vector<double> rho_;
  std::vector<double> d_p_;
  std::vector<double> d_u_;
};

}  // namespace stickslip
