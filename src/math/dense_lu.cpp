#include "math/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace stickslip {
namespace {

constexpr double kSingular = 1e-15;

std::size_t largestBelow(std::span<const double> A, std::size_t n, std::size_t k) {
  std::size_t best = k;
  for (std::size_t i = k + 1; i < n; ++i)
    if (std::abs(A[i * n + k]) > std::abs(A[best * n + k])) best = i;
  return best;
}

}  // namespace

bool factorizeLu(std::span<double> A, std::span<int> exchanges) {
  const std::size_t n = exchanges.size();
  double largest = 0;
  for (const double a : A) largest = std::max(largest, std::abs(a));
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t pivot = largestBelow(A, n, k);
    exchanges[k] = static_cast<int>(pivot);
    if (pivot != k) std::swap_ranges(&A[k * n], &A[k * n] + n, &A[pivot * n]);
    if (!(std::abs(A[k * n + k]) > kSingular * largest)) return false;
    const double inverse = 1.0 / A[k * n + k];
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] *= inverse;
      if (factor == 0) continue;
      for (std::size_t j = k + 1; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
    }
  }
  return true;
}

void solveLu(std::span<const double> A, std::span<const int> exchanges, std::span<double> x) {
  const std::size_t n = exchanges.size();
  for (std::size_t k = 0; k < n; ++k) std::swap(x[k], x[static_cast<std::size_t>(exchanges[k])]);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) x[i] -= A[i * n + j] * x[j];
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) x[i] -= A[i * n + j] * x[j];
    x[i] /= A[i * n + i];
  }
}

}  // namespace stickslip
