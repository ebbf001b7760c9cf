#include "solvers/cone_newton.hpp"

#include <algorithm>
#include <cmath>

#include "math/dense_lu.hpp"

namespace stickslip {
namespace {

ConeVector shifted(const ConeVector& pi, const ConeVector& omega, double r) {
  return {pi[0] - r * omega[0], pi[1] - r * omega[1], pi[2] - r * omega[2]};
}

}  // namespace

void ConeNewton::reserve(int rows) {
  const auto n = static_cast<std::size_t>(rows);
  unknowns_.reserve(n);
  place_.reserve(n);
  A_.reserve(n * n);
  rhs_.reserve(n);
  exchanges_.reserve(n);
}

bool ConeNewton::step(const ConeProblem& problem, std::span<const double> pi,
                      std::span<const double> omega, double r, double eps, std::span<double> next) {
  classify(problem, pi, omega, r, next);
  assemble(problem, pi, omega, r, eps, next);
  exchanges_.resize(unknowns_.size());
  if (!factorizeLu(A_, exchanges_)) return false;
  solveLu(A_, exchanges_, rhs_);
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    next[static_cast<std::size_t>(unknowns_[k])] = rhs_[k];
  return true;
}

// Fixed values into `next`, zero where there is an unknown.
void ConeNewton::classify(const ConeProblem& problem, std::span<const double> pi,
                          std::span<const double> omega, double r, std::span<double> next) {
  unknowns_.clear();
  place_.assign(pi.size(), -1);
  std::fill(next.begin(), next.end(), 0.0);
  for (const ConeProblem::Item& item : problem.items()) {
    const auto first = static_cast<std::size_t>(item.first);
    const double y = pi[first] - r * omega[first];
    if (item.interval && !(y > item.lower && y < item.upper)) {
      next[first] = std::clamp(y, item.lower, item.upper);
      continue;
    }
    if (!item.interval && !(y > 0)) continue;
    for (int k = 0; k < item.rows; ++k) {
      place_[first + static_cast<std::size_t>(k)] = static_cast<int>(unknowns_.size());
      unknowns_.push_back(item.first + k);
    }
  }
}

void ConeNewton::assemble(const ConeProblem& problem, std::span<const double> pi,
                          std::span<const double> omega, double r, double eps,
                          std::span<const double> next) {
  A_.resize(unknowns_.size() * unknowns_.size());
  rhs_.resize(unknowns_.size());
  for (const int row : unknowns_) velocityRow(problem, row, pi, eps, next);
  for (const ConeProblem::Item& item : problem.items()) {
    if (item.rows == 1 || place_[static_cast<std::size_t>(item.first)] < 0) continue;
    const ConeVector y = shifted(partOf(pi, item), partOf(omega, item), r);
    if (std::hypot(y[1], y[2]) > y[0]) addSlidingRows(item, y, r);
  }
}

// W pi + eps pi = -q - W fixed + eps pi_old.
void ConeNewton::velocityRow(const ConeProblem& problem, int row, std::span<const double> pi,
                             double eps, std::span<const double> fixed) {
  const auto place = static_cast<std::size_t>(place_[static_cast<std::size_t>(row)]);
  const std::span<const double> w = problem.W().row(row);
  double* target = A_.data() + place * unknowns_.size();
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    target[k] = w[static_cast<std::size_t>(unknowns_[k])];
  target[place] += eps;
  double rhs = eps * pi[static_cast<std::size_t>(row)] - problem.q()[static_cast<std::size_t>(row)];
  for (std::size_t k = 0; k < w.size(); ++k)
    if (fixed[k] != 0) rhs -= w[k] * fixed[k];
  rhs_[place] = rhs;
}

// The tangential rows hold omega_t = 0 so far; they become
//   pi_t - pi_n e - a (I - e e') (pi_t - r omega_t) = 0.
void ConeNewton::addSlidingRows(const ConeProblem::Item& item, const ConeVector& y, double r) {
  const std::size_t n = unknowns_.size();
  const auto normal = static_cast<std::size_t>(place_[static_cast<std::size_t>(item.first)]);
  const double length = std::hypot(y[1], y[2]), a = y[0] / length;
  const double e[] = {y[1] / length, y[2] / length};
  if (item.rows == 2) {
    double* row = A_.data() + (normal + 1) * n;
    std::fill_n(row, n, 0.0);
    row[normal + 1] = 1;
    row[normal] = -e[0];
    rhs_[normal + 1] = 0;
    return;
  }
  const double P[2][2] = {{a * (1 - e[0] * e[0]), -a * e[0] * e[1]},
                          {-a * e[0] * e[1], a * (1 - e[1] * e[1])}};
  double* row_1 = A_.data() + (normal + 1) * n;
  double* row_2 = row_1 + n;
  for (std::size_t k = 0; k < n; ++k) {
    const double w_1 = r * row_1[k], w_2 = r * row_2[k];
    row_1[k] = P[0][0] * w_1 + P[0][1] * w_2;
    row_2[k] = P[1][0] * w_1 + P[1][1] * w_2;
  }
  const double b_1 = r * rhs_[normal + 1], b_2 = r * rhs_[normal + 2];
  rhs_[normal + 1] = P[0][0] * b_1 + P[0][1] * b_2;
  rhs_[normal + 2] = P[1][0] * b_1 + P[1][1] * b_2;
  row_1[normal] -= e[0];
  row_2[normal] -= e[1];
  row_1[normal + 1] += 1 - P[0][0];
  row_1[normal + 2] -= P[0][1];
  row_2[normal + 1] -= P[1][0];
  row_2[normal + 2] += 1 - P[1][1];
}

}  // namespace stickslip
