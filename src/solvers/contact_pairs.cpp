#include "solvers/contact_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "math/index.hpp"

namespace stickslip {
namespace {

using Kind = ContactPairs::Item::Kind;

// Mobilities below this part of the normal one count as this part: W may vanish along a tangent.
constexpr double kLeastMobility = 1e-8;

// Mean of the diagonal of W over the rows from `first` on.
double mobility(const ContactIsland& island, int item, int first) {
  std::array<double, kMostRows * kMostRows> block{};
  const int rows = island.W().rowsOf(item);
  island.W().diagonalBlock(item, {block.data(), rows, rows});
  double sum = 0;
  for (int k = first; k < rows; ++k) sum += block[at(k * (rows + 1))];
  return sum / (rows - first);
}

}  // namespace

bool ContactPairs::covers(const ContactIsland& island) {
  const auto has_form = [](const ContactItem& item) {
    return item.isPlain() && (item.kind != ContactItem::Kind::cone || item.rows <= 2);
  };
  return island.law() == Law::coulomb &&
         std::all_of(island.items().begin(), island.items().end(), has_form);
}

void ContactPairs::build(const ContactIsland& island) {
  items_.clear();
  directions_.clear();
  E_.clear();
  weight_.clear();
  main_.clear();
  free_E_.clear();
  for (const ContactItem& item : island.items()) addItem(item, island);
  pairs_ = static_cast<int>(E_.size());
  E_.insert(E_.end(), free_E_.begin(), free_E_.end());
  for (Item& item : items_)
    if (item.kind == Kind::free) item.first += pairs_;
}

void ContactPairs::addPair(double E, double weight, bool main) {
  E_.push_back(E);
  weight_.push_back(weight);
  main_.push_back(main);
}

void ContactPairs::addItem(const ContactItem& source, const ContactIsland& island) {
  const int index = static_cast<int>(items_.size());
  double normal = source.rows > 1 ? 0 : mobility(island, index, 0);
  Item item;
  item.row = source.first;
  item.first = static_cast<int>(E_.size());
  if (source.kind == ContactItem::Kind::joint || source.kind == ContactItem::Kind::interval) {
    free_E_.push_back(normal > 0 ? normal : 1);
    return addInterval(source, item);
  }
  if (source.rows == 1) {
    item.kind = Kind::above;
    items_.push_back(item);
    return addPair(normal > 0 ? normal : 1, normal > 0 ? 1 / normal : 1, true);
  }
  const double side = mobility(island, index, 1);
  normal = source.rows * mobility(island, index, 0) - (source.rows - 1) * side;
  if (!(normal > 0)) normal = 1;
  const double tangential = std::max(side, kLeastMobility * normal);
  item.kind = Kind::friction;
  item.tangents = source.rows - 1;
  addDirections(source, item);
  items_.push_back(item);
  addPair(normal, 1 / normal, true);
  addPair(1 / tangential, 1 / normal, false);
  for (int k = 0; k < item.directions; ++k) addPair(tangential, 1 / normal, false);
}

void ContactPairs::addDirections(const ContactItem& source, Item& item) {
  item.first_direction = static_cast<int>(directions_.size());
  item.directions = item.tangents == 1 ? 2 : source.directions;
  for (int k = 0; k < item.directions; ++k) {
    const std::array<double, 2> corner = polygonCorner(item.directions, k);
    if (item.tangents == 1)
      directions_.push_back(k == 0 ? 1 : -1);
    else
      directions_.insert(directions_.end(), corner.begin(), corner.end());
  }
}

// The last of free_E_ is the mobility of the row, and stays there if the impulse is free.
void ContactPairs::addInterval(const ContactItem& source, Item item) {
  const bool joint = source.kind == ContactItem::Kind::joint;
  const bool above = !joint && std::isfinite(source.lower);
  const bool below = !joint && std::isfinite(source.upper);
  if (!above && !below) {
    item.kind = Kind::free;
    item.first = static_cast<int>(free_E_.size()) - 1;
    items_.push_back(item);
    return;
  }
  const double E = free_E_.back();
  free_E_.pop_back();
  item.base = above ? source.lower : source.upper;
  if (above && below) {
    item.range = source.upper - source.lower;
    item.kind = item.range > 0 ? Kind::between : Kind::fixed;
  } else {
    item.kind = above ? Kind::above : Kind::below;
  }
  items_.push_back(item);
  if (item.kind == Kind::fixed) return;
  addPair(E, 1 / E, true);
  if (item.kind == Kind::between) addPair(1 / E, 1 / E, false);
}

void ContactPairs::impulses(std::span<const double> z, std::span<double> pi) const {
  std::fill(pi.begin(), pi.end(), 0.0);
  addImpulses(z, pi);
  for (const Item& item : items_) pi[at(item.row)] += item.base;
}

void ContactPairs::addImpulses(std::span<const double> z, std::span<double> pi) const {
  for (const Item& item : items_) {
    double* target = pi.data() + item.row;
    const double* source = z.data() + item.first;
    if (item.kind == Kind::fixed) continue;
    target[0] += item.kind == Kind::below ? -source[0] : source[0];
    if (item.kind != Kind::friction) continue;
    const double* d = directionsOf(item);
    for (int k = 0; k < item.directions; ++k)
      for (int i = 1; i <= item.tangents; ++i) target[i] += *d++ * source[2 + k];
  }
}

void ContactPairs::velocities(std::span<const double> omega, std::span<const double> z,
                              double theta, std::span<double> w) const {
  std::fill(w.begin(), w.end(), 0.0);
  subtractVelocities(omega, w);
  for (double& value : w) value = -value;
  for (const Item& item : items_) {
    const double* from = z.data() + item.first;
    double* to = w.data() + item.first;
    if (item.kind == Kind::friction) {
      const double lambda = from[1];
      to[0] -= theta * lambda;
      double slack = from[0];
      for (int k = 2; k < 2 + item.directions; ++k) {
        slack -= from[k];
        to[k] += lambda;
      }
      to[1] = slack;
    } else if (item.kind == Kind::between) {
      to[0] += from[1];
      to[1] = item.range - from[0];
    }
  }
}

void ContactPairs::addThetaDerivative(std::span<const double> z, double factor,
                                      std::span<double> out) const {
  for (const Item& item : items_)
    if (item.kind == Kind::friction) out[at(item.first)] -= factor * z[at(item.first) + 1];
}

void ContactPairs::subtractVelocities(std::span<const double> omega, std::span<double> rho) const {
  for (const Item& item : items_) {
    const double* u = omega.data() + item.row;
    double* target = rho.data() + item.first;
    if (item.kind == Kind::fixed) continue;
    target[0] += item.kind == Kind::below ? u[0] : -u[0];
    if (item.kind != Kind::friction) continue;
    const double* d = directionsOf(item);
    for (int k = 0; k < item.directions; ++k)
      for (int i = 1; i <= item.tangents; ++i) target[2 + k] -= *d++ * u[i];
  }
}

}  // namespace stickslip
