// A point of the central manifold of the contact law, pi o z = c e, for methods that follow the
// solutions as c shrinks.
//
// z = c pi^-1 in the Jordan algebra of the cone, so that a point is an impulse inside its cone. It
// is kept by its spectral values pi_n +- |pi_t|, each to full relative accuracy however near the
// boundary, and moves along geodesics of the cone,
//
//   pi -> P(pi^1/2) exp(u),   u the change relative to pi,
//
// which never leave it, and along which contacts that stay closed (u = 0) or open (u = d log c)
// move exactly: long steps are short ones where nothing happens. Units, and the scales of impulse
// and velocity at a contact, cancel.
//
// The velocity that belongs to z is omega = z - slip e_n with slip = |z_t|^2 / z_n (Coulomb's law):
// smooth, and |z_t| wherever the contact sticks, slides or has opened with c = 0. Newton's method on
// W pi + q = omega(z) has d_pi = rhs - S d_omega with S = G T: G = P(pi) / c, T = d z / d omega.
#pragma once

#include <array>
#include <span>

#include "contact/contact_law.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

class CentralPoint {
 public:
  /// Starts inside the set next to pi; `inside` is the least spectral value.
  void start(const ContactItem& item, std::span<const double> pi, double inside);

  /// The impulse, and the velocity that is central to it.
  void impulse(std::span<double> pi) const;
  void velocity(double c, double theta, std::span<double> omega) const;
  /// S of Newton's method, softened by eps: (G^-1 + eps)^-1 T.
  void linearize(double c, double theta, double eps, MatrixView S) const;
  /// G z = pi for cones: what d log c = 1 adds to d_pi.
  void growth(double c, double eps, std::span<double> out) const;
  /// The norm of a velocity in units of z, and what is to be added to the point: u.
  double relativeNorm(double c, double eps, std::span<const double> velocity) const;
  /// Takes a direction: d_pi, and d_omega (all of it, residual included); d_log_c with it.
  void direct(double c, double theta, double d_log_c, std::span<const double> d_pi,
              std::span<const double> d_omega, std::span<double> u) const;
  /// Moves along u.
  void move(std::span<const double> u);

 private:
  using Vector = std::array<double, kMostRows>;
  bool isCone() const { return item_.kind == ContactItem::Kind::cone || item_.kind == ContactItem::Kind::polygon; }
  bool isFree() const;
  bool nearBoundary() const { return minus_ < 0.1 * plus_; }
  void turn(std::span<const double> u);
  void moveInside(std::span<const double> u);
  Vector dual(double c) const;
  void normalSlopes(double c, double theta, double& own, Vector& tangential) const;
  double rowStiffness(double c) const;

  ContactItem item_;
  std::size_t rows_ = 0;
  double plus_ = 1;   ///< pi_n + |pi_t|; of intervals the distance to the lower bound; free: pi
  double minus_ = 1;  ///< pi_n - |pi_t|; of intervals the distance to the upper bound
  Vector axis_{};     ///< of pi_t, in the places 1 ...
};

}  // namespace stickslip
