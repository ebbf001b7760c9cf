// Random numbers for tests: the same on every machine, seeded by the test.
#pragma once

#include <cstdint>
#include <random>
#include <string>
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

/// Changes a text in one random place from `first` on: a character, one more, a few less, or a
/// piece once again.
inline void damage(std::string& text, std::size_t first, Random& random) {
  const std::string alphabet = "{}[]\",:0123456789.eE+-truefalsnul \n\\\t\x01\x80\xff";
  const auto at = std::size_t(random.integer(int(first), int(text.size()) - 1));
  const char c = alphabet[random.integer(0, int(alphabet.size()) - 1)];
  switch (random.integer(0, 3)) {
    case 0:
      text[at] = c;
      break;
    case 1:
      text.insert(at, 1, c);
      break;
    case 2:
      text.erase(at, std::size_t(random.integer(1, 30)));
      break;
    default:
      text.insert(at, text.substr(at, std::size_t(random.integer(1, 60))));
  }
}

}  // namespace stickslip::testing
