// The contact laws of an island as a linear complementarity problem in standard form, item by item,
// for laws that are polyhedral: cones with one or two rows, polygons, intervals, joints.
//
//   z >= 0,  w >= 0,  z.w = 0,   pi = base + B z,   w = C omega + H z + h
//
//   normal   z = c:                  w = omega_n,                                    pi_n = c
//   friction z = (c, lambda, beta):  w = (omega_n - theta lambda,                    003 (2.13)
//                                         c - sum beta,
//                                         d_k.omega_t + lambda ...),   pi = (c, sum d_k beta_k)
//   interval z = (pi - lower, u_-):  w = (omega + u_-, upper - pi), 002's relay; with one infinite
//                                    bound the second pair falls away
//   joint    a free variable z = pi with w = omega = 0, behind all pairs
//
// theta = 0 is Coulomb's law and theta = 1 the relaxed one, whose matrix H is skew; in between they
// mix. Units: E makes E z comparable to w, and `weight` is what the product z w of a pair is
// measured by.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/contact_island.hpp"

namespace stickslip {

class ContactPairs {
 public:
  struct Item {
    enum class Kind { friction, above, below, between, fixed, free };
    Kind kind = Kind::fixed;
    int row = 0;         ///< first of the island's rows
    int tangents = 0;    ///< friction: 1 or 2
    int first = 0;       ///< pair, or free variable
    int directions = 0;  ///< friction: how many
    int first_direction = 0;
    double base = 0;   ///< pi where z = 0
    double range = 0;  ///< between: upper - lower
  };

  /// True if this form of the laws exists.
  static bool covers(const ContactIsland& island);
  void build(const ContactIsland& island);

  std::span<const Item> items() const { return items_; }
  const double* directionsOf(const Item& item) const {
    return directions_.data() + item.first_direction;
  }
  /// Complementary pairs; free variables follow behind.
  int pairCount() const { return pairs_; }
  int size() const { return static_cast<int>(E_.size()); }
  std::span<const double> E() const { return E_; }
  std::span<const double> weight() const { return weight_; }
  /// True for the pairs whose w is the normal velocity of a contact, or that of a bounded row.
  bool isMain(int pair) const { return main_[static_cast<std::size_t>(pair)]; }

  void impulses(std::span<const double> z, std::span<double> pi) const;
  /// w = C omega + H z + h.
  void velocities(std::span<const double> omega, std::span<const double> z, double theta,
                  std::span<double> w) const;
  /// out += factor d(H z)/d(theta).
  void addThetaDerivative(std::span<const double> z, double factor, std::span<double> out) const;
  /// rho -= C omega.
  void subtractVelocities(std::span<const double> omega, std::span<double> rho) const;
  /// pi += B z.
  void addImpulses(std::span<const double> z, std::span<double> pi) const;

 private:
  void addItem(const ContactItem& source, const ContactIsland& island);
  void addInterval(const ContactItem& source, Item item);
  void addDirections(const ContactItem& source, Item& item);
  void addPair(double E, double weight, bool main);

  int pairs_ = 0;
  std::vector<Item> items_;
  std::vector<double> directions_;  ///< tangents x directions, one direction after the other
  std::vector<double> E_;
  std::vector<double> weight_;
  std::vector<bool> main_;
  std::vector<double> free_E_;
};

}  // namespace stickslip
