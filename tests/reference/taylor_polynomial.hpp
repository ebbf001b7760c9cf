// Taylor polynomials on [0, 1]: values, sign changes, integrals of products.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace stickslip::reference {

/// The woodpecker's rates are <= 460 / s: the remainder is 0.46^17 / 17! for a step of 1e-3 s.
inline constexpr std::size_t kOrder = 16;
using Polynomial = std::array<double, kOrder + 1>;

/// A leading Taylor coefficient below this share of the largest one counts as zero. Rounding leaves
/// about 1e-13; a true value that small would vanish within 1e-10 of a step, 5e-14 s.
inline constexpr double kLeadingTolerance = 1e-10;

template <std::size_t N>
double largestEntry(const std::array<double, N>& v) {
  double m = 0.0;
  for (double x : v) m = std::max(m, std::abs(x));
  return m;
}

double evaluate(const Polynomial& f, double s);
Polynomial differentiate(const Polynomial& f);
/// Sign on (0, epsilon): that of the first non-zero coefficient.
bool isNonnegativeAfterStart(const Polynomial& f);
/// Every change of sign in (0, 1], ascending.
std::vector<double> signChanges(const Polynomial& f);
/// Sets leading coefficients to zero that are rounding noise beside the rest of the series.
void cleanLeading(Polynomial& f);
/// First s at which f turns negative; nothing if f stays nonnegative on (0, 1].
std::optional<double> firstViolation(const Polynomial& f);
/// Integral of f g over [0, s].
double integrateProduct(const Polynomial& f, const Polynomial& g, double s);

}  // namespace stickslip::reference
