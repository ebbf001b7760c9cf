// Coulomb's law at one contact while all others are held, solved exactly.
//
//   u = A p + b,  |p_t| <= p_n,  u_hat = u + |u_t| e_n in the dual cone,
//   p.u_hat = 0
//
// with A symmetric positive semidefinite of size 1 to 6 (cone.hpp). Three cases: open
// (b_n >= 0), sticking (p = -A^-1 b if that is in the cone), else sliding: u_n = 0,
// u_t = -kappa p_t, |p_t| = p_n, where kappa > 0 is the root of one scalar function. What
// depends on A alone is computed once: sweeps come back to the same contact many times.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cones/cone.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

class SingleContact {
 public:
  void prepare(ConstMatrixView A);
  /// p from b.
  void solve(std::span<const double> b, std::span<double> p) const;

 private:
  static constexpr std::size_t kMostTangents = kMostRows - 1;
  using Tangents = std::array<double, kMostTangents>;
  struct Slide;

  void diagonalize(std::array<Tangents, kMostTangents>& a);
  Slide slideAt(const Tangents& b, double n_0, double t) const;
  Slide findSlide(const Tangents& b, double n_0) const;
  void solveInPlane(double b, double n_0, std::span<double> p) const;

  // With p_n eliminated by u_n = 0 the tangential problem is, in the principal axes of its
  // matrix, p_i = -b_i / (lambda_i + kappa), p_n = n_0 + sum n_i p_i.
  std::size_t tangents_ = 0;
  double mobility_ = 0;  ///< A_nn
  double kappa_0_ = 0;   ///< the largest lambda
  Tangents lambda_{};
  Tangents n_{};
  Tangents column_{};                           ///< A_tn / A_nn
  std::array<Tangents, kMostTangents> axes_{};  ///< one principal axis a row
};

// Cones of a contact problem solved one by one while the others are held: what sweeps are made of.
// Coulomb's cones exactly (single_contact.hpp), bounded rows and joints in closed form, the rest by
// a few projected steps
//
//   p <- P_K(p - u_hat / trace),   u = A p + b,
//
// which are slow, but cannot grow.

class ConeSolves {
 public:
  void reserve(int cones, int rows);
  void clear();
  /// The next cone, with its block A of W, row-major; returns its index.
  int add(const Cone& cone, ConstMatrixView A);
  /// The block of a cone.
  ConstMatrixView block(int index) const;
  /// `p` is the old value on entry.
  void solve(int index, const Cone& cone, Law law, std::span<const double> b,
             std::span<double> p) const;

 private:
  void projectedSteps(int index, const Cone& cone, Law law, std::span<const double> b,
                      std::span<double> p) const;

  std::vector<SingleContact> contacts_;
  std::vector<double> blocks_;
  std::vector<std::size_t> first_;
  std::vector<int> rows_;
};

}  // namespace stickslip
