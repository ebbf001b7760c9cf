// One cone in an interior point method, made of cones that share their normal impulse.
//
// An cone of sections g has p_g = (p_n, x_g) in one section for each, and in the dual cones z_g
// whose normal parts add up: u_n = sum s_g, z_g = (s_g + slip_g, u_g). With d_pi_g = r_g -
// S_g e_g of each section (coulomb_barrier.hpp), where d_pi_n is the same for all and the e_gn add
// up to that of the cone, the e_gn are eliminated: with w_g = 1 / S_g,nn
//
//   d_pi_n = (sum w_g (r_gn - S_g,nt e_gt) - e_n) / sum w_g,   e_gn = w_g (r_gn - S_g,nt e_gt -
//   d_pi_n).
//
// Friction with a fixed bound is a section whose normal impulse is that bound: d_pi_n = 0. Polygons
// are the circles about their corners here: near enough for a start. Other cones are one section,
// as is.
#pragma once

#include <array>
#include <span>

#include "solvers/interior_point/coulomb_barrier.hpp"

namespace stickslip {

class ItemBarrier {
 public:
  // As in CoulombBarrier.
  void enter(const Cone& cone, Law law, std::span<const double> p, std::span<const double> u,
             double impulse, double velocity);
  int degree() const;
  double gap() const;
  void impulse(std::span<double> p) const;
  void scale(double delta, MatrixView S);
  void aim(double mu, double correction, std::span<const double> u, std::span<double> r,
           std::span<double> residual);
  double direct(std::span<const double> d_p, std::span<const double> d_u);
  void move(double step);

 private:
  static constexpr std::size_t kConeRows = 1 + kMostFrictionRows;
  using ConeVector = std::array<double, kConeRows>;
  struct Section {
    CoulombBarrier barrier;
    std::size_t first = 1;  ///< of its friction, in the cone
    std::size_t rows = 0;   ///< of friction
    std::array<ConeVector, kConeRows> S{};
    ConeVector r{};
  };
  bool isPlain() const { return cone_.isPlain(); }
  bool isFixed() const { return cone_.kind == Cone::Kind::load_independent; }
  /// S_g,nt e_gt, with e_gt the part of d_u.
  static double across(const Section& section, std::span<const double> d_u);
  void scaleFixed(MatrixView S);
  void scaleSections(MatrixView S);

  Cone cone_;
  std::size_t count_ = 0;
  std::array<Section, kMostSections> sections_;
  double weight_ = 1;  ///< sum of w_g
};

}  // namespace stickslip
