// Random choices of scenes: from a seed by integer arithmetic, divisions and square roots only, so
// that they are the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "scene/bodies.hpp"
#include "stickslip/rotation.hpp"

namespace stickslip {

// Many bodies from one description: rows of bricks, piles of grains, a list of places.
//
// Every instance is the body that the template describes, moved (and, if asked for, turned and
// scaled) to its place. Random choices come from a seed in the scene.

/// Stands for the number of an instance in its name.
inline constexpr std::string_view kInstanceNumber = "{i}";

/// Reads "instances" and appends their bodies, with their names, to those that are there. More than
/// a scene may have are refused before any is made.
void readInstances(FieldReader& system, const BodyContext& context, std::vector<Body>& bodies,
                   NameIndex& names);

class RandomNumbers {
 public:
  explicit RandomNumbers(std::int64_t seed) : engine_(static_cast<std::uint64_t>(seed)) {}
  /// A stream of its own for number `i` of a series.
  RandomNumbers(std::int64_t seed, std::int64_t i)
      : engine_(mixed(static_cast<std::uint64_t>(seed), i)) {}

  /// Uniform in [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }

  /// Uniform over all rotations (G. Marsaglia, Choosing a point from the surface of a sphere, Ann.
  /// Math. Statist. 43 (1972)); in the plane, over all angles.
  Quaternion rotation(int dimension) {
    const auto [x1, x2, s1] = pointInDisk();
    if (dimension == 2) return normalized(Quaternion{x1, 0, 0, x2});
    const auto [x3, x4, s2] = pointInDisk();
    const double scale = std::sqrt((1 - s1) / s2);
    return normalized(Quaternion{x1, x2, scale * x3, scale * x4});
  }

  /// Uniform over all directions (Marsaglia too).
  Vec3 direction(int dimension) {
    const auto [x, y, s] = pointInDisk();
    if (dimension == 2) return (1 / std::sqrt(s)) * Vec3{x, y, 0};
    const double scale = 2 * std::sqrt(1 - s);
    return {scale * x, scale * y, 1 - 2 * s};
  }

 private:
  struct DiskPoint {
    double x, y, squared;
  };
  DiskPoint pointInDisk() {
    for (;;) {
      const double x = uniform(-1, 1), y = uniform(-1, 1);
      const double squared = x * x + y * y;
      if (squared < 1 && squared > 0) return {x, y, squared};
    }
  }

  // The finalizer of splitmix64: neighbours get seeds that have nothing to do with each other.
  static std::uint64_t mixed(std::uint64_t seed, std::int64_t i) {
    std::uint64_t z = seed + 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(i) + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::mt19937_64 engine_;
};

}  // namespace stickslip
