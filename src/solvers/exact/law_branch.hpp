// The law of one cone as a normal map, by branches, on the way from a convex law to Coulomb's.
//
// The unknown is x = p - u_hat: p = P_K(x) and u_hat = p - x obey the law for any x, and
//
//   u_t = u_hat_t,   u_n = u_hat_n - (1 - theta) held - theta slip(u_hat_t)
//
// is the velocity that belongs to it: with theta = 1 that of Coulomb's law, with theta = 0 that of
// the relaxed law whose normal velocity is shifted by the constant `held`. Wherever p is not zero
// the slip is u_hat_n.
//
// P_K and the slip are smooth in pieces. A branch is one of these pieces, continued beyond its
// region: a path that arrives at a border needs the derivatives of the side that it goes to.
//
//   constant  p = 0, or the lower bound of an interval; upper: the upper bound
//   free      p = x: sticking contacts, joints, intervals between their bounds
//   side      p on the boundary of the cone: the round side, or an edge or a face of a polyhedron
#pragma once

#include <span>

#include "cones/cone.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

struct LawBranchSettings {
  /// Relative to x: nearer to a border than this a point is on it. Well above the rounding of a
  /// point that was put there, well below the steps of a path.
  double on_border = 1e-11;
};

struct LawBranch {
  static constexpr LawBranchSettings kSettings{};
  enum : int { constant, free, side };  ///< sides of polyhedra: side, side + 1, ...

  /// How much of Coulomb's law there is, and the slip that is held in the rest of it.
  struct Mixture {
    double theta = 0;
    double held = 0;
  };

  /// Cones, polygons, intervals and joints have branches.
  static bool covers(const Cone& cone) { return cone.isPlain(); }
  static int at(const Cone& cone, std::span<const double> x);
  /// p does not change with x, so that x follows from u.
  static bool isConstant(const Cone& cone, int branch);

  /// p and u at x; returns d u_n / d theta.
  static double evaluate(const Cone& cone, int branch, Mixture law, std::span<const double> x,
                         std::span<double> p, std::span<double> u);
  /// x at which u is the velocity, for constant branches; returns d u_n / d theta.
  static double invert(const Cone& cone, int branch, Mixture law, std::span<const double> u,
                       std::span<double> x);
  /// D = dp/dx and B = -du/dx.
  static void linearize(const Cone& cone, int branch, double theta, std::span<const double> x,
                        MatrixView D, MatrixView B);

  /// Where x + s d leaves the region of the branch, s >= 0, and the branch beyond.
  struct Exit {
    double s = 0;
    int branch = 0;
  };
  static Exit exit(const Cone& cone, int branch, std::span<const double> x,
                   std::span<const double> d);
};

}  // namespace stickslip
