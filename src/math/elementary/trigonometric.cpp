// Sine, cosine and the angle of a point. Sines and cosines of the rest of quarter turns by their
// power series, the terms that are smaller than the first in double precision. Angles of points:
// turned back by one of five angles whose tangents are multiples of 1/4, the rest by its series.
//
// Quarter turns of moderate angles: multiples of pi/2 are taken off in parts whose products with
// the count are exact (W. J. Cody and W. Waite, Software Manual for the Elementary Functions,
// 1980). Others: the product with 2/pi in integers, of which only the digits are formed that matter
// (M. H. Payne and R. N. Hanek, Radian reduction for trigonometric functions, SIGNUM Newsletter 18
// (1983)).
#include <algorithm>
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

constexpr double kQuarterPi = 0x1.921fb54442d18p-1;
constexpr DoubleDouble kRightAngle{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr DoubleDouble kPi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
// Of angles below, sine and cosine are x and 1 to rounding.
constexpr double kTinyAngle = 0x1p-27;

// x = (pi / 2) (count + 4 n) + rest, with some integer n and |rest| at most a little above pi / 4.
struct QuarterTurns {
  int count;  ///< 0 to 3
  DoubleDouble rest;
};

// pi/2 in parts of 33 bits, and the rest.
constexpr double kHalfPiFirst = 0x1.921fb544p+0;
constexpr double kHalfPiSecond = 0x1.0b4611a6p-34;
constexpr double kHalfPiThird = 0x1.3198a2ep-69;
constexpr double kHalfPiFourth = 0x1.b839a252049c1p-104;
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
  sum = orderedSum(sum.high, sum.low) * kRightAngle;
  if (above_half) sum = {-sum.high, -sum.low};
  if (x > 0) return {count & 3, sum};
  return {-count & 3, {-sum.high, -sum.low}};
}

// x is finite. The rest has a relative error of some 2^-60, also next to multiples of pi / 2.
QuarterTurns quarterTurns(double x) {
  return std::abs(x) < kModerateAngle ? moderateTurns(x) : largeTurns(x);
}

// From x^3 / 3! to x^17 / 17!, from x^4 / 4! to x^16 / 16!: what follows is below 2^-58.
constexpr auto kSineTerms = inverseFactorials<8>(3, 2, true);
constexpr auto kCosineTerms = inverseFactorials<7>(4, 2, true);

// |x| up to a little above pi / 4. sin(x + dx) = sin x + dx cos x.
double sineSeries(DoubleDouble x) {
  const double square = x.high * x.high;
  const double cubic = square * x.high * powerSeries(kSineTerms, square);
  return x.high - (cubic - x.low * (1 - square / 2));
}

// cos(x + dx) = cos x - dx sin x; what 1 - x^2 / 2 loses is added to the small terms.
double cosineSeries(DoubleDouble x) {
  const double square = x.high * x.high, half = square / 2;
  const double first = 1 - half;
  const double quartic = square * square * powerSeries(kCosineTerms, square);
  return first + (((1 - first) - half) + (quartic - x.high * x.low));
}

SineCosine turned(int quarters, SineCosine s) {
  switch (quarters) {
    case 0:
      return s;
    case 1:
      return {s.cos, -s.sin};
    case 2:
      return {-s.sin, -s.cos};
    default:
      return {-s.cos, s.sin};
  }
}

// atan(i / 4).
constexpr std::array<DoubleDouble, 5> kQuarterTangents{{
    {0, 0},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
}};

// From x^3 / 3 to x^19 / 19: tangents are up to 1/8, what follows is below 2^-60 of the first.
constexpr std::array<double, 9> kTangentTerms{-1. / 3, 1. / 5,   -1. / 7, 1. / 9,  -1. / 11,
                                              1. / 13, -1. / 15, 1. / 17, -1. / 19};

// atan(y / x), 0 <= y <= x, x neither very large nor very small.
DoubleDouble firstOctant(double y, double x) {
  const int i = static_cast<int>(4 * (y / x) + 0.5);
  const double c = 0.25 * i;
  const DoubleDouble cx = exactProduct(c, x), cy = exactProduct(c, y);
  const DoubleDouble t =
      (DoubleDouble{y, 0} + DoubleDouble{-cx.high, -cx.low}) / (DoubleDouble{x, 0} + cy);
  const double square = t.high * t.high;
  const double small = t.low * (1 - square) + t.high * square * powerSeries(kTangentTerms, square);
  const DoubleDouble turn = kQuarterTangents[i];
  const DoubleDouble sum = exactSum(turn.high, t.high);
  return orderedSum(sum.high, sum.low + (turn.low + small));
}

// The angle of a point with positive coordinates.
DoubleDouble firstQuadrant(double y, double x) {
  // Far from one, a power of two that brings the larger one there; the smaller one may underflow
  // beside it.
  const double larger = std::max(x, y);
  if (larger < 0x1p-500 || larger > 0x1p500) {
    const int exponent = std::ilogb(larger);
    x = std::ldexp(x, -exponent);
    y = std::ldexp(y, -exponent);
  }
  if (y <= x) return firstOctant(y, x);
  const DoubleDouble rest = firstOctant(x, y);
  return kRightAngle + DoubleDouble{-rest.high, -rest.low};
}

}  // namespace

double sin(double x) {
  if (std::abs(x) <= kQuarterPi) return std::abs(x) < kTinyAngle ? x : sineSeries({x, 0});
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  const QuarterTurns turns = quarterTurns(x);
  const double size = turns.count % 2 == 0 ? sineSeries(turns.rest) : cosineSeries(turns.rest);
  return turns.count < 2 ? size : -size;
}

double cos(double x) {
  if (std::abs(x) <= kQuarterPi) return std::abs(x) < kTinyAngle ? 1 : cosineSeries({x, 0});
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  const QuarterTurns turns = quarterTurns(x);
  const double size = turns.count % 2 == 0 ? cosineSeries(turns.rest) : sineSeries(turns.rest);
  return turns.count == 0 || turns.count == 3 ? size : -size;
}

SineCosine sinCos(double x) {
  if (std::abs(x) <= kQuarterPi) {
    if (std::abs(x) < kTinyAngle) return {x, 1};
    return {sineSeries({x, 0}), cosineSeries({x, 0})};
  }
  if (!std::isfinite(x)) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    return {none, none};
  }
  const QuarterTurns turns = quarterTurns(x);
  return turned(turns.count, {sineSeries(turns.rest), cosineSeries(turns.rest)});
}

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return x + y;
  const double a = std::abs(x), b = std::abs(y);
  const bool behind = std::signbit(x);
  if (b == 0) return std::copysign(behind ? kPi.high : 0.0, y);
  if (a == 0) return std::copysign(kRightAngle.high, y);
  if (std::isinf(a) || std::isinf(b)) {
    if (a != b) return std::copysign(std::isinf(b) ? kRightAngle.high : behind ? kPi.high : 0.0, y);
    return std::copysign(behind ? kPi.high - kQuarterPi : kQuarterPi, y);
  }
  // Small angles are their tangents, and keep their digits where they underflow.
  if (!behind && b < a * 0x1p-30) return y / x;
  DoubleDouble angle = firstQuadrant(b, a);
  if (behind) angle = kPi + DoubleDouble{-angle.high, -angle.low};
  return std::copysign(angle.high, y);
}

}  // namespace stickslip::math
