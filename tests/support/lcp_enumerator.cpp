#include "support/lcp_enumerator.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stickslip::testing {
namespace {

constexpr double kSlack = 1e-9;

std::optional<std::vector<double>> solutionOnSupport(const Lcp& lcp, unsigned support) {
  std::vector<int> rows;
  for (int i = 0; i < lcp.size(); ++i)
    if ((support >> i) & 1u) rows.push_back(i);
  std::vector<double> A, b;
  for (const int i : rows) {
    for (const int j : rows) A.push_back(lcp.N(i, j));
    b.push_back(-lcp.q[i]);
  }
  const auto part = solveDense(A, b);
  if (!part) return std::nullopt;
  std::vector<double> z(lcp.q.size(), 0.0);
  for (std::size_t k = 0; k < rows.size(); ++k) z[rows[k]] = (*part)[k];
  const double size = 1 + std::abs(*std::max_element(z.begin(), z.end()));
  for (int i = 0; i < lcp.size(); ++i) {
    double w = lcp.q[i];
    for (int j = 0; j < lcp.size(); ++j) w += lcp.N(i, j) * z[j];
    if (z[i] < -kSlack * size || w < -kSlack * size) return std::nullopt;
  }
  return z;
}

}  // namespace

std::vector<std::vector<double>> enumerateLcpSolutions(const Lcp& lcp) {
  std::vector<std::vector<double>> solutions;
  for (unsigned support = 0; support < (1u << lcp.size()); ++support)
    if (auto z = solutionOnSupport(lcp, support)) solutions.push_back(std::move(*z));
  return solutions;
}

std::optional<std::vector<double>> solveDense(std::vector<double> A, std::vector<double> b) {
  const std::size_t n = b.size();
  std::vector<std::size_t> column_of(n);
  std::iota(column_of.begin(), column_of.end(), std::size_t{0});
  double largest = 0;
  for (const double a : A) largest = std::max(largest, std::abs(a));
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t row = k, column = k;
    for (std::size_t i = k; i < n; ++i)
      for (std::size_t j = k; j < n; ++j)
        if (std::abs(A[i * n + j]) > std::abs(A[row * n + column])) row = i, column = j;
    if (!(std::abs(A[row * n + column]) > 1e-11 * largest)) return std::nullopt;
    for (std::size_t j = 0; j < n; ++j) std::swap(A[k * n + j], A[row * n + j]);
    std::swap(b[k], b[row]);
    for (std::size_t i = 0; i < n; ++i) std::swap(A[i * n + k], A[i * n + column]);
    std::swap(column_of[k], column_of[column]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A[i * n + k] / A[k * n + k];
      for (std::size_t j = k; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  std::vector<double> x(n);
  for (std::size_t k = 0; k < n; ++k) x[column_of[k]] = b[k] / A[k * n + k];
  return x;
}

}  // namespace stickslip::testing
