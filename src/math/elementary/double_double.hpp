// Numbers as unevaluated sums of two doubles, some 106 bits, for intermediate results of elementary
// functions (T. J. Dekker, A floating-point technique for extending the available precision, Numer.
// Math. 18 (1971)). Without fused multiply-add: not every machine has it.
#pragma once

namespace stickslip {

/// high + low, |low| at most half a unit in the last place of high.
struct DoubleDouble {
  double high = 0;
  double low = 0;
};

/// a + b exactly, |a| >= |b| or a = 0.
constexpr DoubleDouble orderedSum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b exactly.
constexpr DoubleDouble exactSum(double a, double b) {
  const double sum = a + b, share = sum - a;
  return {sum, (a - (sum - share)) + (b - share)};
}

/// a b exactly, unless parts of it underflow, |a| and |b| below 2^990.
constexpr DoubleDouble exactProduct(double a, double b) {
  constexpr double kSplit = 0x1p27 + 1;
  const double scaled_a = kSplit * a, scaled_b = kSplit * b;
  const double a_high = scaled_a - (scaled_a - a), a_low = a - a_high;
  const double b_high = scaled_b - (scaled_b - b), b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

/// a^2 exactly, under the same conditions.
constexpr DoubleDouble exactSquare(double a) {
  constexpr double kSplit = 0x1p27 + 1;
  const double scaled = kSplit * a;
  const double high = scaled - (scaled - a), low = a - high;
  const double square = a * a;
  return {square, ((high * high - square) + 2 * high * low) + low * low};
}

constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble sum = exactSum(a.high, b.high);
  return orderedSum(sum.high, sum.low + (a.low + b.low));
}

constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = exactProduct(a.high, b.high);
  return orderedSum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double quotient = a.high / b.high;
  const DoubleDouble product = exactProduct(quotient, b.high);
  const double rest = ((a.high - product.high) - product.low) + (a.low - quotient * b.low);
  return orderedSum(quotient, rest / b.high);
}

}  // namespace stickslip
