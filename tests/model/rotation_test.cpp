#include "stickslip/rotation.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "support/random_rotation.hpp"

namespace stickslip {
namespace {

using testing::randomVector;

double distance(Quaternion a, Quaternion b) {
  const double same = std::abs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
  return std::abs(same - 1);
}

TEST(Rotation, MatricesAreRotationsAndComposeLikeQuaternions) {
  testing::Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Quaternion a = rotationBy(randomVector(random, 4)),
                     b = rotationBy(randomVector(random, 4));
    const Mat3 A = matrixOf(a), AB = matrixOf(a * b);
    EXPECT_NEAR(dot(A.x, cross(A.y, A.z)), 1, 1e-14);
    const Vec3 v = randomVector(random);
    EXPECT_LE(norm(AB * v - A * (matrixOf(b) * v)), 1e-14);
    EXPECT_LE(norm(transposedTimes(A, A * v) - v), 1e-14);
  }
}

TEST(Rotation, VectorQuaternionAndMatrixConvertBackAndForth) {
  testing::Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 r = std::pow(10.0, random.uniform(-12, 0)) * randomVector(random, 1.8);
    const Quaternion q = rotationBy(r);
    EXPECT_LE(norm(rotationVector(q) - r), 1e-14 * (1 + norm(r)));
    EXPECT_LE(distance(quaternionOf(matrixOf(q)), q), 1e-14);
  }
  // Half turns, where w is zero and one of the other three carries the rest.
  for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, normalized(Vec3{1, 2, 3})}) {
    const Quaternion q = rotationBy(std::numbers::pi * axis);
    EXPECT_LE(distance(quaternionOf(matrixOf(q)), q), 1e-14);
    EXPECT_NEAR(norm(rotationVector(q)), std::numbers::pi, 1e-14);
  }
}

TEST(Rotation, SmallAnglesAgreeWithLargeOnesAcrossTheSwitch) {
  for (const double angle : {0.99e-4, 1.01e-4}) {
    const Quaternion q = rotationBy({0, 0, angle});
    EXPECT_NEAR(q.z, std::sin(angle / 2), 1e-19);
  }
}

TEST(Rotation, TangentsAreUnitVectorsAcross) {
  testing::Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 n = normalized(randomVector(random));
    const Vec3 t = someTangent(n);
    EXPECT_NEAR(norm(t), 1, 1e-14);
    EXPECT_NEAR(dot(n, t), 0, 1e-15);
  }
}

}  // namespace
}  // namespace stickslip
