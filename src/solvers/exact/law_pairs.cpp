#include "solvers/exact/law_pairs.hpp"

#include <algorithm>
#include <array>
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

namespace {

// Directions need few digits, impulses many.
constexpr double kRefined = 1e-9;
constexpr double kFully = 1e-13;

}  // namespace

bool PairSystem::factor(const LawPairs& pairs, Delassus& W, std::span<const double> a) {
  pairs_ = &pairs;
  W_ = &W;
  a_.assign(a.begin(), a.end());
  inverse_.resize(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) inverse_[k] = 1 / a[k];
  S_.resize(W.blockEntries());
  for (int index = 0; index < W.coneCount(); ++index) {
    const Item& cone = pairs.cones()[index];
    double* S = S_.data() + W.firstOfBlock(index);
    const std::size_t first = cone.first;
    if (cone.kind == PairKind::friction)
      cone.tangents == 1 ? eliminatePlanarFriction(cone, S) : eliminateFriction(cone, S);
    else if (cone.kind == PairKind::between)
      S[0] = a_[first + 1] / (a_[first] * a_[first + 1] + 1);
    else
      S[0] = cone.kind == PairKind::fixed ? 0 : inverse_[first];
  }
  return W.factor(S_, Delassus::Symmetry::general);
}

void PairSystem::eliminatePlanarFriction(const Item& cone, double* S) {
  double* i = inverse_.data() + cone.first;
  const double a_l = a_[cone.first + 1], i_c = i[0], x = i[2] + i[3], y = i[2] - i[3];
  const double inverse_D = 1 / (a_l + x);
  i[1] = inverse_D;
  S[0] = i_c;
  S[1] = 0;
  S[2] = i_c * y * inverse_D;
  S[3] = (a_l * x + 4 * i[2] * i[3]) * inverse_D;
}

void PairSystem::eliminateFriction(const Item& cone, double* S) {
  double* i = inverse_.data() + cone.first;
  const double* d = pairs_->directionsOf(cone);
  const double a_l = a_[cone.first + 1], i_c = i[0];
  double x = 0, y[2] = {}, Q[3] = {};
  for (int k = 0; k < cone.directions; ++k) {
    const double i_k = i[2 + k], e_1 = d[2 * k], e_2 = d[2 * k + 1];
    x += i_k;
    y[0] += i_k * e_1;
    y[1] += i_k * e_2;
    Q[0] += a_l * i_k * e_1 * e_1;
    Q[1] += a_l * i_k * e_1 * e_2;
    Q[2] += a_l * i_k * e_2 * e_2;
    for (int l = 0; l < k; ++l) {
      const double both = i_k * i[2 + l], g_1 = e_1 - d[2 * l], g_2 = e_2 - d[2 * l + 1];
      Q[0] += both * g_1 * g_1;
      Q[1] += both * g_1 * g_2;
      Q[2] += both * g_2 * g_2;
    }
  }
  const double inverse_D = 1 / (a_l + x);
  i[1] = inverse_D;
  const double t_1 = i_c * y[0] * inverse_D, t_2 = i_c * y[1] * inverse_D;
  const std::array<double, 9> block{
      i_c, 0, 0, t_1, Q[0] * inverse_D, Q[1] * inverse_D, t_2, Q[1] * inverse_D, Q[2] * inverse_D};
  std::copy(block.begin(), block.end(), S);
}

// Every cone alone, as if u stayed as it is.
void PairSystem::solveItems(std::span<const double> rho, std::span<double> dz) const {
  for (const Item& cone : pairs_->cones()) {
    const std::size_t first = cone.first;
    switch (cone.kind) {
      case PairKind::friction:
        solveFriction(cone, rho.data() + first, dz.data() + first);
        break;
      case PairKind::between: {
        const double a_0 = a_[first], a_1 = a_[first + 1];
        dz[first] = (a_1 * rho[first] - rho[first + 1]) / (a_0 * a_1 + 1);
        dz[first + 1] = (rho[first] + a_0 * rho[first + 1]) / (a_0 * a_1 + 1);
        break;
      }
      case PairKind::fixed:
        break;
      default:
        dz[first] = rho[first] * inverse_[first];
    }
  }
}

void PairSystem::solveFriction(const Item& cone, const double* rho, double* dz) const {
  const double* i = inverse_.data() + cone.first;
  double sum = rho[1] - i[0] * rho[0];
  for (int k = 2; k < 2 + cone.directions; ++k) sum += i[k] * rho[k];
  const double d_lambda = sum * i[1];
  dz[0] = i[0] * rho[0];
  dz[1] = d_lambda;
  for (int k = 2; k < 2 + cone.directions; ++k) dz[k] = i[k] * (rho[k] - d_lambda);
}

double PairSystem::solve(std::span<const double> rho, std::span<double> dz) {
  const std::size_t rows = W_->rowCount();
  for (auto* x : {&r_, &none_, &d_p_, &d_u_}) x->resize(rows);
  std::fill(r_.begin(), r_.end(), 0.0);
  std::fill(none_.begin(), none_.end(), 0.0);
  solveItems(rho, dz);
  pairs_->addImpulses(dz, r_);
  W_->refineTo(kRefined);
  const double error = W_->solve(r_, none_, d_p_, d_u_);
  W_->refineTo(kFully);
  rho_.assign(rho.begin(), rho.end());
  pairs_->subtractVelocities(d_u_, rho_);
  solveItems(rho_, dz);
  return error;
}

}  // namespace stickslip
