#include "problem/reduced_problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"

namespace stickslip {
namespace {

// What is left of a direction beside the joints counts as rounding below this part of it.
constexpr double kHeld = 1e-12;

}  // namespace

void ReducedProblem::reserve(int velocities, int contact_rows, int joint_rows) {
  // Every joint row may be compliant, which is a column more.
  const std::size_t f = velocities + joint_rows;
  const std::size_t m = contact_rows;
  const std::size_t k = joint_rows;
  A_.reserve(m * f);
  AP_.reserve(m * f);
  columns_.reserve(m * f);
  scaled_.reserve(std::max(contact_rows, joint_rows), std::max(contact_rows, joint_rows));
  B_.reserve(k * f);
  W_.reserve(m * m);
  q_.reserve(m);
  r_.reserve(k);
  joints_.reserve(joint_rows, velocities + joint_rows);
  for (auto* v : {&y_free_, &shift_, &change_}) v->reserve(f);
}

std::span<double> ReducedProblem::rowOf(std::vector<double>& matrix, int i) const {
  const std::size_t width = width_;
  return {matrix.data() + static_cast<std::size_t>(i) * width, width};
}

std::span<const double> ReducedProblem::rowOf(const std::vector<double>& matrix, int i) const {
  const std::size_t width = width_;
  return {matrix.data() + static_cast<std::size_t>(i) * width, width};
}

void ReducedProblem::reduce(const ContactProblem& problem) {
  assert(problem.compliance.size() == problem.g.size());
  velocities_ = problem.velocityCount();
  width_ = velocities_ +
           static_cast<int>(std::count_if(problem.compliance.begin(), problem.compliance.end(),
                                          [](double c) { return c > 0; }));
  rows_ = problem.J.rowCount();
  mass_.start(problem.M);
  scaleRows(problem.J, A_);
  AP_ = A_;
  v_free_ = problem.v_free;
  shift_.assign(width_, 0.0);
  r_.resize(problem.g.size());
  if (problem.G.rowCount() > 0) eliminateJoints(problem);

  const std::size_t m = rows_;
  q_.resize(m);
  multiply(problem.J, v_free_, q_);
  for (int i = 0; i < rows_; ++i) {
    const std::size_t row = i;
    q_[row] += problem.b[row];
    if (problem.G.rowCount() > 0) q_[row] = startVelocity(i, q_[row]);
  }
  multiplyRows();
}

// W = AP AP', column by column of AP, as most of its entries are zero.
void ReducedProblem::multiplyRows() {
  const auto m = static_cast<std::size_t>(rows_), width = static_cast<std::size_t>(width_);
  columns_.resize(width * m);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k < width; ++k) columns_[k * m + i] = AP_[i * width + k];
  W_.assign(m * m, 0.0);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k < width; ++k) {
      const double factor = AP_[i * width + k];
      if (factor != 0)
        addScaled(factor, std::span(columns_).subspan(k * m, m), {W_.data() + i * m, m});
    }
}

// Contact velocity without contact impulses, given that of the free motion. Where the joints hold
// the direction altogether no impulse can repair a velocity that rounding has made negative, so
// there rounding counts as zero.
double ReducedProblem::startVelocity(int i, double free_velocity) const {
  const std::span<const double> direction = rowOf(A_, i);
  const double velocity = free_velocity + dot(direction, shift_);
  if (norm(rowOf(AP_, i)) > 0) return velocity;
  const double size = std::abs(free_velocity) + norm(direction) * (norm(y_free_) + norm(shift_));
  return std::abs(velocity) <= kHeld * size ? 0.0 : velocity;
}

void ReducedProblem::scaleRows(const BlockRows& rows, std::vector<double>& out) {
  scaled_.clear();
  for (int group = 0; group < rows.groupCount(); ++group) scaled_.add(mass_.L(), rows, group);
  out.assign(static_cast<std::size_t>(rows.rowCount()) * static_cast<std::size_t>(width_), 0.0);
  for (int i = 0; i < rows.rowCount(); ++i) {
    const std::span<double> target = rowOf(out, i);
    scaled_.forEntries(i, [&](int column, double value) { target[column] = value; });
  }
}

void ReducedProblem::addCompliance(std::span<const double> compliance) {
  std::size_t column = velocities_;
  for (std::size_t row = 0; row < compliance.size(); ++row)
    if (compliance[row] > 0)
      rowOf(B_, static_cast<int>(row))[column++] = std::sqrt(compliance[row]);
}

void ReducedProblem::eliminateJoints(const ContactProblem& problem) {
  scaleRows(problem.G, B_);
  addCompliance(problem.compliance);
  joints_.factorize({B_.data(), problem.G.rowCount(), width_});
  for (int i = 0; i < rows_; ++i) {
    const std::span<double> row = rowOf(AP_, i);
    const double before = norm(row);
    joints_.removeRowSpace(row);
    if (norm(row) <= kHeld * before) std::fill(row.begin(), row.end(), 0.0);
  }

  y_free_.assign(width_, 0.0);
  multiplyLowerTransposed(mass_.L(), v_free_, std::span(y_free_).first(v_free_.size()));
  change_ = y_free_;
  joints_.removeRowSpace(change_);
  std::transform(problem.g.begin(), problem.g.end(), r_.begin(), [](double g) { return -g; });
  joints_.solveRows(r_, shift_);
  addScaled(1.0, change_, shift_);
  addScaled(-1.0, y_free_, shift_);
}

void ReducedProblem::recover(std::span<const double> p, ContactSolution& solution) {
  solution.p.assign(p.begin(), p.end());
  change_ = shift_;
  for (int i = 0; i < rows_; ++i) addScaled(p[i], rowOf(AP_, i), change_);
  solution.v.assign(change_.begin(), change_.begin() + velocities_);
  solveLowerTransposed(mass_.L(), solution.v);
  addScaled(1.0, v_free_, solution.v);

  solution.c.resize(r_.size());
  if (solution.c.empty()) return;
  // B' c is what the contact impulses leave to the joints.
  for (int i = 0; i < rows_; ++i) addScaled(-p[i], rowOf(A_, i), change_);
  joints_.solveTransposed(change_, solution.c);
}

}  // namespace stickslip
