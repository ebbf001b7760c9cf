#include "math/dense/nonnegative_fit.hpp"

#include <cmath>

namespace stickslip {
namespace {

// Cosines below this say that a column is at right angles to what is left.
constexpr double kRightAngle = 1e-14;
// What is left of b, or of a column beside others, if it is only rounding.
constexpr double kNothing = 1e-15;
constexpr double kDependentColumn = 1e-13;

double product(const FitColumn& a, const FitColumn& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

void subtract(double factor, const FitColumn& from, FitColumn& out) {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] -= factor * from[k];
}

// x of the columns in use without bounds, by modified Gram-Schmidt; false if they are dependent.
bool solveFree(std::span<const FitColumn> columns, const FitColumn& b, NonnegativeFit& fit,
               std::array<double, kMostFitRows>& x) {
  const std::size_t n = fit.count;
  std::array<FitColumn, kMostFitRows> Q;
  std::array<std::array<double, kMostFitRows>, kMostFitRows> R{};
  std::array<double, kMostFitRows> right{};
  FitColumn rest = b;
  for (std::size_t i = 0; i < n; ++i) {
    FitColumn q = columns[fit.column[i]];
    const double whole = std::sqrt(product(q, q));
    // Twice is enough.
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t k = 0; k < i; ++k) {
        const double along = product(Q[k], q);
        R[k][i] += along;
        subtract(along, Q[k], q);
      }
    R[i][i] = std::sqrt(product(q, q));
    if (!(R[i][i] > kDependentColumn * whole)) return false;
    for (double& entry : q) entry /= R[i][i];
    Q[i] = q;
    right[i] = product(q, rest);
    subtract(right[i], q, rest);
  }
  for (std::size_t i = n; i-- > 0;) {
    x[i] = right[i];
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= R[i][k] * x[k];
    x[i] /= R[i][i];
  }
  fit.rest = rest;
  return true;
}

void drop(std::size_t i, NonnegativeFit& fit) {
  --fit.count;
  for (auto k = i; k < static_cast<std::size_t>(fit.count); ++k) {
    fit.column[k] = fit.column[k + 1];
    fit.x[k] = fit.x[k + 1];
  }
}

// Goes to the free solution, or as far as all x stay positive: what gets to zero is dropped.
bool settle(std::span<const FitColumn> columns, const FitColumn& b, NonnegativeFit& fit) {
  std::array<double, kMostFitRows> x{};
  while (fit.count > 0) {
    if (!solveFree(columns, b, fit, x)) return false;
    double step = 1;
    std::size_t first = kMostFitRows;
    for (std::size_t i = 0; i < static_cast<std::size_t>(fit.count); ++i) {
      if (x[i] > 0) continue;
      const double until = fit.x[i] > 0 ? fit.x[i] / (fit.x[i] - x[i]) : 0;
      if (first == kMostFitRows || until < step) {
        step = until;
        first = i;
      }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(fit.count); ++i)
      fit.x[i] += step * (x[i] - fit.x[i]);
    if (first == kMostFitRows) return true;
    drop(first, fit);
  }
  fit.rest = b;
  return true;
}

}  // namespace

NonnegativeFit fitNonnegative(std::span<const FitColumn> columns, const FitColumn& b) {
  NonnegativeFit fit;
  fit.rest = b;
  const double size = std::sqrt(product(b, b));
  for (std::size_t step = 0; step < 4 * columns.size(); ++step) {
    const double left = std::sqrt(product(fit.rest, fit.rest));
    if (!(left > kNothing * size) || fit.count == static_cast<int>(kMostFitRows)) break;
    int best = -1;
    double most = kRightAngle;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double length = std::sqrt(product(columns[k], columns[k]));
      if (!(length > 0)) continue;
      const double cosine = product(columns[k], fit.rest) / (length * left);
      if (!(cosine > most)) continue;
      most = cosine;
      best = static_cast<int>(k);
    }
    if (best < 0) break;
    const NonnegativeFit before = fit;
    fit.column[fit.count] = best;
    fit.x[fit.count++] = 0;
    // Rounding chose a column that does not help: there is none.
    if (!settle(columns, b, fit) || !(product(fit.rest, fit.rest) < left * left)) {
      fit = before;
      break;
    }
  }
  return fit;
}

}  // namespace stickslip
