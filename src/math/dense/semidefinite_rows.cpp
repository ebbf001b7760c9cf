#include "math/dense/semidefinite_rows.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

// Of entries of a matrix with a unit diagonal: less is rounding.
constexpr double kRoundingOfUnit = 1e-12;

}  // namespace

std::optional<std::vector<WeightedRow>> semidefiniteRows(std::span<const double> A, std::size_t n) {
  std::vector<WeightedRow> rows;
  if (A.empty()) return rows;
  std::vector<double> unit(n), rest(A.begin(), A.end());
  for (std::size_t i = 0; i < n; ++i) {
    if (!(A[i * n + i] >= 0)) return std::nullopt;
    unit[i] = std::sqrt(A[i * n + i]);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double scale = unit[i] * unit[j];
      if (std::abs(A[i * n + j] - A[j * n + i]) > kRoundingOfUnit * scale) return std::nullopt;
      // Where the diagonal is 0 so must be the row.
      if (scale == 0 && A[i * n + j] != 0) return std::nullopt;
      rest[i * n + j] = scale > 0 ? A[i * n + j] / scale : 0;
    }
  const auto diagonal = [&](std::size_t i) { return rest[i * n + i]; };
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t p = 0;
    for (std::size_t i = 1; i < n; ++i)
      if (diagonal(i) > diagonal(p)) p = i;
    const double pivot = diagonal(p);
    if (!(pivot > kRoundingOfUnit)) break;
    WeightedRow row{std::vector<double>(n), pivot};
    for (std::size_t i = 0; i < n; ++i) row.w[i] = rest[i * n + p] / pivot;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) rest[i * n + j] -= pivot * row.w[i] * row.w[j];
    for (std::size_t i = 0; i < n; ++i) {
      rest[i * n + p] = rest[p * n + i] = 0;
      row.w[i] *= unit[i];
    }
    rows.push_back(std::move(row));
  }
  const double left = *std::max_element(
      rest.begin(), rest.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (std::abs(left) > static_cast<double>(n) * kRoundingOfUnit) return std::nullopt;
  return rows;
}

}  // namespace stickslip
