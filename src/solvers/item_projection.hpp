// Projection on the impulse set of an item, with its derivative.
#pragma once

#include "contact/contact_law.hpp"

namespace stickslip {

/// y = P_K(x), and D = P_K'(x), symmetric with eigenvalues in [0, 1]; one element of it where P_K
/// has a kink. D is row-major, item.rows x item.rows.
void projectWithDerivative(const ContactItem& item, const double* x, double* y, double* D);

}  // namespace stickslip
