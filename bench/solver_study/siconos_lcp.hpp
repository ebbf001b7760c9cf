// Lemke's method of Siconos, where it was found.
#pragma once

#include <span>

#include "stickslip/lcp.hpp"

namespace stickslip::study {

bool siconosIsThere();

/// True if it says that z is a solution.
bool solveWithSiconos(const Lcp& lcp, std::span<double> z);

}  // namespace stickslip::study
