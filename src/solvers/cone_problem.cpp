#include "solvers/cone_problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "math/block_products.hpp"

namespace stickslip {
namespace {

using Kind = ImpulseSet::Kind;

constexpr double kUnderflow =
    std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();

// Velocities that disappear in the rounding of an impulse are counted as violations from here on:
// beside an impulse that runs off to infinity everything would seem to be in order.
constexpr double kBlind = 1e-11;

// What makes the sets of all kinds alike: the factor of each row, 0 where there is no friction.
ConeVector coefficients(const ImpulseSet& set) {
  switch (set.kind) {
    case Kind::planar:
      return {1, set.mu, 0};
    case Kind::elliptic:
      return {1, set.mu, set.mu_2};
    default:
      return {1, 0, 0};
  }
}

double powerOfTwoNextTo(double x) {
  return x > 0 && std::isfinite(x) ? std::ldexp(1.0, std::ilogb(x)) : 1.0;
}

ConeVector naturalMap(const ConeProblem::Item& item, const ConeVector& pi,
                      const ConeVector& omega) {
  if (item.interval) return {pi[0] - std::clamp(pi[0] - omega[0], item.lower, item.upper), 0, 0};
  const double slip = std::hypot(omega[1], omega[2]);
  const ConeVector nearest =
      projectOnUnitCone({pi[0] - omega[0] - slip, pi[1] - omega[1], pi[2] - omega[2]});
  return {pi[0] - nearest[0], pi[1] - nearest[1], pi[2] - nearest[2]};
}

}  // namespace

ConeVector projectOnUnitCone(const ConeVector& x) {
  const double side = std::hypot(x[1], x[2]);
  if (side <= x[0]) return x;
  if (side <= -x[0]) return {};
  const double n = (x[0] + side) / 2, ratio = n / side;
  return {n, ratio * x[1], ratio * x[2]};
}

void ConeProblem::reserve(int contacts, int contact_rows) {
  const auto n = static_cast<std::size_t>(contact_rows);
  items_.reserve(static_cast<std::size_t>(contacts));
  source_.reserve(n);
  scale_.reserve(n);
  W_.reserve(n * n);
  q_.reserve(n);
}

void ConeProblem::build(ConstMatrixView W, std::span<const double> q, const BlockRows& J,
                        std::span<const ImpulseSet> sets, std::span<const int> contacts) {
  items_.clear();
  source_.clear();
  scale_.clear();
  for (const int i : contacts) addItem(i, sets[static_cast<std::size_t>(i)], J.firstRow(i), W);
  size_ = static_cast<int>(source_.size());
  const auto n = static_cast<std::size_t>(size_);
  W_.resize(n * n);
  q_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    q_[i] = largest_velocity_ > 0
                ? scale_[i] * (q[static_cast<std::size_t>(source_[i])] / velocity_unit_)
                : 0;
    for (std::size_t j = 0; j < n; ++j)
      W_[i * n + j] = scale_[i] * scale_[j] * (W(source_[i], source_[j]) / inverse_mass_unit_);
  }
}

void ConeProblem::findUnits(ConstMatrixView W, std::span<const double> q) {
  double velocity = 0, inverse_mass = 0;
  for (const double x : q) velocity = std::max(velocity, std::abs(x));
  for (int i = 0; i < W.rows; ++i) inverse_mass = std::max(inverse_mass, W(i, i));
  // Slower than that is rest: products of such numbers lose their digits.
  if (velocity < kUnderflow) velocity = 0;
  velocity_unit_ = powerOfTwoNextTo(velocity);
  inverse_mass_unit_ = powerOfTwoNextTo(inverse_mass);
  largest_velocity_ = velocity / velocity_unit_;
}

// A contact that nothing can move is left out: its impulse is zero.
void ConeProblem::addItem(int contact, const ImpulseSet& set, int first_row, ConstMatrixView W) {
  assert(set.kind != Kind::polyhedral);
  const ConeVector factor = coefficients(set);
  Item item;
  item.first = static_cast<int>(source_.size());
  item.contact = contact;
  double trace = 0;
  for (int k = 0; k < set.dimension(); ++k) {
    const double f = factor[static_cast<std::size_t>(k)];
    if (!(f > 0)) continue;
    trace += f * f * (W(first_row + k, first_row + k) / inverse_mass_unit_);
    ++item.rows;
  }
  if (!(trace > 0)) return;
  const double contact_scale = 1 / std::sqrt(trace / item.rows);
  for (int k = 0; k < set.dimension(); ++k) {
    if (!(factor[static_cast<std::size_t>(k)] > 0)) continue;
    source_.push_back(first_row + k);
    scale_.push_back(contact_scale * factor[static_cast<std::size_t>(k)]);
  }
  if (set.kind == Kind::interval) {
    const double unit = velocity_unit_ / inverse_mass_unit_ * contact_scale;
    item.interval = true;
    item.lower = set.lower / unit;
    item.upper = set.upper / unit;
  }
  items_.push_back(item);
}

void ConeProblem::velocity(std::span<const double> pi, std::span<double> omega) const {
  std::copy(q_.begin(), q_.end(), omega.begin());
  addChange(pi, 0, omega);
}

// W is symmetric, so its rows are its columns.
void ConeProblem::addChange(std::span<const double> change, int first,
                            std::span<double> omega) const {
  for (std::size_t k = 0; k < change.size(); ++k)
    if (change[k] != 0) addScaled(change[k], W().row(first + static_cast<int>(k)), omega);
}

ConeProblem::Residual ConeProblem::residual(std::span<const double> pi,
                                            std::span<const double> omega) const {
  Residual out;
  for (const Item& item : items_) {
    const ConeVector r = naturalMap(item, partOf(pi, item), partOf(omega, item));
    double square = 0;
    for (int k = 0; k < item.rows; ++k) {
      const double part = r[static_cast<std::size_t>(k)];
      const double violation = part / scale_[static_cast<std::size_t>(item.first + k)];
      out.merit += part * part;
      square += violation * violation;
    }
    out.velocity = std::max(out.velocity, std::sqrt(square));
    const auto first = static_cast<std::size_t>(item.first);
    const double blind =
        std::numeric_limits<double>::epsilon() * std::abs(pi[first]) / scale_[first];
    if (blind > kBlind * largest_velocity_) out.velocity = std::max(out.velocity, blind);
  }
  if (out.velocity != 0) out.velocity /= largest_velocity_;
  if (!std::isfinite(out.merit)) out.velocity = std::numeric_limits<double>::infinity();
  return out;
}

void ConeProblem::toImpulses(std::span<const double> pi, std::span<double> p) const {
  const double unit = velocity_unit_ / inverse_mass_unit_;
  for (std::size_t i = 0; i < source_.size(); ++i)
    p[static_cast<std::size_t>(source_[i])] = unit * (scale_[i] * pi[i]);
}

void ConeProblem::fromImpulses(std::span<const double> p, std::span<double> pi) const {
  const double unit = velocity_unit_ / inverse_mass_unit_;
  for (std::size_t i = 0; i < source_.size(); ++i)
    pi[i] = p[static_cast<std::size_t>(source_[i])] / unit / scale_[i];
}

}  // namespace stickslip
