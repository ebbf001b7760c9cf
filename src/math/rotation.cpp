#include "stickslip/rotation.hpp"

#include <algorithm>
#include <cmath>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

// Below this angle sin(x / 2) / x is 1/2 - x^2/48 to rounding.
constexpr double kSmallAngle = 1e-4;

}  // namespace

Vec3 someTangent(Vec3 n) {
  // Where x goes when z is turned into n, or -z if that is nearer: no root, and no case to choose.
  const double side = std::copysign(1.0, n.z);
  const double share = 1 / (side + n.z);
  return {1 - side * n.x * n.x * share, -side * n.x * n.y * share, -side * n.x};
}

Quaternion normalized(Quaternion q) {
  const double scale = 1 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}

Quaternion rotationBy(Vec3 r) {
  const double angle = norm(r);
  const auto [sine, cosine] = math::sinCos(angle / 2);
  const double s = angle < kSmallAngle ? 0.5 - angle * angle / 48 : sine / angle;
  return {cosine, s * r.x, s * r.y, s * r.z};
}

Vec3 rotationVector(Quaternion q) {
  const Vec3 axis{q.x, q.y, q.z};
  const double sine = norm(axis);
  const double angle = 2 * math::atan2(q.w < 0 ? -sine : sine, std::abs(q.w));
  return (sine > 0 ? angle / sine : 2.0) * axis;
}

Mat3 matrixOf(Quaternion q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
          {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
          {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}};
}

// Starts from the largest of the four components, which is at least 1/2.
Quaternion quaternionOf(const Mat3& R) {
  const double xx = R.x.x, yy = R.y.y, zz = R.z.z;
  const double w4 = 1 + xx + yy + zz, x4 = 1 + xx - yy - zz;
  const double y4 = 1 - xx + yy - zz, z4 = 1 - xx - yy + zz;
  const double largest = std::max({w4, x4, y4, z4});
  const double yz = R.y.z - R.z.y, zx = R.z.x - R.x.z, xy = R.x.y - R.y.x;
  const double syz = R.y.z + R.z.y, szx = R.z.x + R.x.z, sxy = R.x.y + R.y.x;
  if (largest == w4) return normalized(Quaternion{w4, yz, zx, xy});
  if (largest == x4) return normalized(Quaternion{yz, x4, sxy, szx});
  if (largest == y4) return normalized(Quaternion{zx, sxy, y4, syz});
  return normalized(Quaternion{xy, szx, syz, z4});
}

}  // namespace stickslip
