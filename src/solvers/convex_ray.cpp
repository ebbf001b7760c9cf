#include "solvers/convex_ray.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

// The velocity W d that counts as none, relative to the one that is missing, -q.d / |d|.
constexpr double kStill = 1e-6;
// How far d may be from the recession cone, relative to its size.
constexpr double kOutside = 1e-6;

ContactItem recessionCone(const ContactItem& item) {
  ContactItem out = item;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  out.lower = std::isfinite(item.lower) ? 0 : -kInfinity;
  out.upper = std::isfinite(item.upper) ? 0 : kInfinity;
  return out;
}

}  // namespace

bool provesInfeasible(const ConvexProblem& problem, std::span<double> d,
                      std::span<const double> W_d) {
  double size = 0, outside = 0, power = 0, motion = 0;
  for (const ContactItem& item : problem.items) {
    const std::span<double> part =
        d.subspan(static_cast<std::size_t>(item.first), static_cast<std::size_t>(item.rows));
    std::array<double, kMostRows> before{};
    std::copy(part.begin(), part.end(), before.begin());
    projectOnItem(recessionCone(item), part);
    for (std::size_t k = 0; k < part.size(); ++k) {
      const std::size_t row = static_cast<std::size_t>(item.first) + k;
      size += std::abs(part[k]);
      outside = std::max(outside, std::abs(part[k] - before[k]));
      power += part[k] * problem.q[row];
      motion = std::max(motion, std::abs(W_d[row]));
    }
  }
  return power < 0 && outside <= kOutside * size && motion <= kStill * -power / size;
}

}  // namespace stickslip
