// Rotations as unit quaternions, and poses.
#pragma once

#include "stickslip/vector.hpp"

namespace stickslip {

/// Unit quaternion w + x i + y j + z k.
struct Quaternion {
  double w = 1;
  double x = 0;
  double y = 0;
  double z = 0;

  friend constexpr Quaternion operator*(Quaternion a, Quaternion b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  }
  friend constexpr bool operator==(Quaternion, Quaternion) = default;
};

/// q / |q|; q must not be zero.
Quaternion normalized(Quaternion q);
/// The rotation by the angle |r| about r.
Quaternion rotationBy(Vec3 r);
/// The shortest rotation vector r with rotationBy(r) = q up to sign, |r| <= pi.
Vec3 rotationVector(Quaternion q);
/// The matrix of a unit quaternion.
Mat3 matrixOf(Quaternion q);
/// The unit quaternion of a rotation matrix.
Quaternion quaternionOf(const Mat3& R);

/// Where a frame is: x_world = position + rotation * x_local.
struct Pose {
  Vec3 position{};
  Mat3 rotation{};

  constexpr Vec3 pointToWorld(Vec3 local) const { return position + rotation * local; }
  constexpr Vec3 pointToLocal(Vec3 world) const {
    return transposedTimes(rotation, world - position);
  }
  friend constexpr Pose operator*(const Pose& a, const Pose& b) {
    return {a.pointToWorld(b.position), a.rotation * b.rotation};
  }
};

}  // namespace stickslip
