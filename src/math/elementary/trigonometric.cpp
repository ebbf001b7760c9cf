// Sine, cosine and the angle of a point. Sines and cosines of the rest of quarter turns by their
// power series, the terms that are smaller than the first in double precision. Angles of points:
// turned back by one of five angles whose tangents are multiples of 1/4, the rest by its series.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/elementary/double_double.hpp"
#include "math/elementary/power_series.hpp"
#include "math/elementary/quarter_turns.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip::math {
namespace {

constexpr double kQuarterPi = 0x1.921fb54442d18p-1;
constexpr DoubleDouble kRightAngle{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr DoubleDouble kPi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
// Of angles below, sine and cosine are x and 1 to rounding.
constexpr double kTinyAngle = 0x1p-27;

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
