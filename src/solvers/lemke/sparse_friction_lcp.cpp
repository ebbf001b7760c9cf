#include "solvers/lemke/sparse_friction_lcp.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"
#include "solvers/lemke/lemke_settings.hpp"

namespace stickslip {
namespace {

// The power of two next to 1/x; 1 if x says nothing.
double inversePower(double x) {
  return x > 0 && std::isfinite(x) ? std::ldexp(1.0, -std::ilogb(x)) : 1.0;
}

double squaredLength(const ScaledRows& rows, int row) {
  double sum = 0;
  rows.forEntries(row, [&](int, double x) { sum += x * x; });
  return sum;
}

// y += factor row.
void addTo(std::span<double> y, const ScaledRows& rows, int row, double factor) {
  rows.forEntries(row, [&](int k, double x) { y[k] += factor * x; });
}

}  // namespace

void SparseFrictionLcp::build(Form form, const ContactProblem& problem) {
  mass_.start(problem.M);
  contact_rows_.clear();
  for (int i = 0; i < problem.contactCount(); ++i) contact_rows_.add(mass_.L(), problem.J, i);
  findFreeVelocities(problem);
  prepareJoints(problem);
  variables_.build(form, [&](int row) { return squaredLength(contact_rows_, row); }, problem.J,
                   problem.sets, {});
  lcp_.start(moving_ + static_cast<int>(kept_.size()), variables_.size());
  dense_.assign(moving_, 0.0);
  fillFree();
  fillImpulses();
  fillCouplings();
  chooseScale(problem);
  fillRightSide(problem);
  lcp_.finish();
}

void SparseFrictionLcp::findFreeVelocities(const ContactProblem& problem) {
  u_free_.resize(problem.b.size());
  multiply(problem.J, problem.v_free, u_free_);
  addScaled(1.0, problem.b, u_free_);
  joint_free_.resize(problem.g.size());
  multiply(problem.G, problem.v_free, joint_free_);
  addScaled(1.0, problem.g, joint_free_);
}

void SparseFrictionLcp::prepareJoints(const ContactProblem& problem) {
  joint_rows_.clear();
  for (int j = 0; j < problem.G.groupCount(); ++j) joint_rows_.add(mass_.L(), problem.G, j);
  moving_ = problem.velocityCount();
  const int joints = joint_rows_.rowCount();
  compliant_.assign(joints, -1);
  softness_.resize(joints);
  joint_scale_.resize(joints);
  for (int j = 0; j < joints; ++j) {
    const double compliance = problem.compliance[j];
    if (compliance > 0) compliant_[j] = moving_++;
    softness_[j] = std::sqrt(std::max(compliance, 0.0));
    joint_scale_[j] = inversePower(std::sqrt(squaredLength(joint_rows_, j) + compliance));
  }
  joint_columns_.start(moving_);
  for (int j = 0; j < joints; ++j) {
    joint_rows_.forEntries(
        j, [&](int k, double value) { joint_columns_.add(k, joint_scale_[j] * value); });
    if (compliant_[j] >= 0) joint_columns_.add(compliant_[j], joint_scale_[j] * softness_[j]);
    joint_columns_.endColumn();
  }
  joint_test_.factorize(joint_columns_, kLemke.dependent_joint);
  is_dropped_.assign(joints, 0);
  for (const int j : joint_test_.dependentColumns()) is_dropped_[j] = 1;
  kept_.clear();
  for (int j = 0; j < joints; ++j)
    if (is_dropped_[j] == 0) kept_.push_back(j);
}

void SparseFrictionLcp::fillFree() {
  for (int k = 0; k < moving_; ++k) lcp_.add(k, k, 1);
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const int unknown = moving_ + static_cast<int>(k);
    const std::span<const int> columns = joint_columns_.rowsOf(kept_[k]);
    const std::span<const double> values = joint_columns_.valuesOf(kept_[k]);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      lcp_.add(unknown, columns[e], values[e]);
      lcp_.add(columns[e], unknown, -values[e]);
    }
  }
}

// The combination of a contact's rows, into dense_ and touched_.
void SparseFrictionLcp::combine(const FrictionVariables::ConeVariables& cone,
                                const FrictionVariables::Row& weights) {
  touched_.clear();
  for (int k = 0; k < cone.rows; ++k) {
    if (weights[k] == 0) continue;
    const double weight = cone.scale * weights[k];
    contact_rows_.forEntries(cone.first_row + k, [&](int column, double value) {
      dense_[column] += weight * value;
      touched_.push_back(column);
    });
  }
}

void SparseFrictionLcp::fillImpulses() {
  const int first = lcp_.freeCount();
  for (int a = 0; a < variables_.impulseCount(); ++a) {
    const FrictionVariables::ConeVariables& cone = variables_.ownerOf(a);
    combine(cone, variables_.variable(a).row);
    for (const int k : touched_) {
      lcp_.add(first + a, k, -dense_[k]);
      dense_[k] = 0;
    }
    combine(cone, variables_.variable(a).column);
    for (const int k : touched_) {
      lcp_.add(k, first + a, -dense_[k]);
      dense_[k] = 0;
    }
  }
}

void SparseFrictionLcp::fillCouplings() {
  const int first = lcp_.freeCount();
  for (const FrictionVariables::Coupling& entry : variables_.couplings())
    lcp_.add(first + entry.row, first + entry.column, -entry.value);
  for (const FrictionVariables::ConeVariables& cone : variables_.cones())
    if (cone.last >= 0) lcp_.rightSide()[first + cone.last] = cone.bound;
}

// What velocities are compared with: those of the contacts, and those that joints and impulses of
// intervals cause at once.
void SparseFrictionLcp::chooseScale(const ContactProblem& problem) {
  double change = 0, length = 0, largest = 0;
  for (const int j : kept_) change = std::max(change, joint_scale_[j] * std::abs(joint_free_[j]));
  for (const FrictionVariables::ConeVariables& cone : variables_.cones()) {
    const double row = std::sqrt(squaredLength(contact_rows_, cone.first_row));
    change = std::max(change, row * std::abs(cone.base));
    length = std::max(length, row);
    largest = std::max(largest, cone.scale);
  }
  reference_ = change * length;
  for (std::size_t i = 0; i < problem.sets.size(); ++i) {
    const int first = problem.J.firstRow(static_cast<int>(i));
    const auto lengths =
        rowLengths(problem.sets[i], [&](int k) { return squaredLength(contact_rows_, first + k); });
    for (int k = 0; k < problem.sets[i].dimension(); ++k)
      reference_ = std::max(reference_, lengths[k] * std::abs(u_free_[first + k]));
  }
  scale_ = inversePower(reference_ * largest);
  const double unit = reference_ > 0 ? reference_ * scale_ : 1.0;
  const auto set = [&](int pair, double weight, double contact_scale) {
    if (pair < 0) return;
    lcp_.units()[pair] = contact_scale * unit;
    lcp_.weights()[pair] = weight;
  };
  for (const FrictionVariables::ConeVariables& cone : variables_.cones()) {
    set(cone.main, 1, cone.scale);
    for (int k = 0; k < cone.directions; ++k)
      set(cone.first_direction + k, kLemke.friction_weight, cone.scale);
    set(cone.last, 1, cone.scale);
  }
}

// row.u of an impulse variable, in its contact's scale.
double SparseFrictionLcp::rowVelocity(int variable, std::span<const double> u) const {
  const FrictionVariables::ConeVariables& cone = variables_.ownerOf(variable);
  double sum = 0;
  for (int k = 0; k < cone.rows; ++k)
    sum += variables_.variable(variable).row[k] * u[cone.first_row + k];
  return cone.scale * sum;
}

void SparseFrictionLcp::fillRightSide(const ContactProblem& problem) {
  const std::span<double> right = lcp_.rightSide();
  for (const FrictionVariables::ConeVariables& cone : variables_.cones())
    if (cone.base != 0)
      addTo(right.first(problem.v_free.size()), contact_rows_, cone.first_row, cone.base);
  for (std::size_t k = 0; k < kept_.size(); ++k)
    right[moving_ + k] = -joint_scale_[kept_[k]] * joint_free_[kept_[k]];
  for (int a = 0; a < variables_.impulseCount(); ++a)
    right[lcp_.freeCount() + a] = rowVelocity(a, u_free_);
  for (double& value : right) value *= scale_;
}

void SparseFrictionLcp::recover(const ContactProblem& problem, std::span<const double> x,
                                std::span<const double> z, ContactSolution& solution) const {
  solution.p.resize(problem.b.size());
  variables_.impulses(z, scale_, solution.p);
  solution.c.assign(problem.g.size(), 0.0);
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const std::size_t j = kept_[k];
    solution.c[j] = joint_scale_[j] * x[moving_ + k] / scale_;
  }
  solution.v.assign(x.begin(), x.begin() + problem.velocityCount());
  for (double& d : solution.v) d /= scale_;
  finishVelocity(problem, solution);
}

void SparseFrictionLcp::balance(const ContactProblem& problem, ContactSolution& solution) const {
  solution.v.assign(problem.v_free.size(), 0.0);
  for (int row = 0; row < contact_rows_.rowCount(); ++row)
    addTo(solution.v, contact_rows_, row, solution.p[row]);
  for (int row = 0; row < joint_rows_.rowCount(); ++row)
    addTo(solution.v, joint_rows_, row, solution.c[row]);
  finishVelocity(problem, solution);
}

void SparseFrictionLcp::finishVelocity(const ContactProblem& problem,
                                       ContactSolution& solution) const {
  solveLowerTransposed(mass_.L(), solution.v);
  addScaled(1.0, problem.v_free, solution.v);
}

VelocityError SparseFrictionLcp::velocityError(const ContactProblem& problem,
                                               std::span<const double> z,
                                               const ContactSolution& solution) {
  u_.resize(problem.b.size());
  multiply(problem.J, solution.v, u_);
  addScaled(1.0, problem.b, u_);
  w_.assign(variables_.size(), 0.0);
  for (const FrictionVariables::ConeVariables& cone : variables_.cones())
    if (cone.last >= 0) w_[cone.last] = cone.bound;
  for (const FrictionVariables::Coupling& entry : variables_.couplings())
    w_[entry.row] += entry.value * z[entry.column] / scale_;
  for (int a = 0; a < variables_.impulseCount(); ++a) w_[a] += rowVelocity(a, u_);
  VelocityError error;
  for (const FrictionVariables::ConeVariables& cone : variables_.cones()) {
    const auto look = [&](int k) { error.add(z[k] / scale_, w_[k], cone.scale); };
    if (cone.main >= 0) look(cone.main);
    for (int k = 0; k < cone.directions; ++k) look(cone.first_direction + k);
    if (cone.last >= 0) look(cone.last);
  }
  error.reference = reference_;
  return error;
}

}  // namespace stickslip
