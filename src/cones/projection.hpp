// Projection on the impulse set of a cone, with its derivative.
#pragma once

#include "cones/cone.hpp"

namespace stickslip {

/// y = P_K(x), and D = P_K'(x), symmetric with eigenvalues in [0, 1]; one element of it where P_K
/// has a kink. D is row-major, cone.rows x cone.rows.
void projectWithDerivative(const Cone& cone, const double* x, double* y, double* D);

}  // namespace stickslip
