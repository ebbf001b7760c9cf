#include "solvers/sweeps/general_cones.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip {

void GeneralCones::reserve(int contacts, int joint_rows) {
  const std::size_t cones = contacts + joint_rows;
  cones_.reserve(cones);
  scaled_.reserve(contacts + joint_rows, contacts + joint_rows);
  rows_.reserve(cones);
  pi_.reserve(cones);
  sweeps_.reserve(contacts + joint_rows, contacts + joint_rows);
}

void GeneralCones::build(const ContactProblem& problem, const VelocitySlots& slots,
                         std::span<const int> contacts, std::span<const double> p,
                         std::span<const double> c) {
  cones_.clear();
  scaled_.clear();
  rows_.clear();
  pi_.clear();
  sweeps_.clear();
  for (const int contact : contacts) {
    const SetLayout layout = layoutOf(problem.sets[contact]);
    for (const ConeLayout& part : layout.cones()) addPart(problem, slots, contact, part, p);
  }
  for (int joint = 0; joint < problem.G.groupCount(); ++joint)
    for (int k = 0; k < problem.G.rowsOf(joint); ++k) addJointRow(problem, slots, joint, k, c);
}

void GeneralCones::addPart(const ContactProblem& problem, const VelocitySlots& slots, int contact,
                           const ConeLayout& part, std::span<const double> p) {
  cones_.push_back(part.cone);
  cones_.back().first = static_cast<int>(rows_.size());
  addScaled(slots, problem.J, contact, part.rows(), part.factor);
  for (int i = 0; i < part.cone.rows; ++i) {
    const int row = problem.J.firstRow(contact) + part.kept[i];
    const double factor = part.factor[i];
    rows_.push_back({row, false, factor, factor * problem.b[row], 0});
    pi_.push_back(p[row] / factor);
  }
  finishCone();
}

void GeneralCones::addJointRow(const ContactProblem& problem, const VelocitySlots& slots, int joint,
                               int k, std::span<const double> c) {
  const int row = problem.G.firstRow(joint) + k;
  Cone& cone = cones_.emplace_back();
  cone.kind = Cone::Kind::joint;
  cone.first = static_cast<int>(rows_.size());
  cone.rows = 1;
  addScaled(slots, problem.G, joint, std::array{k}, std::array{1.0});
  rows_.push_back({row, true, 1, problem.g[row], problem.compliance[row]});
  pi_.push_back(c[row]);
  finishCone();
}

void GeneralCones::addScaled(const VelocitySlots& slots, const BlockRows& rows, int group,
                             std::span<const int> kept, std::span<const double> factors) {
  scaled_.add(slots.L(), rows, group, kept);
  scaled_.place([&](int block) { return std::pair(block, slots.slot(block)); });
  for (std::size_t i = 0; i < kept.size(); ++i) scaled_.scaleRow(static_cast<int>(i), factors[i]);
}

// Its block of W.
void GeneralCones::finishCone() {
  const Cone& cone = cones_.back();
  std::array<double, kMostRows * kMostRows> block{};
  const MatrixView A{block.data(), cone.rows, cone.rows};
  for (int i = 0; i < cone.rows; ++i) {
    for (int j = 0; j < cone.rows; ++j) A(i, j) = scaled_.product(scaled_.groupCount() - 1, i, j);
    A(i, i) += rows_[cone.first + i].compliance;
  }
  sweeps_.add(cone, A);
}

void GeneralCones::velocities(int cone, const double* w, std::span<double> u) const {
  for (int i = 0; i < cones_[cone].rows; ++i) {
    const int row = cones_[cone].first + i;
    double sum = rows_[row].b + rows_[row].compliance * pi_[row];
    for (const ScaledRows::Strip& strip : scaled_.strips(cone)) {
      const double* values = scaled_.values(strip) + i * strip.columns;
      for (int k = 0; k < strip.columns; ++k) sum += values[k] * w[strip.first + k];
    }
    u[i] = sum;
  }
}

void GeneralCones::add(int cone, std::span<const double> pi, double* w) const {
  for (const ScaledRows::Strip& strip : scaled_.strips(cone)) {
    const double* values = scaled_.values(strip);
    for (const double impulse : pi)
      for (int k = 0; k < strip.columns; ++k) w[strip.first + k] += impulse * *values++;
  }
}

double GeneralCones::largestVelocity(const double* w) const {
  double most = 0;
  std::array<double, kMostRows> u{};
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    velocities(static_cast<int>(k), w, u);
    for (int i = 0; i < cones_[k].rows; ++i) most = std::max(most, std::abs(u[i]));
  }
  return most;
}

void GeneralCones::push(double* w) const {
  for (std::size_t k = 0; k < cones_.size(); ++k)
    add(static_cast<int>(k), std::span(pi_).subspan(cones_[k].first, cones_[k].rows), w);
}

double GeneralCones::sweep(Law law, double* w) {
  sweep_w_ = w;
  most_ = 0;
  sweeps_.sweep(*this, {cones_, {}, law}, pi_);
  return most_;
}

void GeneralCones::sweepChange(int cone, std::span<const double> change) {
  const double* mobility = sweeps_.block(cone).data;
  double normal = 0;
  for (std::size_t k = 0; k < change.size(); ++k) normal += mobility[k] * change[k];
  most_ = std::max(most_, std::abs(normal));
  add(cone, change, sweep_w_);
}

void GeneralCones::impulses(std::span<double> p, std::span<double> c) const {
  for (std::size_t k = 0; k < rows_.size(); ++k)
    (rows_[k].joint ? c : p)[rows_[k].source] = rows_[k].factor * pi_[k];
}

}  // namespace stickslip
