#include "support/dense_relaxed.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/impulse_law.hpp"
#include "support/contact_problems.hpp"

namespace stickslip::testing {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// Rows of J, and of J M^-1.
struct DenseRows {
  std::vector<std::vector<double>> J, J_by_M;
};

DenseRows denseRows(const ContactProblem& problem) {
  DenseRows rows;
  for (int row = 0; row < problem.J.rowCount(); ++row) {
    rows.J.push_back(denseRow(problem.J, row, problem.velocityCount()));
    rows.J_by_M.push_back(solveMass(problem.M, rows.J.back()));
  }
  return rows;
}

void project(const ContactProblem& problem, std::vector<double>& p) {
  for (int i = 0; i < problem.contactCount(); ++i) {
    const int first = problem.J.firstRow(i), dimension = problem.J.rowsOf(i);
    ImpulseVector x{};
    for (int k = 0; k < dimension; ++k) x[k] = p[first + k];
    const ImpulseVector y = projectOnSet(problem.sets[i], x);
    for (int k = 0; k < dimension; ++k) p[first + k] = y[k];
  }
}

}  // namespace

std::vector<double> solveMass(const BlockDiagonal& M, std::vector<double> x) {
  for (int b = 0; b < M.blockCount(); ++b) {
    const ConstMatrixView block = M.block(b);
    const int n = block.rows, first = M.firstRow(b);
    std::vector<double> A(block.data, block.data + n * n);
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        const double factor = A[j * n + i] / A[i * n + i];
        for (int k = i; k < n; ++k) A[j * n + k] -= factor * A[i * n + k];
        x[first + j] -= factor * x[first + i];
      }
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) x[first + i] -= A[i * n + k] * x[first + k];
      x[first + i] /= A[i * n + i];
    }
  }
  return x;
}

std::vector<double> contactVelocities(const ContactProblem& problem, const std::vector<double>& v) {
  std::vector<double> u = problem.b;
  for (int row = 0; row < problem.J.rowCount(); ++row)
    u[row] += dot(denseRow(problem.J, row, problem.velocityCount()), v);
  return u;
}

LocalProblem eliminateBodies(const ContactProblem& problem) {
  const DenseRows rows = denseRows(problem);
  LocalProblem local;
  const int n = problem.J.rowCount();
  local.W.rows = local.W.columns = n;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double value = dot(rows.J[i], rows.J_by_M[j]);
      if (value == 0) continue;
      local.W.column.push_back(j);
      local.W.value.push_back(value);
    }
    local.W.start.push_back(local.W.column.size());
  }
  local.q = contactVelocities(problem, problem.v_free);
  local.sets = problem.sets;
  local.law = problem.law;
  return local;
}

// Nesterov's method with restarts on p.W p / 2 + q.p over the impulse sets.
std::vector<double> relaxedVelocities(const ContactProblem& problem, int iterations) {
  const DenseRows rows = denseRows(problem);
  const std::size_t n = rows.J.size();
  const auto velocities = [&](const std::vector<double>& p) {
    std::vector<double> v = problem.v_free;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < v.size(); ++k) v[k] += p[i] * rows.J_by_M[i][k];
    return v;
  };
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += dot(rows.J[i], rows.J_by_M[i]);
  std::vector<double> p(n, 0.0), y = p;
  double t = 1;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const std::vector<double> u = contactVelocities(problem, velocities(y));
    std::vector<double> next = y;
    for (std::size_t k = 0; k < n; ++k) next[k] -= u[k] / trace;
    project(problem, next);
    double progress = 0;
    for (std::size_t k = 0; k < n; ++k) progress += (y[k] - next[k]) * (next[k] - p[k]);
    if (progress > 0) t = 1;
    const double t_next = (1 + std::sqrt(1 + 4 * t * t)) / 2;
    for (std::size_t k = 0; k < n; ++k) y[k] = next[k] + (t - 1) / t_next * (next[k] - p[k]);
    p = next;
    t = t_next;
  }
  return velocities(p);
}

}  // namespace stickslip::testing
