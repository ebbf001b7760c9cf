// Cost of elementary functions (stickslip/elementary.hpp) beside those of the C library.
#include <benchmark/benchmark.h>

#include <cmath>

#include "stickslip/elementary.hpp"
#include "support/random.hpp"

namespace stickslip {
namespace {

constexpr std::size_t kArguments = 1024;

// Arguments in (0, range), one after the other.
template <class F>
void elementary(benchmark::State& bench, F f, double range) {
  const std::vector<double> x = testing::Random(3).vector(kArguments, 0, range);
  std::size_t i = 0;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(f(x[i]));
    i = (i + 1) % kArguments;
  }
}

const auto kOwnRotation = [](double x) {
  const auto [sine, cosine] = math::sinCos(x);
  return sine + cosine;
};
const auto kRotation = [](double x) { return std::sin(x) + std::cos(x); };
const auto kOwnLength = [](double x) { return math::hypot(x, 0.7); };
const auto kLength = [](double x) { return std::hypot(x, 0.7); };
const auto kOwnAngle = [](double x) { return math::atan2(x, 0.7); };
const auto kAngle = [](double x) { return std::atan2(x, 0.7); };
const auto kOwnExponential = [](double x) { return math::exp(x); };
const auto kExponential = [](double x) { return std::exp(x); };
const auto kOwnPower = [](double x) { return math::pow(x, 1.7); };
const auto kPower = [](double x) { return std::pow(x, 1.7); };

BENCHMARK_CAPTURE(elementary, sin_cos_to_0 .1, kOwnRotation, 0.1);
BENCHMARK_CAPTURE(elementary, sin_cos_to_0 .1_libm, kRotation, 0.1);
BENCHMARK_CAPTURE(elementary, sin_cos_to_10, kOwnRotation, 10);
BENCHMARK_CAPTURE(elementary, sin_cos_to_10_libm, kRotation, 10);
BENCHMARK_CAPTURE(elementary, hypot, kOwnLength, 2);
BENCHMARK_CAPTURE(elementary, hypot_libm, kLength, 2);
BENCHMARK_CAPTURE(elementary, atan2, kOwnAngle, 2);
BENCHMARK_CAPTURE(elementary, atan2_libm, kAngle, 2);
BENCHMARK_CAPTURE(elementary, exp, kOwnExponential, 5);
BENCHMARK_CAPTURE(elementary, exp_libm, kExponential, 5);
BENCHMARK_CAPTURE(elementary, pow, kOwnPower, 5);
BENCHMARK_CAPTURE(elementary, pow_libm, kPower, 5);

}  // namespace
}  // namespace stickslip
