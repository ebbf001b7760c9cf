// Coulomb's law in the form of Alart and Curnier (Computer Methods in Applied Mechanics and
// Engineering 92, 1991), linearized at a point, for Newton's method.
//
// With y = pi - r omega the law is pi_n = [y_n]_+, pi_t = the point of [y_n]_+ D next to y_t, where
// D is the unit disc (or polygon). Linearized in the branch that y is in,
//
//   open, y_n <= 0:       pi = 0
//   closed:               omega_n = 0, and
//     sticking:           omega_t = 0
//     sliding on a disc:  pi_t = pi_n e + a (I - e e') (pi_t - r omega_t),
//                         e = y_t / |y_t|,  a = y_n / |y_t|
//     sliding on a side:  pi_t = pi_n m + t t' (pi_t - r omega_t),  m the point of the side's line
//                         next to 0, t along it;  at a corner c:  pi_t = pi_n c
//     sections:           each by itself, P_g the point of y_n D_g next to y_g
//     (friction_shape.hpp):
//                         pi_g = pi_n growth_g + share_g T_g (pi_g - r omega_g)
//   fixed:   the same with the radius in place of pi_n
//   bounded: at the bound that y is beyond, else omega = 0
//
// and with omega + eps (d_pi) in place of omega, the proximal term that makes the matrix regular
// where contacts are redundant, the change of an item's impulse is d_pi = rhs - S d_omega.
#pragma once

#include <span>

#include "contact/contact_law.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

struct AlartCurnier {
  double r = 3;       ///< in units of the effective mass
  double eps = 1e-2;  ///< of the proximal term, > 0
};

/// Fills S and rhs of one item; spans are those of the item.
void linearizeLaw(const ContactItem& item, const AlartCurnier& form, std::span<const double> pi,
                  std::span<const double> omega, MatrixView S, std::span<double> rhs);

}  // namespace stickslip
