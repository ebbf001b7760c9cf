// Moderate angles: multiples of pi/2 are taken off in parts whose products with the count are exact
// (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980). Others: the
// product with 2/pi in integers, of which only the digits are formed that matter (M. H. Payne and
// R. N. Hanek, Radian reduction for trigonometric functions, SIGNUM Newsletter 18 (1983)).
#include "math/elementary/quarter_turns.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace stickslip {
namespace {

// pi/2 in parts of 33 bits, and the rest.
constexpr double kHalfPiFirst = 0x1.921fb544p+0;
constexpr double kHalfPiSecond = 0x1.0b4611a6p-34;
constexpr double kHalfPiThird = 0x1.3198a2ep-69;
constexpr double kHalfPiFourth = 0x1.b839a252049c1p-104;
constexpr DoubleDouble kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;

// Counts below have 20 bits: their products with parts of 33 bits are exact.
constexpr double kModerateAngle = 0x1p20;

// Digits of 2/pi to the base 2^32, after the point.
constexpr std::array<std::uint32_t, 37> kTwoOverPiDigits{
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046};

QuarterTurns moderateTurns(double x) {
  // The sum has no digits after the point: the nearest integer.
  const double count = (x * kTwoOverPi + 0x1.8p52) - 0x1.8p52;
  const double first = x - count * kHalfPiFirst;  // exact: the terms are close
  const DoubleDouble second = exactSum(first, -count * kHalfPiSecond);
  const DoubleDouble third = exactSum(second.high, -count * kHalfPiThird);
  const double low = (second.low + third.low) - count * kHalfPiFourth;
  return {static_cast<int>(count) & 3, orderedSum(third.high, low)};
}

// A window of digits, most significant first. No double is closer to a multiple of pi/2 than about
// 2^-62 of a quarter turn, so that 190 digits after the point leave more than a hundred for the
// rest.
using Digits = std::array<std::uint32_t, 7>;

Digits shiftedLeft(const Digits& digits, int by) {
  if (by == 0) return digits;
  Digits shifted{};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::uint32_t next = i + 1 < digits.size() ? digits[i + 1] : 0;
    shifted[i] = digits[i] << by | next >> (32 - by);
  }
  return shifted;
}

// digits * factor, without what does not fit on the left.
Digits product(const Digits& digits, std::uint64_t factor) {
  const std::uint64_t low = factor & 0xffffffff, high = factor >> 32;
  Digits result{};
  std::uint64_t carry = 0;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const std::uint64_t by_low = low * digits[i];
    const std::uint64_t by_high = i + 1 < digits.size() ? high * digits[i + 1] : 0;
    const std::uint64_t sum = (carry & 0xffffffff) + (by_low & 0xffffffff) + (by_high & 0xffffffff);
    result[i] = static_cast<std::uint32_t>(sum);
    carry = (carry >> 32) + (by_low >> 32) + (by_high >> 32) + (sum >> 32);
  }
  return result;
}

// x = mantissa 2^exponent with an integer mantissa; digits of 2/pi whose products are multiples of
// four quarter turns are left out.
QuarterTurns largeTurns(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1075;
  const std::uint64_t mantissa = (bits & 0xfffffffffffff) | 0x10000000000000;
  const int skipped = (exponent - 2) >> 5;  // rounds down: -1 or -2 where zeros stand before
  Digits window{};
  for (int i = 0; i < static_cast<int>(window.size()); ++i)
    if (i + skipped >= 0) window[i] = kTwoOverPiDigits[i + skipped];

  // Of the digits of the product, exponent - 32 skipped stand before the point: two are to stay.
  const Digits turns = shiftedLeft(product(window, mantissa), exponent - 32 * skipped - 2);
  int count = static_cast<int>(turns[0] >> 30);
  Digits rest = shiftedLeft(turns, 2);
  const bool above_half = (rest[0] >> 31) != 0;
  if (above_half) {
    ++count;
    std::uint64_t carry = 1;
    for (std::size_t i = rest.size(); i-- > 0;) {
      carry += static_cast<std::uint32_t>(~rest[i]);
      rest[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  DoubleDouble sum;
  double unit = std::ldexp(1.0, -32 * static_cast<int>(rest.size()));
  for (std::size_t i = rest.size(); i-- > 0; unit *= 0x1p32) {
    const DoubleDouble next = orderedSum(unit * rest[i], sum.high);
    sum = {next.high, next.low + sum.low};
  }
  sum = orderedSum(sum.high, sum.low) * kHalfPi;
  if (above_half) sum = {-sum.high, -sum.low};
  if (x > 0) return {count & 3, sum};
  return {-count & 3, {-sum.high, -sum.low}};
}

}  // namespace

QuarterTurns quarterTurns(double x) {
  return std::abs(x) < kModerateAngle ? moderateTurns(x) : largeTurns(x);
}

}  // namespace stickslip
