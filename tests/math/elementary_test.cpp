// Elementary functions against those of long double, whose 64 bits show errors far below a unit in
// the last place of a double: on ranges, where formulas change, next to zeros and poles, at the
// ends of the range of numbers, and special values as C has them.
#include "stickslip/elementary.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {
namespace {

using ElementaryFunction = double (*)(double);
using WiderFunction = long double (*)(long double);
using Limits = std::numeric_limits<double>;

constexpr int kElementaryTrials = 40000;
constexpr double kInf = Limits::infinity();
constexpr double kNotANumber = Limits::quiet_NaN();

// The error in units in the last place of a double next to `exact`.
double errorOf(double got, long double exact) {
  if (std::isnan(exact)) return std::isnan(got) ? 0 : kInf;
  const auto rounded = static_cast<double>(exact);
  if (std::isinf(rounded) || exact == 0) return got == rounded ? 0 : kInf;
  if (!std::isfinite(got)) return kInf;
  const int exponent = std::max(std::ilogb(rounded), Limits::min_exponent - 1);
  const long double unit = std::ldexp(1.0L, exponent - (Limits::digits - 1));
  return static_cast<double>(std::abs(static_cast<long double>(got) - exact) / unit);
}

class RandomArguments {
 public:
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  // Any finite number, each of its patterns as likely.
  double any() {
    for (;;) {
      const double x = std::bit_cast<double>(engine_());
      if (std::isfinite(x)) return x;
    }
  }
  double magnitude(int low, int high) {
    const int exponent = low + static_cast<int>(engine_() % static_cast<unsigned>(high - low));
    return std::ldexp(uniform(1, 2), exponent);
  }

 private:
  std::mt19937_64 engine_{7};
};

struct WorstError {
  double error = 0;
  std::string at;
  void add(double e, double x, double y = 0) {
    if (!(e > error)) return;
    error = e;
    char text[80];
    std::snprintf(text, sizeof text, "%a, %a", x, y);
    at = text;
  }
};

void expectBelowOneUnit(const std::string& what, const WorstError& worst) {
  ::testing::Test::RecordProperty("ulp " + what, std::to_string(worst.error));
  EXPECT_LT(worst.error, 1) << what << " at " << worst.at;
}

void checkRange(const std::string& what, ElementaryFunction f, WiderFunction exact,
                const std::function<double(RandomArguments&)>& argument) {
  RandomArguments arguments;
  WorstError worst;
  for (int i = 0; i < kElementaryTrials; ++i) {
    const double x = argument(arguments);
    worst.add(errorOf(f(x), exact(x)), x);
  }
  expectBelowOneUnit(what, worst);
}

template <class F, class E>
void checkPairRange(const std::string& what, F f, E exact,
                    const std::function<std::pair<double, double>(RandomArguments&)>& argument) {
  RandomArguments arguments;
  WorstError worst;
  for (int i = 0; i < kElementaryTrials; ++i) {
    const auto [x, y] = argument(arguments);
    worst.add(errorOf(f(x, y), exact(static_cast<long double>(x), static_cast<long double>(y))), x,
              y);
  }
  expectBelowOneUnit(what, worst);
}

// Neighbours of x, some hundred to each side.
std::vector<double> neighboursOf(double x) {
  std::vector<double> all{x};
  for (double up = x, down = x; all.size() < 401;) {
    all.push_back(up = std::nextafter(up, kInf));
    all.push_back(down = std::nextafter(down, -kInf));
  }
  return all;
}

bool equalBits(double a, double b) {
  return std::isnan(a) ? std::isnan(b)
                       : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

class ElementaryFunctions : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "no wider type to compare";
  }
};

TEST_F(ElementaryFunctions, SineAndCosineAreGoodToAUnit) {
  for (const auto& [name, f, exact] :
       {std::tuple<const char*, ElementaryFunction, WiderFunction>{"sin", math::sin, std::sin},
        {"cos", math::cos, std::cos}}) {
    const std::string s = name;
    checkRange(s + " to pi/4", f, exact, [](RandomArguments& a) { return a.uniform(-0.8, 0.8); });
    checkRange(s + " to 10", f, exact, [](RandomArguments& a) { return a.uniform(-10, 10); });
    checkRange(s + " to 1e6", f, exact,
               [](RandomArguments& a) { return a.uniform(-1.1e6, 1.1e6); });
    checkRange(s + " beyond", f, exact, [](RandomArguments& a) { return a.magnitude(19, 70); });
    checkRange(s + " of any number", f, exact, [](RandomArguments& a) { return a.any(); });
    checkRange(s + " next to quarter turns", f, exact, [](RandomArguments& a) {
      const double turn = std::floor(a.uniform(-1e6, 1e6));
      const double x = static_cast<double>(turn * (std::numbers::pi_v<long double> / 2));
      return a.uniform(0, 1) < 0.5 ? x : x * (1 + 1e-13 * a.uniform(-1, 1));
    });
  }
}

TEST_F(ElementaryFunctions, LargeAnglesAreReducedExactly) {
  // 0x1.6ac5b262ca1ffp+849 is the double closest to a multiple of pi/2 (to 2^-61).
  for (const double x : {1e22, 1e15, 1e300, 0x1p20, 0x1p31, 0x1p54, 0x1p55, 0x1.6ac5b262ca1ffp+849,
                         Limits::max(), 0x1.921fb54442d18p+40, 6381956970095103e200})
    for (const double near : neighboursOf(x)) {
      if (!std::isfinite(near)) continue;
      EXPECT_LT(errorOf(math::sin(near), std::sin(static_cast<long double>(near))), 1) << near;
      EXPECT_LT(errorOf(math::cos(near), std::cos(static_cast<long double>(near))), 1) << near;
    }
  // The sign of the angle, and both at once.
  RandomArguments arguments;
  for (int i = 0; i < kElementaryTrials; ++i) {
    const double x = i % 2 == 0 ? arguments.any() : arguments.uniform(-20, 20);
    ASSERT_TRUE(equalBits(math::sin(-x), -math::sin(x))) << x;
    ASSERT_TRUE(equalBits(math::cos(-x), math::cos(x))) << x;
    const auto [sine, cosine] = math::sinCos(x);
    ASSERT_TRUE(equalBits(sine, math::sin(x)) && equalBits(cosine, math::cos(x))) << x;
  }
}

TEST_F(ElementaryFunctions, AnglesOfPointsAreGoodToAUnit) {
  const auto f = [](double y, double x) { return math::atan2(y, x); };
  const auto exact = [](long double y, long double x) { return std::atan2(y, x); };
  checkPairRange("atan2", f, exact,
                 [](RandomArguments& a) { return std::pair(a.uniform(-1, 1), a.uniform(-1, 1)); });
  checkPairRange("atan2 of any numbers", f, exact,
                 [](RandomArguments& a) { return std::pair(a.any(), a.any()); });
  checkPairRange("atan2 of similar numbers", f, exact, [](RandomArguments& a) {
    const double x = a.any(), ratio = a.magnitude(-60, 60);
    return std::pair(x, (a.uniform(0, 1) < 0.5 ? -ratio : ratio) * x);
  });
  for (double tangent = 0.125; tangent <= 1; tangent += 0.125)
    for (const double y : neighboursOf(tangent))
      for (const double x : {1.0, -1.0}) {
        EXPECT_LT(errorOf(math::atan2(y, x), exact(y, x)), 1) << y;
        EXPECT_LT(errorOf(math::atan2(x, y), exact(x, y)), 1) << y;
      }
}

TEST_F(ElementaryFunctions, ExponentialsAreGoodToAUnit) {
  checkRange("exp", math::exp, std::exp, [](RandomArguments& a) { return a.uniform(-1, 1); });
  checkRange("exp of all powers", math::exp, std::exp,
             [](RandomArguments& a) { return a.uniform(-750, 712); });
  checkRange("exp that underflows", math::exp, std::exp,
             [](RandomArguments& a) { return a.uniform(-746, -707); });
  checkRange("exp of any number", math::exp, std::exp, [](RandomArguments& a) { return a.any(); });
  for (const auto& [name, f, exact] :
       {std::tuple<const char*, ElementaryFunction, WiderFunction>{"sinh", math::sinh, std::sinh},
        {"cosh", math::cosh, std::cosh}}) {
    const std::string s = name;
    checkRange(s + " to 1.5", f, exact, [](RandomArguments& a) { return a.uniform(-1.5, 1.5); });
    checkRange(s + " to 40", f, exact, [](RandomArguments& a) { return a.uniform(-40, 40); });
    checkRange(s + " to the end", f, exact,
               [](RandomArguments& a) { return a.uniform(-712, 712); });
    checkRange(s + " of any number", f, exact, [](RandomArguments& a) { return a.any(); });
  }
  // Ends of the range, and where the whole part of the power of two changes.
  for (const double x : {0x1.62e42fefa39efp+9, -0x1.74910d52d3052p+9, -0x1.6232bdd7abcd2p+9,
                         0x1.633ce8fb9f87dp+9, std::numbers::ln2 / 2, 1.0, 0.5})
    for (const double near : neighboursOf(x)) {
      EXPECT_LT(errorOf(math::exp(near), std::exp(static_cast<long double>(near))), 1) << near;
      EXPECT_LT(errorOf(math::sinh(near), std::sinh(static_cast<long double>(near))), 1) << near;
      EXPECT_LT(errorOf(math::cosh(near), std::cosh(static_cast<long double>(near))), 1) << near;
    }
}

TEST_F(ElementaryFunctions, LogarithmsAreGoodToAUnit) {
  for (const auto& [name, f, exact] :
       {std::tuple<const char*, ElementaryFunction, WiderFunction>{"log", math::log, std::log},
        {"log10", math::log10, std::log10}}) {
    const std::string s = name;
    checkRange(s + " of any number", f, exact,
               [](RandomArguments& a) { return std::abs(a.any()); });
    checkRange(s + " from 1/2 to 2", f, exact,
               [](RandomArguments& a) { return a.uniform(0.5, 2); });
    checkRange(s + " next to one", f, exact,
               [](RandomArguments& a) { return 1 + a.uniform(-1, 1) * 1e-7; });
    checkRange(s + " of denormal numbers", f, exact,
               [](RandomArguments& a) { return a.uniform(0, 1) * Limits::min(); });
    for (const double x : {1.0, 2.0, std::numbers::sqrt2, std::numbers::sqrt2 / 2})
      for (const double near : neighboursOf(x))
        EXPECT_LT(errorOf(f(near), exact(static_cast<long double>(near))), 1) << near;
  }
}

TEST_F(ElementaryFunctions, PowersAreGoodToAUnit) {
  const auto f = [](double x, double y) { return math::pow(x, y); };
  const auto exact = [](long double x, long double y) { return std::pow(x, y); };
  checkPairRange("pow", f, exact, [](RandomArguments& a) {
    return std::pair(a.uniform(0, 10), a.uniform(-100, 100));
  });
  checkPairRange("pow to all numbers", f, exact, [](RandomArguments& a) {
    const double x = std::abs(a.any());
    return std::pair(x, a.uniform(-750, 712) / std::log(x));
  });
  checkPairRange("pow of numbers next to one", f, exact, [](RandomArguments& a) {
    return std::pair(a.uniform(0.99, 1.01), a.uniform(-6e4, 6e4));
  });
  checkPairRange("pow of negative numbers", f, exact, [](RandomArguments& a) {
    return std::pair(a.uniform(-5, 0), std::floor(a.uniform(-300, 300)));
  });
}

TEST_F(ElementaryFunctions, RootsAndLengthsAreGoodToAUnit) {
  checkRange("cbrt of any number", math::cbrt, std::cbrt,
             [](RandomArguments& a) { return a.any(); });
  checkRange("cbrt", math::cbrt, std::cbrt, [](RandomArguments& a) { return a.uniform(1, 8); });
  checkRange("cbrt of denormal numbers", math::cbrt, std::cbrt,
             [](RandomArguments& a) { return a.uniform(-1, 1) * Limits::min(); });

  const auto length = [](double x, double y) { return math::hypot(x, y); };
  const auto exact = [](long double x, long double y) { return std::sqrt(x * x + y * y); };
  const auto length_3 = [](double x, double y) { return math::hypot(x, y, 0.75 * y); };
  const auto exact_3 = [](long double x, long double y) {
    const long double z = 0.75 * static_cast<double>(y);
    return std::sqrt(x * x + y * y + z * z);
  };
  const auto near_one = [](RandomArguments& a) {
    return std::pair(a.uniform(-1, 1), a.uniform(-1, 1));
  };
  const auto any = [](RandomArguments& a) { return std::pair(a.any(), a.any()); };
  const auto similar = [](RandomArguments& a) {
    const double x = a.any();
    return std::pair(x, a.magnitude(-60, 2) * x);
  };
  const auto denormal = [](RandomArguments& a) {
    return std::pair(a.uniform(-1, 1) * Limits::min(), a.uniform(-1, 1) * Limits::min());
  };
  checkPairRange("hypot", length, exact, near_one);
  checkPairRange("hypot of any numbers", length, exact, any);
  checkPairRange("hypot of similar numbers", length, exact, similar);
  checkPairRange("hypot of denormal numbers", length, exact, denormal);
  checkPairRange("hypot of three", length_3, exact_3, near_one);
  checkPairRange("hypot of three similar numbers", length_3, exact_3, similar);
}

TEST(ElementaryValues, ThatAreExact) {
  EXPECT_EQ(math::cos(0), 1);
  EXPECT_EQ(math::exp(0), 1);
  EXPECT_EQ(math::cosh(0), 1);
  EXPECT_EQ(math::log(1), 0);
  for (int k = 0; k <= 22; ++k) {
    const double power = std::stod("1e" + std::to_string(k));
    EXPECT_EQ(math::pow(10, k), power);
    EXPECT_EQ(math::log10(power), k);
  }
  for (int k = -1074; k < 1024; ++k) EXPECT_EQ(math::pow(2, k), std::ldexp(1.0, k));
  EXPECT_EQ(math::pow(-3, 3), -27);
  EXPECT_EQ(math::pow(0.1, 1), 0.1);
  EXPECT_EQ(math::pow(49, 0.5), 7);
  for (int k = 1; k < 1000; ++k) EXPECT_EQ(math::cbrt(1.0 * k * k * k), k);
  for (const double unit : {1.0, 0x1p-1050, 0x1p1000, 0x1p-500}) {
    EXPECT_EQ(math::hypot(3 * unit, -4 * unit), 5 * unit);
    EXPECT_EQ(math::hypot(-2 * unit, 6 * unit, 3 * unit), 7 * unit);
    EXPECT_EQ(math::hypot(0, unit), unit);
    EXPECT_EQ(math::hypot(unit, 0, 0), unit);
  }
  const double pi = std::numbers::pi;
  EXPECT_EQ(math::atan2(1, 1), pi / 4);
  EXPECT_EQ(math::atan2(2, -2), 3 * pi / 4);
  EXPECT_EQ(math::atan2(-1e300, -1e300), -3 * pi / 4);
  EXPECT_EQ(math::atan2(-1, 1), -pi / 4);
}

// C17, Annex F.10.
TEST(ElementaryValues, ThatAreSpecial) {
  const double pi = std::numbers::pi;
  for (const ElementaryFunction f : {math::sin, math::sinh})
    for (const double x : {0.0, -0.0, Limits::denorm_min(), -Limits::denorm_min()})
      EXPECT_TRUE(equalBits(f(x), x)) << x;
  for (const double x : {0.0, -0.0}) EXPECT_TRUE(equalBits(math::cbrt(x), x));
  for (const ElementaryFunction f : {math::sinh, math::cbrt})
    for (const double x : {kInf, -kInf}) EXPECT_EQ(f(x), x);
  for (const ElementaryFunction f : {math::sin, math::cos})
    for (const double x : {kInf, -kInf, kNotANumber}) EXPECT_TRUE(std::isnan(f(x)));
  for (const ElementaryFunction f :
       {math::exp, math::sinh, math::cosh, math::log, math::log10, math::cbrt})
    EXPECT_TRUE(std::isnan(f(kNotANumber)));
  EXPECT_EQ(math::exp(kInf), kInf);
  EXPECT_TRUE(equalBits(math::exp(-kInf), 0));
  EXPECT_EQ(math::exp(710), kInf);
  EXPECT_EQ(math::cosh(-kInf), kInf);
  EXPECT_EQ(math::cosh(711), kInf);
  for (const ElementaryFunction f : {math::log, math::log10}) {
    EXPECT_EQ(f(0.0), -kInf);
    EXPECT_EQ(f(-0.0), -kInf);
    EXPECT_EQ(f(kInf), kInf);
    EXPECT_TRUE(std::isnan(f(-1)) && std::isnan(f(-kInf)));
    EXPECT_TRUE(equalBits(f(1), 0));
  }
  for (const double y : {0.0, -0.0}) {
    EXPECT_TRUE(equalBits(math::atan2(y, 1), y));
    EXPECT_TRUE(equalBits(math::atan2(y, 0.0), y));
    EXPECT_EQ(math::atan2(y, -0.0), std::copysign(pi, y));
    EXPECT_EQ(math::atan2(y, -kInf), std::copysign(pi, y));
    EXPECT_EQ(math::pow(kNotANumber, y), 1);
  }
  for (const double sign : {1.0, -1.0}) {
    EXPECT_EQ(math::atan2(sign, 0.0), sign * pi / 2);
    EXPECT_EQ(math::atan2(sign, -0.0), sign * pi / 2);
    EXPECT_EQ(math::atan2(sign * kInf, 1), sign * pi / 2);
    EXPECT_EQ(math::atan2(sign * kInf, kInf), sign * pi / 4);
    EXPECT_EQ(math::atan2(sign * kInf, -kInf), sign * 3 * pi / 4);
    EXPECT_TRUE(equalBits(math::atan2(sign, kInf), sign * 0.0));
    EXPECT_TRUE(
        equalBits(math::atan2(sign * Limits::denorm_min(), 1), sign * Limits::denorm_min()));
    EXPECT_EQ(math::hypot(sign * kInf, kNotANumber), kInf);
    EXPECT_EQ(math::hypot(kNotANumber, 1, sign * kInf), kInf);
    EXPECT_EQ(math::pow(-1, sign * kInf), 1);
  }
  EXPECT_TRUE(std::isnan(math::hypot(1, kNotANumber)) && std::isnan(math::atan2(1, kNotANumber)));
  EXPECT_TRUE(equalBits(math::hypot(0.0, -0.0), 0));
  EXPECT_EQ(math::hypot(Limits::max(), Limits::max()), kInf);
  EXPECT_EQ(math::pow(1, kNotANumber), 1);
  EXPECT_EQ(math::pow(0.5, -kInf), kInf);
  EXPECT_EQ(math::pow(2, -kInf), 0);
  EXPECT_TRUE(std::isnan(math::pow(-2, 0.5)));
  EXPECT_EQ(math::pow(-0.0, -3), -kInf);
  EXPECT_EQ(math::pow(0.0, -2), kInf);
  EXPECT_TRUE(equalBits(math::pow(-0.0, 3), -0.0));
  EXPECT_TRUE(equalBits(math::pow(-kInf, -3), -0.0));
  EXPECT_EQ(math::pow(-kInf, 3), -kInf);
  EXPECT_EQ(math::pow(kInf, 0.5), kInf);
  EXPECT_EQ(math::pow(2, 1e300), kInf);
  EXPECT_TRUE(equalBits(math::pow(-2, -1e300), 0));
}

// Where formulas change, functions that rise do not fall.
TEST(ElementaryValues, RiseWhereTheFunctionRises) {
  const auto expectRising = [](ElementaryFunction f, double x) {
    double last = f(x);
    for (int i = 0; i < 1000; ++i) {
      const double next = f(x = std::nextafter(x, kInf));
      ASSERT_LE(last, next) << x;
      last = next;
    }
  };
  for (const double x : {0x1p-27, 0.5, std::numbers::pi / 4 - 1e-13})
    expectRising(math::sin, std::nextafter(x, 0));
  for (const double x : {0x1p-27, 1.0, 22.0}) expectRising(math::sinh, x * (1 - 1e-13));
  for (const double x : {std::numbers::ln2 / 2, 1.0, -745.0}) expectRising(math::exp, x - 1e-13);
  for (const double x : {1.0, std::numbers::sqrt2, 2.0}) expectRising(math::log, x - 1e-13);
}

}  // namespace
}  // namespace stickslip
