#include "math/dense/lu.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace stickslip {
namespace {

constexpr double kSingular = 1e-15;
// Columns that are factorized before the rest of the matrix follows.
constexpr std::size_t kPanel = 16;

std::size_t largestBelow(std::span<const double> A, std::size_t n, std::size_t k) {
  std::size_t best = k;
  for (std::size_t i = k + 1; i < n; ++i)
    if (std::abs(A[i * n + k]) > std::abs(A[best * n + k])) best = i;
  return best;
}

// Row i minus its multiples of the pivot rows first ... end - 1, from `column` on. Four pivots at a
// time: every entry sees the same operations in the same order as with one pivot after the other,
// but is read and written less often.
void subtractPivots(std::span<double> A, std::size_t n, std::size_t i, std::size_t first,
                    std::size_t end, std::size_t column) {
  double* row = &A[i * n];
  std::size_t k = first;
  for (; k + 4 <= end; k += 4) {
    const double f_0 = row[k], f_1 = row[k + 1], f_2 = row[k + 2], f_3 = row[k + 3];
    if (f_0 == 0 && f_1 == 0 && f_2 == 0 && f_3 == 0) continue;
    const double *u_0 = &A[k * n], *u_1 = u_0 + n, *u_2 = u_1 + n, *u_3 = u_2 + n;
    for (std::size_t j = column; j < n; ++j)
      row[j] = (((row[j] - f_0 * u_0[j]) - f_1 * u_1[j]) - f_2 * u_2[j]) - f_3 * u_3[j];
  }
  for (; k < end; ++k) {
    const double factor = row[k];
    if (factor == 0) continue;
    for (std::size_t j = column; j < n; ++j) row[j] -= factor * A[k * n + j];
  }
}

}  // namespace

bool factorizeLu(std::span<double> A, std::span<int> exchanges) {
  const std::size_t n = exchanges.size();
  double largest = 0;
  for (const double a : A) largest = std::max(largest, std::abs(a));
  for (std::size_t first = 0; first < n; first += kPanel) {
    const std::size_t last = std::min(first + kPanel, n);
    for (std::size_t k = first; k < last; ++k) {
      const std::size_t pivot = largestBelow(A, n, k);
      exchanges[k] = static_cast<int>(pivot);
      if (pivot != k) std::swap_ranges(&A[k * n], &A[k * n] + n, &A[pivot * n]);
      if (!(std::abs(A[k * n + k]) > kSingular * largest)) return false;
      const double inverse = 1.0 / A[k * n + k];
      for (std::size_t i = k + 1; i < n; ++i) {
        const double factor = A[i * n + k] *= inverse;
        if (factor == 0) continue;
        for (std::size_t j = k + 1; j < last; ++j) A[i * n + j] -= factor * A[k * n + j];
      }
    }
    if (last == n) break;
    for (std::size_t i = first + 1; i < last; ++i) subtractPivots(A, n, i, first, i, last);
    for (std::size_t i = last; i < n; ++i) subtractPivots(A, n, i, first, last, last);
  }
  return true;
}

void solveLu(std::span<const double> A, std::span<const int> exchanges, std::span<double> x) {
  const std::size_t n = exchanges.size();
  for (std::size_t k = 0; k < n; ++k) std::swap(x[k], x[exchanges[k]]);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) x[i] -= A[i * n + j] * x[j];
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) x[i] -= A[i * n + j] * x[j];
    x[i] /= A[i * n + i];
  }
}

}  // namespace stickslip
