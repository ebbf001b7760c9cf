// A point of the central manifold of the contact law, p o z = c e, for methods that follow the
// solutions as c shrinks.
//
// z = c p^-1 in the Jordan algebra of the cone, so that a point is an impulse inside its cone. It
// is kept by its spectral values p_n +- |p_t|, each to full relative accuracy however near the
// boundary, and moves along geodesics of the cone,
//
//   p -> P(p^1/2) exp(u),   u the change relative to p,
//
// which never leave it, and along which contacts that stay closed (u = 0) or open (u = d log c)
// move exactly: long steps are short ones where nothing happens. Units, and the scales of impulse
// and velocity at a contact, cancel.
//
// The velocity that belongs to z is u = z - slip e_n with slip = |z_t|^2 / z_n (Coulomb's law):
// smooth, and |z_t| wherever the contact sticks, slides or has opened with c = 0. Newton's method
// on W p + q = u(z) has d_p = rhs - S d_u with S = G T: G = P(p) / c, T = d z / d u.
#pragma once

#include <array>
#include <span>

#include "cones/cone.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

class CentralPoint {
 public:
  /// Starts inside the set next to p; `inside` is the least spectral value.
  void start(const Cone& cone, std::span<const double> p, double inside);

  /// The impulse, and the velocity that is central to it.
  void impulse(std::span<double> p) const;
  void velocity(double c, std::span<double> u) const;
  /// S of Newton's method, softened by eps: (G^-1 + eps)^-1 T.
  void linearize(double c, double eps, MatrixView S) const;
  /// G z = p for cones: what d log c = 1 adds to d_p.
  void growth(double c, double eps, std::span<double> out) const;
  /// The norm of a velocity in units of z, and what is to be added to the point: u.
  double relativeNorm(double c, double eps, std::span<const double> velocity) const;
  /// Takes a direction: d_p, and d_u (all of it, residual included); d_log_c with it.
  void direct(double c, double d_log_c, std::span<const double> d_p, std::span<const double> d_u,
              std::span<double> u) const;
  /// Moves along u.
  void move(std::span<const double> u);

 private:
  using Vector = std::array<double, kMostRows>;
  bool isCone() const {
    return cone_.kind == Cone::Kind::lorentz || cone_.kind == Cone::Kind::polygon;
  }
  bool isFree() const;
  bool nearBoundary() const { return minus_ < 0.1 * plus_; }
  void turn(std::span<const double> u);
  void moveInside(std::span<const double> u);
  Vector dual(double c) const;
  void normalSlopes(double c, double& own, Vector& tangential) const;
  double rowStiffness(double c) const;

  Cone cone_;
  std::size_t rows_ = 0;
  double plus_ = 1;   ///< p_n + |p_t|; of intervals the distance to the lower bound; free: p
  double minus_ = 1;  ///< p_n - |p_t|; of intervals the distance to the upper bound
  Vector axis_{};     ///< of p_t, in the places 1 ...
};

}  // namespace stickslip
