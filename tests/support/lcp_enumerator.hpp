// Brute force for tiny linear complementarity problems: tries all 2^n supports.
#pragma once

#include <optional>
#include <vector>

#include "stickslip/lcp.hpp"

namespace stickslip::testing {

/// All solutions that are determined by their support, that is by a nonsingular principal
/// submatrix. A problem that has solutions has at least one of these unless every one of them sits
/// on a singular submatrix.
std::vector<std::vector<double>> enumerateLcpSolutions(const Lcp& lcp);

/// Solution of the dense system A x = b, row-major; nothing if A is singular to rounding.
/// Gauss-Jordan with complete pivoting: not the engine's algorithm.
std::optional<std::vector<double>> solveDense(std::vector<double> A, std::vector<double> b);

}  // namespace stickslip::testing
