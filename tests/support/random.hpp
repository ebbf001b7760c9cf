// Random numbers for tests: the same on every machine, seeded by the test.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace stickslip::testing {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [low, high).
  double uniform(double low = -1, double high = 1) {
    const double unit = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return low + (high - low) * unit;
  }
  /// Uniform in {low, ..., high}.
  int integer(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  std::vector<double> vector(std::size_t n, double low = -1, double high = 1) {
    std::vector<double> values(n);
    for (double& x : values) x = uniform(low, high);
    return values;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace stickslip::testing
