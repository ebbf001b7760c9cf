// The contact laws of an island as a linear complementarity problem in standard form, cone by cone,
// for laws that are polyhedral: cones with one or two rows, polygons, intervals, joints.
//
//   z >= 0,  w >= 0,  z.w = 0,   p = base + B z,   w = C u + H z + h
//
//   normal   z = c:                  w = u_n,                                    p_n = c
//   friction z = (c, lambda, beta):  w = (u_n,                                   [AP97] (2.13)
//                                         c - sum beta,
//                                         d_k.u_t + lambda ...),   p = (c, sum d_k beta_k)
//   interval z = (p - lower, u_-):  w = (u + u_-, upper - p), [GS05]'s relay; with one infinite
//                                    bound the second pair falls away
//   joint    a free variable z = p with w = u = 0, behind all pairs
//
// Units: E makes E z comparable to w, and `weight` is what the product z w of a pair is measured
// by.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "problem/scaled_island.hpp"

namespace stickslip {

class LawPairs {
 public:
  struct Item {
    enum class Kind { friction, above, below, between, fixed, free };
    Kind kind = Kind::fixed;
    int row = 0;         ///< first of the island's rows
    int tangents = 0;    ///< friction: 1 or 2
    int first = 0;       ///< pair, or free variable
    int directions = 0;  ///< friction: how many
    int first_direction = 0;
    double base = 0;   ///< p where z = 0
    double range = 0;  ///< between: upper - lower
  };

  /// True if this form of the laws exists.
  static bool covers(const ScaledIsland& island);
  void build(const ScaledIsland& island);

  std::span<const Item> cones() const { return cones_; }
  const double* directionsOf(const Item& cone) const {
    return directions_.data() + cone.first_direction;
  }
  /// Complementary pairs; free variables follow behind.
  int pairCount() const { return pairs_; }
  int size() const { return static_cast<int>(E_.size()); }
  std::span<const double> E() const { return E_; }
  std::span<const double> weight() const { return weight_; }
  /// True for the pairs whose w is the normal velocity of a contact, or that of a bounded row.
  bool isMain(int pair) const { return main_[pair]; }

  void impulses(std::span<const double> z, std::span<double> p) const;
  /// w = C u + H z + h.
  void velocities(std::span<const double> u, std::span<const double> z, std::span<double> w) const;
  /// rho -= C u.
  void subtractVelocities(std::span<const double> u, std::span<double> rho) const;
  /// p += B z.
  void addImpulses(std::span<const double> z, std::span<double> p) const;

 private:
  void addItem(const Cone& source, const ScaledIsland& island);
  void addInterval(const Cone& source, Item cone);
  void addDirections(const Cone& source, Item& cone);
  void addPair(double E, double weight, bool main);

  int pairs_ = 0;
  std::vector<Item> cones_;
  std::vector<double> directions_;  ///< tangents x directions, one direction after the other
  std::vector<double> E_;
  std::vector<double> weight_;
  std::vector<bool> main_;
  std::vector<double> free_E_;
};

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
