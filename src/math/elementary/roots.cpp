// Cube roots and lengths: first to about the last bit, then corrected by what the exact cube or
// square of that leaves (a step of Newton's method).
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/elementary/double_double.hpp"
#include "stickslip/elementary.hpp"

namespace stickslip::math {
namespace {

// Sums of squares between these neither overflow nor underflow, nor do the parts of the exact
// squares that matter. Others are brought there.
constexpr double kSmallSquare = 0x1p-800;
constexpr double kLargeSquare = 0x1p1000;
constexpr double kScale = 0x1p600;

// For x >= y >= z >= 0.
double correctedLength(double square, double x, double y, double z) {
  const double length = std::sqrt(square);
  const DoubleDouble ll = exactSquare(length), xx = exactSquare(x), yy = exactSquare(y);
  const DoubleDouble first = exactSum(xx.high, -ll.high);
  const DoubleDouble second = exactSum(first.high, yy.high);
  double rest = second.high;
  double low = (first.low + second.low) + ((xx.low - ll.low) + yy.low);
  if (z > 0) {
    const DoubleDouble zz = exactSquare(z);
    rest += zz.high;
    low += zz.low;
  }
  return length + (rest + low) / (2 * length);
}

double length(double x, double y, double z) {
  const double square = x * x + y * y + z * z;
  if (square > kSmallSquare && square < kLargeSquare) return correctedLength(square, x, y, z);
  if (x == 0) return 0;
  const double scale = square < 1 ? kScale : 1 / kScale;
  x *= scale;
  y *= scale;
  z *= scale;
  return correctedLength(x * x + y * y + z * z, x, y, z) / scale;
}

}  // namespace

double hypot(double x, double y) {
  const double a = std::abs(x), b = std::abs(y);
  if (std::isinf(a) || std::isinf(b)) return std::numeric_limits<double>::infinity();
  if (std::isnan(a) || std::isnan(b)) return a + b;
  return a < b ? length(b, a, 0) : length(a, b, 0);
}

double hypot(double x, double y, double z) {
  double a = std::abs(x), b = std::abs(y), c = std::abs(z);
  if (std::isinf(a) || std::isinf(b) || std::isinf(c))
    return std::numeric_limits<double>::infinity();
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return a + b + c;
  if (a < b) std::swap(a, b);
  if (a < c) std::swap(a, c);
  if (b < c) std::swap(b, c);
  return length(a, b, c);
}

double cbrt(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  // |x| = m 8^k, 1 <= m < 8.
  const int k = std::ilogb(x) >= 0 ? std::ilogb(x) / 3 : -((2 - std::ilogb(x)) / 3);
  const double m = std::ldexp(std::abs(x), -3 * k);
  double root = 1.1 + (m - 1) / 7;
  // Halley's method: the first guess is good to a tenth, and each turn triples the digits.
  for (int i = 0; i < 3; ++i) {
    const double cube = root * root * root;
    root *= (cube + 2 * m) / (2 * cube + m);
  }
  const DoubleDouble cube = exactSquare(root) * DoubleDouble{root, 0};
  root += ((m - cube.high) - cube.low) / (3 * root * root);
  return std::copysign(std::ldexp(root, k), x);
}

}  // namespace stickslip::math
