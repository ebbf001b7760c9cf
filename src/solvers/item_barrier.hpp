// One item in an interior point method, made of cones that share their normal impulse.
//
// An item of sections g has pi_g = (pi_n, x_g) in one cone for each, and in the dual cones z_g
// whose normal parts add up: omega_n = sum s_g, z_g = (s_g + slip_g, omega_g). With d_pi_g = r_g -
// S_g e_g of each cone (coulomb_barrier.hpp), where d_pi_n is the same for all and the e_gn add up
// to that of the item, the e_gn are eliminated: with w_g = 1 / S_g,nn
//
//   d_pi_n = (sum w_g (r_gn - S_g,nt e_gt) - e_n) / sum w_g,   e_gn = w_g (r_gn - S_g,nt e_gt -
//   d_pi_n).
//
// Friction with a fixed bound is a cone whose normal impulse is that bound: d_pi_n = 0. Polygons
// are the circles about their corners here: near enough for a start. Other items are one cone, as
// is.
#pragma once

#include <array>
#include <span>

#include "solvers/coulomb_barrier.hpp"

namespace stickslip {

class ItemBarrier {
 public:
  // As in CoulombBarrier.
  void enter(const ContactItem& item, Law law, std::span<const double> pi,
             std::span<const double> omega, double impulse, double velocity);
  int degree() const;
  double gap() const;
  void impulse(std::span<double> pi) const;
  void scale(double delta, MatrixView S);
  void aim(double mu, double correction, std::span<const double> omega, std::span<double> r,
           std::span<double> residual);
  double direct(std::span<const double> d_pi, std::span<const double> d_omega);
  void move(double step);

 private:
  static constexpr std::size_t kConeRows = 1 + kMostFrictionRows;
  using ConeVector = std::array<double, kConeRows>;
  struct Cone {
    CoulombBarrier barrier;
    std::size_t first = 1;  ///< of its friction, in the item
    std::size_t rows = 0;   ///< of friction
    std::array<ConeVector, kConeRows> S{};
    ConeVector r{};
  };
  bool isPlain() const { return item_.isPlain(); }
  bool isFixed() const { return item_.kind == ContactItem::Kind::fixed; }
  /// S_g,nt e_gt, with e_gt the part of d_omega.
  static double across(const Cone& cone, std::span<const double> d_omega);
  void scaleFixed(MatrixView S);
  void scaleSections(MatrixView S);

  ContactItem item_;
  std::size_t count_ = 0;
  std::array<Cone, kMostSections> cones_;
  double weight_ = 1;  ///< sum of w_g
};

}  // namespace stickslip
