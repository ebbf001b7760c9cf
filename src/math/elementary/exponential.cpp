// The exponential function, logarithms and what is made of them.
//
// exp x = 2^k exp r with |r| <= ln 2 / 2, exp r by its series. log x = k ln 2 + 2 artanh s with
// s = (m - 1) / (m + 1), x = 2^k m, sqrt(1/2) <= m < sqrt 2, to some 68 bits, so that a power is
// exp(y log x) and still good to its last bit.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "math/elementary/double_double.hpp"
#include "math/elementary/power_series.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
// ln 2 in parts of 40 bits, whose products with exponents are exact, and the rest.
constexpr double kLn2First = 0x1.62e42fefa2p-1;
constexpr double kLn2Second = 0x1.9ef35793c6p-41;
constexpr double kLn2Third = 0x1.673007e5ed5e8p-81;
constexpr DoubleDouble kInverseLn10{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};

// Above, exp overflows, below, it is zero.
constexpr double kLargestPower = 0x1.62e42fefa39efp+9;
constexpr double kSmallestPower = -0x1.74910d52d3052p+9;

// From x^2 / 2! to x^15 / 15!: what follows is below 2^-68.
constexpr auto kExponentialTerms = inverseFactorials<14>(2, 1);
// From x^3 / 3! to x^19 / 19!, for |x| < 1.
constexpr auto kHyperbolicTerms = inverseFactorials<9>(3, 2);

// (high + low) 2^exponent.
struct Scaled {
  DoubleDouble factor;
  int exponent;
};

// exp(x + dx), |x| < 800, dx small.
Scaled exponential(double x, double dx) {
  // The sum has no digits after the point: the nearest integer.
  const double count = (x * kInverseLn2 + 0x1.8p52) - 0x1.8p52;
  const DoubleDouble r =
      exactSum(x - count * kLn2First, dx - count * kLn2Second - count * kLn2Third);
  const double small = r.high * r.high * powerSeries(kExponentialTerms, r.high);
  const DoubleDouble first = orderedSum(1, r.high);
  const double low = first.low + (small + r.low * (1 + r.high));
  return {orderedSum(first.high, low), static_cast<int>(count)};
}

double powerOfTwo(int k) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

// x 2^k with one rounding, where x is near one.
double scaled(double x, int k) {
  if (k > 1023) return x * powerOfTwo(k - 1023) * powerOfTwo(1023);
  if (k >= -1021) return x * powerOfTwo(k);
  return x * powerOfTwo(k + 200) * 0x1p-200;
}

// 1 / e for e = factor 2^exponent >= 1, in units of 2^exponent. Beside e only its first digits
// count.
double inverseBeside(const Scaled& e) {
  return e.exponent < 100 ? scaled(1 / e.factor.high, -2 * e.exponent) : 0;
}

// 1/7, 1/9, ..., 1/27: what follows is below 2^-70 of the first term.
constexpr std::array<double, 11> kLogarithmTerms{1. / 7,  1. / 9,  1. / 11, 1. / 13,
                                                 1. / 15, 1. / 17, 1. / 19, 1. / 21,
                                                 1. / 23, 1. / 25, 1. / 27};
constexpr DoubleDouble kThird{0x1.5555555555555p-2, 0x1.5555555555555p-56};
constexpr DoubleDouble kFifth{0x1.999999999999ap-3, -0x1.999999999999ap-57};

// x positive and finite.
DoubleDouble logarithm(double x) {
  int k = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    k = -54;
  }
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  if (m > 0x1.6a09e667f3bcdp+0) {
    m /= 2;
    ++k;
  }
  const DoubleDouble s = DoubleDouble{m - 1, 0} / exactSum(1, m);
  const DoubleDouble square = s * s;
  const double tail = square.high * powerSeries(kLogarithmTerms, square.high);
  const DoubleDouble inner = kThird + square * (kFifth + DoubleDouble{tail, 0});
  const DoubleDouble twice{2 * s.high, 2 * s.low};
  const DoubleDouble log_m = twice + twice * (square * inner);
  const DoubleDouble log_2 = orderedSum(k * kLn2First, k * kLn2Second);
  return DoubleDouble{log_2.high, log_2.low + k * kLn2Third} + log_m;
}

// What a logarithm is where there is no number, or no finite one.
bool hasLogarithm(double x) {
  return x > 0 && x < kInfinity;
}
double specialLogarithm(double x) {
  return x == 0 ? -kInfinity : x > 0 ? x : kNaN;
}

bool isInteger(double x) {
  return std::floor(x) == x;
}
bool isOdd(double x) {
  return isInteger(x) && std::abs(x) < 0x1p53 && !isInteger(x / 2);
}

// base > 0, both finite.
double positivePower(double base, double exponent) {
  const DoubleDouble log_base = logarithm(base);
  const double estimate = exponent * log_base.high;
  if (estimate > kLargestPower + 1) return kInfinity;
  if (estimate < kSmallestPower - 1) return 0;
  if (std::abs(estimate) < 0x1p-60) return 1 + estimate;
  const DoubleDouble product = exactProduct(exponent, log_base.high);
  const Scaled power = exponential(product.high, product.low + exponent * log_base.low);
  return scaled(power.factor.high, power.exponent);
}

}  // namespace

double exp(double x) {
  if (std::isnan(x)) return x;
  if (x > kLargestPower) return kInfinity;
  if (x < kSmallestPower) return 0;
  const Scaled power = exponential(x, 0);
  return scaled(power.factor.high, power.exponent);
}

double sinh(double x) {
  const double size = std::abs(x);
  if (size < 0x1p-27 || !std::isfinite(x)) return x;
  if (size < 1) {
    const double square = x * x;
    return x + x * square * powerSeries(kHyperbolicTerms, square);
  }
  if (size > kLargestPower + 1) return std::copysign(kInfinity, x);
  const Scaled power = exponential(size, 0);
  const DoubleDouble factor = exactSum(power.factor.high, -inverseBeside(power));
  const double sum = factor.high + (factor.low + power.factor.low);
  return std::copysign(scaled(sum, power.exponent - 1), x);
}

double cosh(double x) {
  if (std::isnan(x)) return x;
  const double size = std::abs(x);
  if (size > kLargestPower + 1) return kInfinity;
  const Scaled power = exponential(size, 0);
  const DoubleDouble factor = exactSum(power.factor.high, inverseBeside(power));
  return scaled(factor.high + (factor.low + power.factor.low), power.exponent - 1);
}

double log(double x) {
  return hasLogarithm(x) ? logarithm(x).high : specialLogarithm(x);
}

double log10(double x) {
  return hasLogarithm(x) ? (logarithm(x) * kInverseLn10).high : specialLogarithm(x);
}

double pow(double base, double exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (std::isnan(base) || std::isnan(exponent)) return base + exponent;
  const double size = std::abs(base);
  if (std::isinf(exponent)) {
    if (size == 1) return 1;
    return (size > 1) == (exponent > 0) ? kInfinity : 0;
  }
  const double sign = std::signbit(base) && isOdd(exponent) ? -1 : 1;
  if (size == 0 || std::isinf(size)) return sign * ((size == 0) == (exponent > 0) ? 0 : kInfinity);
  if (base < 0 && !isInteger(exponent)) return kNaN;
  return sign * positivePower(size, exponent);
}

}  // namespace stickslip::math
