// Coulomb's law at one contact while all others are held, solved exactly.
//
//   omega = A pi + b,  |pi_t| <= pi_n,  omega_hat = omega + |omega_t| e_n in the dual cone,
//   pi.omega_hat = 0
//
// with A symmetric positive semidefinite of size 1 to 6 (contact_law.hpp). Three cases: open
// (b_n >= 0), sticking (pi = -A^-1 b if that is in the cone), else sliding: omega_n = 0,
// omega_t = -kappa pi_t, |pi_t| = pi_n, where kappa > 0 is the root of one scalar function. What
// depends on A alone is computed once: sweeps come back to the same contact many times.
#pragma once

#include <array>
#include <span>

#include "contact/contact_law.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

class SingleContact {
 public:
  void prepare(ConstMatrixView A);
  /// pi from b.
  void solve(std::span<const double> b, std::span<double> pi) const;

 private:
  static constexpr std::size_t kMostTangents = kMostRows - 1;
  using Tangents = std::array<double, kMostTangents>;
  struct Slide;

  void diagonalize(std::array<Tangents, kMostTangents>& a);
  Slide slideAt(const Tangents& b, double n_0, double t) const;
  Slide findSlide(const Tangents& b, double n_0) const;
  void solveInPlane(double b, double n_0, std::span<double> pi) const;

  // With pi_n eliminated by omega_n = 0 the tangential problem is, in the principal axes of its
  // matrix, pi_i = -b_i / (lambda_i + kappa), pi_n = n_0 + sum n_i pi_i.
  std::size_t tangents_ = 0;
  double mobility_ = 0;  ///< A_nn
  double kappa_0_ = 0;   ///< the largest lambda
  Tangents lambda_{};
  Tangents n_{};
  Tangents column_{};                           ///< A_tn / A_nn
  std::array<Tangents, kMostTangents> axes_{};  ///< one principal axis a row
};

}  // namespace stickslip
