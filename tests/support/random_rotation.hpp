// Random points and rotations of space.
#pragma once

#include <cmath>
#include <numbers>

#include "stickslip/rotation.hpp"
#include "support/random.hpp"

namespace stickslip::testing {

inline Vec3 randomVector(Random& random, double size = 1) {
  const double x = random.uniform(-size, size), y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

/// Uniform on the unit sphere (Archimedes: height and angle are uniform).
inline Vec3 randomDirection(Random& random) {
  const double z = random.uniform(), angle = random.uniform(0, 2 * std::numbers::pi);
  const double r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

/// The rotation by `angle` about the unit vector `axis`, by Rodrigues' formula.
inline Mat3 rotationAbout(Vec3 axis, double angle) {
  const auto column = [&](Vec3 e) {
    return std::cos(angle) * e + std::sin(angle) * cross(axis, e) +
           ((1 - std::cos(angle)) * dot(axis, e)) * axis;
  };
  return {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
}

inline Mat3 randomRotation(Random& random) {
  const Vec3 axis = randomDirection(random);
  return rotationAbout(axis, random.uniform(0, 2 * std::numbers::pi));
}

}  // namespace stickslip::testing
