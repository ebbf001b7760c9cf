#include "solvers/gradient_items.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {

void GradientItems::clear() {
  items_.clear();
  source_.clear();
  for (auto* x : {&scale_, &velocity_, &impulse_, &q_, &p_, &before_, &kept_}) x->clear();
}

void GradientItems::add(const ScaledLaw& law, std::span<const int> source,
                        std::span<const double> q) {
  items_.push_back({law.law, law.measured, law.caution, rowCount()});
  for (std::size_t k = 0; k < source.size(); ++k) {
    source_.push_back(source[k]);
    scale_.push_back(law.scale[k]);
    velocity_.push_back(law.velocity[k]);
    impulse_.push_back(law.impulse[k]);
    q_.push_back(q[k] / law.scale[k]);
  }
  for (auto* x : {&p_, &before_, &kept_}) x->resize(q_.size());
}

void GradientItems::addJoint(std::span<const double> q) {
  GradientLaw law;
  law.kind = ContactItem::Kind::joint;
  law.rows = static_cast<int>(q.size());
  items_.push_back({law, law, 1, rowCount()});
  source_.insert(source_.end(), q.size(), -1);
  for (auto* x : {&scale_, &velocity_, &impulse_}) x->insert(x->end(), q.size(), 1.0);
  q_.insert(q_.end(), q.begin(), q.end());
  for (auto* x : {&p_, &before_, &kept_}) x->resize(q_.size());
}

void GradientItems::extrapolate(double momentum) {
  for (std::size_t k = 0; k < p_.size(); ++k) {
    const double last = p_[k];
    p_[k] += momentum * (last - before_[k]);
    before_[k] = last;
  }
}

double GradientItems::step(int item, bool coulomb, std::span<const double> u,
                           std::span<double> change) {
  const GradientLaw& law = items_[static_cast<std::size_t>(item)].law;
  const std::span<double> p = part(p_, item);
  const std::span<const double> before = part(before_, item);
  for (std::size_t k = 0; k < p.size(); ++k) change[k] = p[k] - u[k];
  if (coulomb) change[0] -= slipOfLaw(law, u);
  projectOnLaw(law, change);
  double turn = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double next = change[k];
    change[k] -= p[k];
    turn -= change[k] * (next - before[k]);
    p[k] = next;
  }
  return turn;
}

double GradientItems::violation(int item, bool coulomb, std::span<const double> u) const {
  const Item& it = items_[static_cast<std::size_t>(item)];
  const std::span<const double> p = part(p_, item), velocity = part(velocity_, item),
                                impulse = part(impulse_, item);
  std::array<double, kMostRows> measured{}, moved{};
  for (std::size_t k = 0; k < p.size(); ++k) {
    measured[k] = velocity[k] * u[k];
    moved[k] = impulse[k] * p[k] - measured[k];
  }
  const std::span<double> x = std::span(moved).first(p.size());
  if (coulomb) x[0] -= slipOfLaw(it.measured, std::span<const double>(measured).first(p.size()));
  projectOnLaw(it.measured, x);
  double square = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double apart = impulse[k] * p[k] - x[k];
    square += apart * apart;
  }
  return it.caution * std::sqrt(square);
}

double GradientItems::speed(int item, std::span<const double> u) const {
  const std::span<const double> velocity = part(velocity_, item);
  double square = 0;
  for (std::size_t k = 0; k < u.size(); ++k) square += velocity[k] * u[k] * velocity[k] * u[k];
  return std::sqrt(square);
}

double GradientItems::energy() const {
  double sum = 0;
  for (std::size_t k = 0; k < p_.size(); ++k) sum += q_[k] * p_[k];
  return sum;
}

void GradientItems::fromImpulses(std::span<const double> impulses) {
  for (std::size_t k = 0; k < p_.size(); ++k)
    if (source_[k] >= 0) p_[k] = scale_[k] * impulses[static_cast<std::size_t>(source_[k])];
}

void GradientItems::toImpulses(std::span<double> impulses) const {
  for (std::size_t k = 0; k < p_.size(); ++k)
    if (source_[k] >= 0) impulses[static_cast<std::size_t>(source_[k])] = p_[k] / scale_[k];
}

}  // namespace stickslip
