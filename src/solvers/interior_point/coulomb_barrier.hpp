// One cone or row in an interior point method: strictly inside its cone both p and z, which
// approaches u_hat. Items with several cones are made of these (item_barrier.hpp).
//
// A Newton step on p o z = mu e with the scaling of Nesterov and Todd (1997), H with H z = H^-1 p
// = lambda, and z = u + |z_t| e_n solves
//
//   d_p = r - S d_u,   d_u = W d_p + (u + |z_t| e_n - z),
//
// S = (H^-2 + delta)^-1 T, where T = d z / d u adds the slope of the slip and makes S
// nonsymmetric (with the relaxed law there is no slip, and T = 1); delta keeps the step finite
// where contacts say the same twice. H^2 is kept by its eigenvalues, which stay positive where the
// entries of the matrix lose it to rounding. Intervals have two such products, and joints none.
#pragma once

#include <array>
#include <span>

#include "cones/cone.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

class CoulombBarrier {
 public:
  /// Inside the set next to p, z inside next to u_hat, spectral values at least these.
  void enter(const Cone& cone, Law law, std::span<const double> p, std::span<const double> u,
             double impulse, double velocity);
  /// Gives p another normal component, and makes the others shorter unless they are inside by so
  /// much, or half of it.
  void setNormal(double p_n, double margin);
  double normal() const { return p_[0]; }
  /// The normal velocity that belongs to z.
  double normalVelocity() const { return z_[0] - slip(); }
  int degree() const { return degree_; }
  double gap() const;
  void impulse(std::span<double> p) const;
  /// Fills S.
  void scale(double delta, MatrixView S);
  /// Fills r for a step towards mu and the residual of the velocity, with the second-order terms of
  /// the last direction times `correction`.
  void aim(double mu, double correction, std::span<const double> u, std::span<double> r,
           std::span<double> residual);
  /// Takes the solution of the linear system: how many times the way to the boundary it goes.
  double direct(std::span<const double> d_p, std::span<const double> d_u);
  void move(double step);

 private:
  using Vector = std::array<double, kMostRows>;
  /// An impulse between bounds: distance to one of them, and the velocity that it holds off.
  struct Side {
    bool bounded = false;
    double distance = 1;
    double z = 0;
    double target = 0;  ///< of their product
    double d_z = 0;
    double second = 0;
  };
  bool isCone() const {
    return cone_.kind == Cone::Kind::lorentz || cone_.kind == Cone::Kind::polygon;
  }
  double slip() const;
  Vector spectral(double plus, double minus, double across, const Vector& x) const;
  void scaleRow(MatrixView S);
  void scaleCone(MatrixView S);
  Vector velocityChange(std::span<const double> d_u) const;
  double directRow(double d_p);

  Cone cone_;
  Law law_ = Law::coulomb;
  std::size_t rows_ = 0;
  int degree_ = 0;
  double delta_ = 0;
  Vector p_{};
  Vector z_{};
  Vector d_p_{};
  Vector d_z_{};
  Vector second_{};
  Vector lambda_{};
  Vector axis_{};  ///< of the scaling point, in the places 1 ...
  double eta_ = 1;
  double stretch_ = 1;  ///< eigenvalues of H are eta stretch, eta / stretch and eta
  Side lower_;
  Side upper_;
};

}  // namespace stickslip
