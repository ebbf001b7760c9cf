#include "solvers/common/iterate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace stickslip {
namespace {

constexpr SearchSettings kSearch;

}  // namespace

void Search::start(ScaledIsland& island, Iterate& best, double target, std::int64_t budget) {
  island_ = &island;
  best_ = &best;
  target_ = target;
  enough_ = island.cones().size() > kSearch.few_contacts ? kSearch.leeway * target : target;
  budget_ = budget;
  iterations_ = 0;
}

void Search::offer(const Iterate& point) {
  if (point.residual < best_->residual) *best_ = point;
}

double meritOf(const ScaledIsland& island, const Iterate& point) {
  std::array<double, kMostRows> map;
  double sum = 0;
  for (const Cone& cone : island.cones()) {
    const std::size_t first = cone.first;
    const std::size_t rows = cone.rows;
    naturalMap(cone, island.law(), std::span(point.p).subspan(first, rows),
               std::span(point.u).subspan(first, rows), std::span(map).first(rows));
    for (std::size_t k = 0; k < rows; ++k) sum += map[k] * map[k];
  }
  return sum;
}

double ConvexProblem::residual(std::span<const double> p, std::span<const double> u) const {
  if (island) return island->residual(p, u, law);
  double worst = 0;
  std::array<double, kMostRows> map;
  for (const Cone& cone : cones) {
    const std::size_t first = cone.first;
    const std::size_t rows = cone.rows;
    naturalMap(cone, law, p.subspan(first, rows), u.subspan(first, rows),
               std::span(map).first(rows));
    for (std::size_t k = 0; k < rows; ++k) {
      if (!std::isfinite(map[k])) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, std::abs(map[k]));
    }
  }
  return worst;
}

}  // namespace stickslip
