// The built-in convex shapes, and an ellipsoid, by their support functions.
#pragma once

#include <algorithm>
#include <cmath>

#include "stickslip/shape.hpp"

namespace stickslip::testing {

inline SupportShape supportSphere(double radius) {
  return {[radius](Vec3 d) { return radius * normalized(d); }, 0, radius};
}

inline SupportShape supportBox(Vec3 size) {
  const Vec3 half = 0.5 * size;
  return {[half](Vec3 d) {
            return Vec3{std::copysign(half.x, d.x), std::copysign(half.y, d.y),
                        std::copysign(half.z, d.z)};
          },
          0, norm(half) * (1 + 1e-15)};
}

inline SupportShape supportCylinder(double radius, double height) {
  return {
      [radius, height](Vec3 d) {
        const double across = std::sqrt(d.x * d.x + d.y * d.y);
        const double scale = across > 0 ? radius / across : 0;
        return Vec3{across > 0 ? scale * d.x : radius, scale * d.y, std::copysign(height / 2, d.z)};
      },
      0, std::sqrt(radius * radius + height * height / 4) * (1 + 1e-15)};
}

/// With semi-axes along x, y, z.
inline SupportShape ellipsoid(Vec3 axes) {
  return {[axes](Vec3 d) {
            const Vec3 s{axes.x * d.x, axes.y * d.y, axes.z * d.z};
            const double length = norm(s);
            return Vec3{axes.x * s.x / length, axes.y * s.y / length, axes.z * s.z / length};
          },
          0, std::max({axes.x, axes.y, axes.z})};
}

}  // namespace stickslip::testing
