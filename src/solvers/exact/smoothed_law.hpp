// A smoothed form of Coulomb's law, for methods that follow its solutions as the smoothing tau
// shrinks.
//
// With y = p - z, z = u_hat + eps (p - centre), the law is p = P_K(y). The projection is the
// spectral function of [x]_+; with phi(x) = (x + sqrt(x^2 + 4 tau)) / 2 in its place (Chen, Sun &
// Sun, Computational Optimization and Applications 25, 2003) both p = Phi(y) and z = p - y are
// strictly inside the cone, and their Jordan product is tau e: this is the central path of the
// cone, without a boundary to keep away from. The slip |u_t| becomes sqrt(|u_t|^2 + tau),
// and [lower, upper] is smoothed likewise. Polygons are cones here: the circle about their corners
// is close enough for a start.
//
// Newton's method on F = p - Phi(y) changes the impulse of a cone by d_p = rhs - S d_u. S
// and rhs come from the spectral values without cancellation.
#pragma once

#include <span>

#include "cones/cone.hpp"
#include "stickslip/matrix_view.hpp"

namespace stickslip {

struct Smoothing {
  double tau = 1;
  double eps = 1e-2;  ///< proximal weight, > 0
};

/// F of one cone; `centre` is that of the proximal term. Spans are those of the cone.
void smoothedMap(const Cone& cone, const Smoothing& smoothing, std::span<const double> p,
                 std::span<const double> u, std::span<const double> centre, std::span<double> F);

/// F, and S and rhs of Newton's method on it.
void linearizeSmoothedLaw(const Cone& cone, const Smoothing& smoothing, std::span<const double> p,
                          std::span<const double> u, std::span<const double> centre, MatrixView S,
                          std::span<double> rhs);

}  // namespace stickslip
