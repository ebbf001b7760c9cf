// The central path of Coulomb's law followed through its folds: for problems on which methods that
// only go down get stuck.
//
//   W p + q + t d = u(z),   p o z = c e,   c = kappa t        (CentralPoint)
//
// with d > 0 in normal directions only. For large t the one solution is z = t d, p = kappa / d;
// for t -> 0 the path ends in a solution of Coulomb's law. In between t need not be monotone. The
// path is followed by its length in relative changes of impulses, velocities and t: a predictor
// along the tangent, then Newton steps across it, as far as the change is small. The sign of the
// determinant tells which way is onwards (Allgower & Georg, Numerical Continuation Methods, 1990).
// This is the smoothed form of the path of Lemke's method, with cones in place of pairs.
//
// Rounding in impulses that move nothing is kept small by a weight eps beside W. It makes Newton's
// steps inexact, and where W is nearly singular too much of it lets them diverge; it grows only
// when the path is lost otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cones/cone.hpp"
#include "solvers/common/iterate.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

// A point of the central manifold of the contact law, p o z = c e, which moves as c shrinks.
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

struct CentralPathSettings {
  /// t at the beginning, in units of the largest velocity there; Newton steps to get there, and how
  /// near they must come.
  double far_away = 30;
  int first_steps = 30;
  double near_enough = 0.1;
  /// Residual that needs no correction; a correction after which none is needed, and the tangent is
  /// still good; a smaller one after which rounding may keep the residual as large as it likes.
  double on_path = 2e-3, small = 0.02, tiny = 2e-3;
  int corrections = 5;
  /// A correction that leaves the neighbourhood; corrections of a step in all: this part of it, and
  /// what an earlier point may be off the path.
  double largest = 2, share = 0.6, allowance = 0.03;
  /// Steps in relative changes, and by what they change after an easy step, a hard one, a failure.
  double first_step = 1, longest_step = 2, shortest_step = 1e-6;
  double longer = 1.6, shorter = 0.7, rejected = 0.35;
  int tries = 11;
  /// The weight beside W, and where it ends to grow.
  double first_eps = 1e-12, most_eps = 1e-8;
};

class CentralPath {
 public:
  /// Goes to the beginning of a path; `seed` chooses d. False if it cannot be reached.
  bool start(Search& search, double kappa, std::uint64_t seed);
  enum class Outcome { arrived, lost, limit };
  /// Follows the path until c is below `end`, or for so many factorizations.
  Outcome follow(Search& search, double end, std::int64_t limit);
  std::span<const double> impulses() const { return p_; }

 private:
  CentralPathSettings settings_;
  double c() const { return kappa_ * t_; }
  void placePoints(const ScaledIsland& island, std::uint64_t seed);
  void evaluate(const ScaledIsland& island);
  bool linearize(Search& search);
  void solveFor(ScaledIsland& island, std::span<const double> r, std::span<const double> s,
                double d_log_c, std::span<double> u);
  void lookAhead(ScaledIsland& island);
  void move(const ScaledIsland& island, double step, std::span<const double> u, double d_log_t);
  double newtonStep(ScaledIsland& island, bool across);
  bool reachPath(Search& search);
  bool correct(Search& search);
  bool turnTangent(Search& search);
  bool advance(Search& search);

  double kappa_ = 0;
  double t_ = 0;
  double eps_ = 0;
  double step_ = 0;
  int orientation_ = 0;  ///< sign of the determinant where t falls; 0: not known yet
  std::vector<double> d_;

  // Where the path is, W p + q + t d - u there, and its largest relative value.
  std::vector<CentralPoint> points_;
  std::vector<double> p_;
  std::vector<double> velocity_;
  std::vector<double> residual_;
  double norm_ = 0;

  std::vector<CentralPoint> before_;
  double moved_ = 0;           ///< by the last correction
  bool current_ = false;       ///< ahead_ and the factorization are those of this point, or nearly
  std::vector<double> ahead_;  ///< change along the path for d log t = 1
  std::vector<double> tangent_;
  double tangent_t_ = 0;  ///< d log t that belongs to the tangent
  std::vector<double> correction_;
  std::vector<double> S_;
  std::vector<double> r_;
  std::vector<double> s_;
  std::vector<double> u_;
  std::vector<double> d_p_;
  std::vector<double> d_velocity_;
};

}  // namespace stickslip
