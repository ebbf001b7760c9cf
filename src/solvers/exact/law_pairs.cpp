#include "solvers/exact/law_pairs.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

using PairKind = LawPairs::Item::Kind;

// Mobilities below this part of the normal one count as this part: W may vanish along a tangent.
constexpr double kLeastMobility = 1e-8;

// Mean of the diagonal of W over the rows from `first` on.
double mobility(const ScaledIsland& island, int cone, int first) {
  std::array<double, kMostRows * kMostRows> block{};
  const int rows = island.W().rowsOf(cone);
  island.W().diagonalBlock(cone, {block.data(), rows, rows});
  double sum = 0;
  for (int k = first; k < rows; ++k) sum += block[k * (rows + 1)];
  return sum / (rows - first);
}

}  // namespace

bool LawPairs::covers(const ScaledIsland& island) {
  const auto has_form = [](const Cone& cone) {
    return cone.isPlain() && (cone.kind != Cone::Kind::lorentz || cone.rows <= 2);
  };
  return island.law() == Law::coulomb &&
         std::all_of(island.cones().begin(), island.cones().end(), has_form);
}

void LawPairs::build(const ScaledIsland& island) {
  cones_.clear();
  directions_.clear();
  E_.clear();
  weight_.clear();
  main_.clear();
  free_E_.clear();
  for (const Cone& cone : island.cones()) addItem(cone, island);
  pairs_ = static_cast<int>(E_.size());
  E_.insert(E_.end(), free_E_.begin(), free_E_.end());
  for (Item& cone : cones_)
    if (cone.kind == PairKind::free) cone.first += pairs_;
}

void LawPairs::addPair(double E, double weight, bool main) {
  E_.push_back(E);
  weight_.push_back(weight);
  main_.push_back(main);
}

void LawPairs::addItem(const Cone& source, const ScaledIsland& island) {
  const int index = static_cast<int>(cones_.size());
  double normal = source.rows > 1 ? 0 : mobility(island, index, 0);
  Item cone;
  cone.row = source.first;
  cone.first = static_cast<int>(E_.size());
  if (source.kind == Cone::Kind::joint || source.kind == Cone::Kind::interval) {
    free_E_.push_back(normal > 0 ? normal : 1);
    return addInterval(source, cone);
  }
  if (source.rows == 1) {
    cone.kind = PairKind::above;
    cones_.push_back(cone);
    return addPair(normal > 0 ? normal : 1, normal > 0 ? 1 / normal : 1, true);
  }
  const double side = mobility(island, index, 1);
  normal = source.rows * mobility(island, index, 0) - (source.rows - 1) * side;
  if (!(normal > 0)) normal = 1;
  const double tangential = std::max(side, kLeastMobility * normal);
  cone.kind = PairKind::friction;
  cone.tangents = source.rows - 1;
  addDirections(source, cone);
  cones_.push_back(cone);
  addPair(normal, 1 / normal, true);
  addPair(1 / tangential, 1 / normal, false);
  for (int k = 0; k < cone.directions; ++k) addPair(tangential, 1 / normal, false);
}

void LawPairs::addDirections(const Cone& source, Item& cone) {
  cone.first_direction = static_cast<int>(directions_.size());
  cone.directions = cone.tangents == 1 ? 2 : source.directions;
  for (int k = 0; k < cone.directions; ++k) {
    const std::array<double, 2> corner = polygonCorner(cone.directions, k);
    if (cone.tangents == 1)
      directions_.push_back(k == 0 ? 1 : -1);
    else
      directions_.insert(directions_.end(), corner.begin(), corner.end());
  }
}

// The last of free_E_ is the mobility of the row, and stays there if the impulse is free.
void LawPairs::addInterval(const Cone& source, Item cone) {
  const bool joint = source.kind == Cone::Kind::joint;
  const bool above = !joint && std::isfinite(source.lower);
  const bool below = !joint && std::isfinite(source.upper);
  if (!above && !below) {
    cone.kind = PairKind::free;
    cone.first = static_cast<int>(free_E_.size()) - 1;
    cones_.push_back(cone);
    return;
  }
  const double E = free_E_.back();
  free_E_.pop_back();
  cone.base = above ? source.lower : source.upper;
  if (above && below) {
    cone.range = source.upper - source.lower;
    cone.kind = cone.range > 0 ? PairKind::between : PairKind::fixed;
  } else {
    cone.kind = above ? PairKind::above : PairKind::below;
  }
  cones_.push_back(cone);
  if (cone.kind == PairKind::fixed) return;
  addPair(E, 1 / E, true);
  if (cone.kind == PairKind::between) addPair(1 / E, 1 / E, false);
}

void LawPairs::impulses(std::span<const double> z, std::span<double> p) const {
  std::fill(p.begin(), p.end(), 0.0);
  addImpulses(z, p);
  for (const Item& cone : cones_) p[cone.row] += cone.base;
}

void LawPairs::addImpulses(std::span<const double> z, std::span<double> p) const {
  for (const Item& cone : cones_) {
    double* target = p.data() + cone.row;
    const double* source = z.data() + cone.first;
    if (cone.kind == PairKind::fixed) continue;
    target[0] += cone.kind == PairKind::below ? -source[0] : source[0];
    if (cone.kind != PairKind::friction) continue;
    const double* d = directionsOf(cone);
    for (int k = 0; k < cone.directions; ++k)
      for (int i = 1; i <= cone.tangents; ++i) target[i] += *d++ * source[2 + k];
  }
}

void LawPairs::velocities(std::span<const double> u, std::span<const double> z,
                          std::span<double> w) const {
  std::fill(w.begin(), w.end(), 0.0);
  subtractVelocities(u, w);
  for (double& value : w) value = -value;
  for (const Item& cone : cones_) {
    const double* from = z.data() + cone.first;
    double* to = w.data() + cone.first;
    if (cone.kind == PairKind::friction) {
      const double lambda = from[1];
      double slack = from[0];
      for (int k = 2; k < 2 + cone.directions; ++k) {
        slack -= from[k];
        to[k] += lambda;
      }
      to[1] = slack;
    } else if (cone.kind == PairKind::between) {
      to[0] += from[1];
      to[1] = cone.range - from[0];
    }
  }
}

void LawPairs::subtractVelocities(std::span<const double> u, std::span<double> rho) const {
  for (const Item& cone : cones_) {
    const double* velocity = u.data() + cone.row;
    double* target = rho.data() + cone.first;
    if (cone.kind == PairKind::fixed) continue;
    target[0] += cone.kind == PairKind::below ? velocity[0] : -velocity[0];
    if (cone.kind != PairKind::friction) continue;
    const double* d = directionsOf(cone);
    for (int k = 0; k < cone.directions; ++k)
      for (int i = 1; i <= cone.tangents; ++i) target[2 + k] -= *d++ * velocity[i];
  }
}

}  // namespace stickslip
