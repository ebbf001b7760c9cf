#include "solvers/contact_search.hpp"

#include <cstdint>

namespace stickslip {
namespace {

constexpr std::size_t kFewContacts = 24;
constexpr double kLeeway = 5;

}  // namespace

void ContactSearch::start(ContactIsland& island, IslandPoint& best, double target,
                          std::int64_t budget) {
  island_ = &island;
  best_ = &best;
  target_ = target;
  enough_ = island.items().size() > kFewContacts ? kLeeway * target : target;
  budget_ = budget;
  iterations_ = 0;
}

void ContactSearch::offer(const IslandPoint& point) {
  if (point.residual < best_->residual) *best_ = point;
}

double meritOf(const ContactIsland& island, const IslandPoint& point) {
  std::array<double, kMostRows> map;
  double sum = 0;
  for (const ContactItem& item : island.items()) {
    const auto first = static_cast<std::size_t>(item.first);
    const auto rows = static_cast<std::size_t>(item.rows);
    naturalMap(item, island.law(), std::span(point.pi).subspan(first, rows),
               std::span(point.omega).subspan(first, rows), std::span(map).first(rows));
    for (std::size_t k = 0; k < rows; ++k) sum += map[k] * map[k];
  }
  return sum;
}

}  // namespace stickslip
