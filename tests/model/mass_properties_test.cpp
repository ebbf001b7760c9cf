// Mass properties against integration over slices, invariance under rigid motions, and text-book
// values; principal axes against the definition.
#include "stickslip/mass_properties.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "support/random_rotation.hpp"

namespace stickslip {
namespace {

using testing::Random;

void expectClose(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  const double size = std::sqrt((b.inertia(0, 0) + b.inertia(1, 1) + b.inertia(2, 2)) / b.mass);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(a.center[i], b.center[i], tolerance * (size + norm(b.center)));
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(a.inertia(i, j), b.inertia(i, j), tolerance * b.mass * size * size) << i << j;
  }
}

// Sums over the cells of a fine grid whose centres are inside.
MassProperties byCounting(const std::function<bool(Vec3)>& inside, Vec3 half, int n, bool planar) {
  const Vec3 step{2 * half.x / n, 2 * half.y / n, planar ? 1 : 2 * half.z / n};
  double mass = 0;
  Vec3 first;
  Mat3 second = diagonal({});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < (planar ? 1 : n); ++k) {
        const Vec3 p{-half.x + (i + 0.5) * step.x, -half.y + (j + 0.5) * step.y,
                     planar ? 0 : -half.z + (k + 0.5) * step.z};
        if (!inside(p)) continue;
        const double dm = step.x * step.y * step.z;
        mass += dm;
        first += dm * p;
        second = second + dm * outer(p, p);
      }
  const Vec3 center = (1 / mass) * first;
  second = second + (-mass) * outer(center, center);
  const double trace = second(0, 0) + second(1, 1) + second(2, 2);
  return {mass, center, trace * Mat3{} + (-1.0) * second};
}

TEST(MassProperties, RoundShapesAgreeWithCounting) {
  const auto withinSegment = [](double along, double across, double half, double radius) {
    const double beyond = std::max(std::abs(along) - half, 0.0);
    return beyond * beyond + across * across <= radius * radius;
  };
  expectClose(massProperties(Disk{0.7}, 1),
              byCounting([](Vec3 p) { return norm(p) <= 0.7; }, {0.7, 0.7, 0}, 600, true), 1e-3);
  expectClose(
      massProperties(PlanarCapsule{1.2, 0.4}, 1),
      byCounting([&](Vec3 p) { return withinSegment(p.x, p.y, 0.6, 0.4); }, {1, 0.4, 0}, 600, true),
      1e-3);
  expectClose(massProperties(Sphere{0.7}, 1),
              byCounting([](Vec3 p) { return norm(p) <= 0.7; }, {0.7, 0.7, 0.7}, 100, false), 2e-3);
  expectClose(massProperties(Capsule{1.2, 0.4}, 1),
              byCounting([&](Vec3 p) { return withinSegment(p.z, std::hypot(p.x, p.y), 0.6, 0.4); },
                         {0.4, 0.4, 1}, 100, false),
              2e-3);
  expectClose(
      massProperties(Cylinder{0.5, 1.5}, 1),
      byCounting([](Vec3 p) { return std::hypot(p.x, p.y) <= 0.5; }, {0.5, 0.5, 0.75}, 100, false),
      2e-3);
}

TEST(MassProperties, TextBookValues) {
  const MassProperties box = massProperties(Box{{1, 2, 3}}, 2);
  EXPECT_DOUBLE_EQ(box.mass, 12);
  EXPECT_DOUBLE_EQ(box.inertia(0, 0), 13);
  EXPECT_DOUBLE_EQ(box.inertia(1, 1), 10);
  EXPECT_DOUBLE_EQ(box.inertia(2, 2), 5);
  EXPECT_DOUBLE_EQ(massProperties(Sphere{2}, 3).inertia(1, 1),
                   0.4 * 3 * 32 * std::numbers::pi / 3 * 4);
  // Capsule: known closed form (m_c, m_s: cylinder and both hemispheres).
  const double r = 0.3, h = 0.8, m_c = std::numbers::pi * r * r * h,
               m_s = 4 * std::numbers::pi / 3 * r * r * r;
  const MassProperties capsule = massProperties(Capsule{h, r}, 1);
  EXPECT_NEAR(capsule.inertia(2, 2), m_c * r * r / 2 + m_s * 0.4 * r * r, 1e-15);
  EXPECT_NEAR(capsule.inertia(0, 0),
              m_c * (h * h / 12 + r * r / 4) + m_s * (0.4 * r * r + h * h / 4 + 3 * h * r / 8),
              1e-15);
  // Regular polygon of n sides, circumradius R: J = m R^2 (1 + 2 cos^2(pi/n)) / 6.
  Polygon heptagon;
  for (int k = 0; k < 7; ++k)
    heptagon.vertices.push_back({5 + 2 * std::cos(2 * std::numbers::pi * k / 7),
                                 2 * std::sin(2 * std::numbers::pi * k / 7)});
  const MassProperties p = massProperties(heptagon, 1);
  EXPECT_NEAR(p.mass, 3.5 * 4 * std::sin(2 * std::numbers::pi / 7), 1e-13);
  EXPECT_NEAR(p.center.x, 5, 1e-14);
  const double c = std::cos(std::numbers::pi / 7);
  EXPECT_NEAR(p.inertia(2, 2), p.mass * 4 * (1 + 2 * c * c) / 6, 1e-13);
  EXPECT_DOUBLE_EQ(massProperties(PlanarBox{2, 3}, 1).inertia(2, 2), 6.0 * 13 / 12);
}

// Regular tetrahedron of edge a: m = a^3 / (6 sqrt 2), J = m a^2 / 20 about every axis.
TEST(MassProperties, HullsAgreeWithKnownSolids) {
  const ConvexHull tetrahedron{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};
  const MassProperties t = massProperties(tetrahedron, 1);
  EXPECT_NEAR(t.mass, 8.0 / 3, 1e-14);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(t.inertia(i, i), t.mass * 8 / 20, 1e-14);
  Random random(1);
  const Mat3 R = testing::randomRotation(random);
  const Vec3 shift{3, -2, 1}, size{1, 2, 0.5};
  ConvexHull cuboid;
  for (int i = 0; i < 8; ++i)
    cuboid.points.push_back(shift + R * Vec3{(i & 1 ? 0.5 : -0.5) * size.x,
                                             (i & 2 ? 0.5 : -0.5) * size.y,
                                             (i & 4 ? 0.5 : -0.5) * size.z});
  MassProperties expected = massProperties(Box{size}, 1);
  expected.center = shift;
  expected.inertia = R * expected.inertia * transposed(R);
  expectClose(massProperties(cuboid, 1), expected, 1e-14);
}

TEST(MassProperties, CompoundOfPartsIsTheWhole) {
  Random random(2);
  const Pose placement{testing::randomVector(random), testing::randomRotation(random)};
  // A box cut in two, a part turned end to end.
  const PlacedShape parts[] = {
      {Box{{1, 2, 1}}, placement * Pose{{0.5, 0, 0}, {}}, 0},
      {Box{{1, 2, 1}}, placement * Pose{{-0.5, 0, 0}, {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}, 0}};
  const PlacedShape whole[] = {{Box{{2, 2, 1}}, placement, 0}};
  expectClose(massProperties(parts, std::vector<double>{3, 3}),
              massProperties(whole, std::vector<double>{3}), 1e-14);
  const MassProperties same = massProperties(Box{{2, 2, 1}}, 3);
  EXPECT_NEAR(massProperties(whole, std::vector<double>{3}).mass, same.mass, 1e-14);
}

TEST(MassProperties, PrincipalAxesDiagonalize) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    Vec3 moments{random.uniform(0.5, 1), random.uniform(0.5, 1), 0};
    if (trial % 3 == 0) moments.y = moments.x;
    moments.z = moments.x + moments.y * random.uniform(0, 1);
    const Mat3 R = testing::randomRotation(random);
    const double unit = std::exp2(random.integer(-60, 60));
    const Mat3 J = unit * (R * diagonal(moments) * transposed(R));
    const PrincipalInertia p = principalInertia(J);
    EXPECT_LE(p.moments.x, p.moments.y);
    EXPECT_LE(p.moments.y, p.moments.z);
    EXPECT_NEAR(dot(cross(p.axes.x, p.axes.y), p.axes.z), 1, 1e-14);
    for (int k = 0; k < 3; ++k) {
      const Vec3 axis = k == 0 ? p.axes.x : k == 1 ? p.axes.y : p.axes.z;
      EXPECT_LT(norm(J * axis - p.moments[k] * axis), 1e-14 * unit);
    }
  }
}

TEST(MassProperties, ImpossibleOnesAreNamed) {
  const auto problem = [](double mass, const Mat3& J, int dimension = 3) {
    return problemOf(MassProperties{mass, {}, J}, dimension);
  };
  EXPECT_EQ(problem(1, diagonal({1, 1, 2})), "");
  EXPECT_EQ(problem(1e-30, 1e-30 * diagonal({1, 1, 2})), "");
  EXPECT_NE(problem(0, {}).find("mass"), std::string::npos);
  EXPECT_NE(problem(NAN, {}).find("mass"), std::string::npos);
  EXPECT_NE(problem(1, {{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}}).find("symmetric"), std::string::npos);
  EXPECT_NE(problem(1, diagonal({1, 1, -1})).find("definite"), std::string::npos);
  EXPECT_NE(problem(1, diagonal({1, 1, 2.001})).find("triangle"), std::string::npos);
  EXPECT_NE(problem(1, diagonal({1, INFINITY, 1})).find("finite"), std::string::npos);
  EXPECT_EQ(problem(1, diagonal({0, 0, 2}), 2), "");
  EXPECT_NE(problem(1, diagonal({1, 1, 0}), 2).find("inertia"), std::string::npos);
}

}  // namespace
}  // namespace stickslip
