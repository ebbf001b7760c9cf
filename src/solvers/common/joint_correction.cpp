#include "solvers/common/joint_correction.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"

namespace stickslip {
namespace {

constexpr JointCorrectionSettings kJoints;

}  // namespace

void JointCorrection::reserve(int velocities, int joint_rows) {
  for (std::vector<double>* x : {&error_, &diagonal_, &correction_, &best_, &direction_, &image_})
    x->reserve(joint_rows);
  velocity_.reserve(velocities);
  masses_.reserve(velocities);
  v_before_.reserve(velocities);
  c_before_.reserve(joint_rows);
}

void JointCorrection::run(const ContactProblem& problem, const BlockDiagonal& L, double tolerance,
                          ContactSolution& solution) {
  if (problem.g.empty()) return;
  findDiagonal(problem);
  findSpeed(problem, solution);
  const double before = measure(problem, solution);
  if (!(before > tolerance)) return;
  solve(problem, L);
  c_before_ = solution.c;
  v_before_ = solution.v;
  addScaled(1, correction_, solution.c);
  push(problem, L, correction_);
  addScaled(1, velocity_, solution.v);
  // Errors of rounding size are in nobody's range.
  if (measure(problem, solution) < before) return;
  std::swap(solution.c, c_before_);
  std::swap(solution.v, v_before_);
}

double JointCorrection::measure(const ContactProblem& problem, const ContactSolution& solution) {
  error_.resize(problem.g.size());
  double worst = 0;
  for (int group = 0; group < problem.G.groupCount(); ++group)
    for (int i = 0; i < problem.G.rowsOf(group); ++i) {
      const std::size_t row = problem.G.firstRow(group) + i;
      const double give = problem.compliance[row] * solution.c[row];
      double sum = problem.g[row] + give, size = std::abs(problem.g[row]) + std::abs(give);
      for (const BlockRows::Strip& strip : problem.G.stripsOf(group)) {
        const StripValues entries = problem.G.values(group, strip);
        const std::span<const double> w = entries.row(i);
        for (std::size_t k = 0; k < w.size(); ++k) {
          const auto column = static_cast<std::size_t>(strip.first_column) + k;
          sum += w[k] * solution.v[column];
          size += std::abs(w[k]) *
                  std::max(std::abs(solution.v[column]), std::abs(problem.v_free[column]));
        }
      }
      error_[row] = sum;
      size = std::max(size, kJoints.noise * speed_ * std::sqrt(diagonal_[row]));
      if (size > 0) worst = std::max(worst, std::abs(sum) / size);
    }
  return worst;
}

void JointCorrection::push(const ContactProblem& problem, const BlockDiagonal& L,
                           std::span<const double> x) {
  velocity_.assign(problem.v_free.size(), 0.0);
  for (int group = 0; group < problem.G.groupCount(); ++group)
    for (const BlockRows::Strip& strip : problem.G.stripsOf(group)) {
      const StripValues entries = problem.G.values(group, strip);
      const ConstMatrixView values = entries.view();
      const std::span<double> target =
          std::span(velocity_).subspan(strip.first_column, strip.columns);
      for (int i = 0; i < values.rows; ++i)
        addScaled(x[problem.G.firstRow(group) + i], values.row(i), target);
    }
  solveLower(L, velocity_);
  solveLowerTransposed(L, velocity_);
}

// A scale of each row is enough: |G_k|^2 weighted by the diagonal of M.
void JointCorrection::findDiagonal(const ContactProblem& problem) {
  masses_.resize(problem.v_free.size());
  for (int b = 0; b < problem.M.blockCount(); ++b)
    for (int k = 0; k < problem.M.block(b).rows; ++k)
      masses_[problem.M.firstRow(b) + k] = problem.M.block(b)(k, k);
  diagonal_ = problem.compliance;
  for (int group = 0; group < problem.G.groupCount(); ++group)
    for (const BlockRows::Strip& strip : problem.G.stripsOf(group))
      for (int i = 0; i < problem.G.rowsOf(group); ++i) {
        const StripValues entries = problem.G.values(group, strip);
        const std::span<const double> w = entries.row(i);
        double& entry = diagonal_[problem.G.firstRow(group) + i];
        for (std::size_t k = 0; k < w.size(); ++k)
          entry += w[k] * w[k] / masses_[strip.first_column + k];
      }
}

void JointCorrection::findSpeed(const ContactProblem& problem, const ContactSolution& solution) {
  speed_ = 0;
  for (std::size_t k = 0; k < masses_.size(); ++k)
    speed_ = std::max(speed_, std::sqrt(masses_[k]) *
                                  std::max(std::abs(solution.v[k]), std::abs(problem.v_free[k])));
}

void JointCorrection::solve(const ContactProblem& problem, const BlockDiagonal& L) {
  const std::size_t rows = error_.size();
  correction_.assign(rows, 0.0);
  direction_.assign(rows, 0.0);
  image_.resize(rows);
  const auto weighted = [&] {
    double sum = 0;
    for (std::size_t k = 0; k < rows; ++k)
      if (diagonal_[k] > 0) sum += error_[k] * error_[k] / diagonal_[k];
    return sum;
  };
  double size = weighted();
  const double enough = kJoints.share * kJoints.share * size;
  double last = 0, least = size;
  best_ = correction_;
  for (std::size_t n = 0; n < 2 * rows && size > enough && size < kJoints.lost * least; ++n) {
    const double share = last > 0 ? size / last : 0;
    for (std::size_t k = 0; k < rows; ++k)
      direction_[k] = share * direction_[k] - (diagonal_[k] > 0 ? error_[k] / diagonal_[k] : 0);
    push(problem, L, direction_);
    multiply(problem.G, velocity_, image_);
    for (std::size_t k = 0; k < rows; ++k) image_[k] += problem.compliance[k] * direction_[k];
    const double curvature = dot(direction_, image_);
    if (!(curvature > 0)) break;
    const double length = size / curvature;
    addScaled(length, direction_, correction_);
    addScaled(length, image_, error_);
    last = size;
    size = weighted();
    if (size < least) {
      least = size;
      best_ = correction_;
    }
  }
  std::swap(correction_, best_);
}

}  // namespace stickslip
