// The law of one item for the solver `gradient`, in coordinates in which a step has length one.
//
// An item (contact/item_layout.hpp) is a set of impulses without units, with the rows of a contact
// that it needs. Its rows are scaled once more,
//
//   u = scale u^,   p = p^ / scale,
//
// such that its block of W^ is at most the identity: rows of friction that share a set by one
// number, the normal by another, so that friction is not slow where mu is small. The set is then
//
//   p_n >= 0,  p_g in slope_g p_n D_g for one or two sets D_g of friction     cone, polygon,
//   sections p in radius D     fixed;   lower <= p <= upper     interval;   any p     joint
#pragma once

#include <array>
#include <span>

#include "contact/contact_law.hpp"
#include "contact/item_layout.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

struct GradientLaw {
  ContactItem::Kind kind = ContactItem::Kind::cone;
  int rows = 0;
  double lower = 0;
  double upper = 0;
  double radius = 0;
  std::array<FrictionShape, kMostSections> shapes{};
  std::array<double, kMostSections> slopes{};

  bool hasNormal() const { return kind <= ContactItem::Kind::sections; }
  bool isRound() const { return kind == ContactItem::Kind::cone; }
};

/// x := the point of the set next to x.
void projectOnLaw(const GradientLaw& law, std::span<double> x);

/// What Coulomb's law adds to the normal velocity: the largest power of friction per unit of p_n.
double slipOfLaw(const GradientLaw& law, std::span<const double> u);

/// A law with the numbers that belong to its rows.
struct ScaledLaw {
  GradientLaw law;
  std::array<double, kMostRows> scale{};  ///< u = scale u^
  // For the residual: coordinates in which the certificate's step of length rho is 1 as well and
  // sets are round, velocity * u^ and impulse * p^, and the set there.
  GradientLaw measured;
  std::array<double, kMostRows> velocity{};
  std::array<double, kMostRows> impulse{};
  double caution = 1;  ///< by which the residual there is smaller at most
};

/// The rows that `part` keeps of a contact. `W` is the block of the whole contact, `lengths` those
/// of item_layout.hpp.
ScaledLaw scaleLaw(const ImpulseSet& set, const ItemLayout& part, ConstMatrixView W,
                   const std::array<double, kMostRows>& lengths);

}  // namespace stickslip
