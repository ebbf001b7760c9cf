// Coulomb's law in the form of Alart and Curnier (Computer Methods in Applied Mechanics and
// Engineering 92, 1991), linearized at a point, for Newton's method.
//
// With y = p - r u the law is p_n = [y_n]_+, p_t = the point of [y_n]_+ D next to y_t, where
// D is the unit disc (or polygon). Linearized in the branch that y is in,
//
//   open, y_n <= 0:       p = 0
//   closed:               u_n = 0, and
//     sticking:           u_t = 0
//     sliding on a disc:  p_t = p_n e + a (I - e e') (p_t - r u_t),
//                         e = y_t / |y_t|,  a = y_n / |y_t|
//     sliding on a side:  p_t = p_n m + t t' (p_t - r u_t),  m the point of the side's line
//                         next to 0, t along it;  at a corner c:  p_t = p_n c
//     sections:           each by itself, P_g the point of y_n D_g next to y_g
//     (friction_shape.hpp):
//                         p_g = p_n growth_g + share_g T_g (p_g - r u_g)
//   fixed:   the same with the radius in place of p_n
//   bounded: at the bound that y is beyond, else u = 0
//
// and with u + eps (d_p) in place of u, the proximal term that makes the matrix regular
// where contacts are redundant, the change of a cone's impulse is d_p = rhs - S d_u.
#pragma once

#include <span>

#include "cones/cone.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

struct AlartCurnier {
  double r = 3;       ///< in units of the effective mass
  double eps = 1e-2;  ///< of the proximal term, > 0
};

/// Fills S and rhs of one cone; spans are those of the cone.
void linearizeLaw(const Cone& cone, const AlartCurnier& form, std::span<const double> p,
                  std::span<const double> u, MatrixView S, std::span<double> rhs);

}  // namespace stickslip
