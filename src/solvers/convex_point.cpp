#include "solvers/convex_point.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stickslip {

double ConvexProblem::residual(std::span<const double> pi, std::span<const double> omega) const {
  if (island) return island->residual(pi, omega, Law::relaxed);
  double worst = 0;
  std::array<double, kMostRows> map;
  for (const ContactItem& item : items) {
    const auto first = static_cast<std::size_t>(item.first);
    const auto rows = static_cast<std::size_t>(item.rows);
    naturalMap(item, Law::relaxed, pi.subspan(first, rows), omega.subspan(first, rows),
               std::span(map).first(rows));
    for (std::size_t k = 0; k < rows; ++k) {
      if (!std::isfinite(map[k])) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, std::abs(map[k]));
    }
  }
  return worst;
}

}  // namespace stickslip
