// Closed forms of spheres, against the general narrow phase: the same shapes as a hull of eight
// points, whose distance to a sphere is found by GJK and separating axes.
#include "collision/convex/closed_forms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/convex/convex_contact.hpp"
#include "support/random.hpp"
#include "support/random_rotation.hpp"

namespace stickslip {
namespace {

using testing::Random;

Pose randomPose(Random& random, double reach) {
  return {
      {random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach)},
      testing::randomRotation(random)};
}

ConvexHull cornersOf(Vec3 size) {
  ConvexHull hull;
  for (int i = 0; i < 8; ++i)
    hull.points.push_back({(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                           (i & 4 ? 0.5 : -0.5) * size.z});
  return hull;
}

void expectEqual(const ContactPoints& found, const ContactPoints& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].gap, wanted[i].gap, tolerance);
    EXPECT_LE(norm(found[i].normal - wanted[i].normal), tolerance);
    EXPECT_LE(norm(found[i].on_a - wanted[i].on_a), tolerance);
    EXPECT_LE(norm(found[i].on_b - wanted[i].on_b), tolerance);
    EXPECT_EQ(found[i].feature, wanted[i].feature);
  }
}

// Outside, touching, and with the centre inside; sphere first and box first.
TEST(SphereContact, BoxesAsTheHullOfTheirCorners) {
  Random random(1);
  int touching = 0, inside = 0;
  for (int round = 0; round < 400; ++round) {
    const Vec3 size{random.uniform(0.3, 2), random.uniform(0.3, 2), random.uniform(0.3, 2)};
    const auto box = makeCollisionShape(Box{size}), hull = makeCollisionShape(cornersOf(size));
    const auto sphere = makeCollisionShape(Sphere{random.uniform(0.1, 1)});
    const Pose at_box = randomPose(random, 1), at_sphere = randomPose(random, 1);
    for (const bool sphere_first : {true, false}) {
      ContactPoints found, wanted;
      const auto ask = [&](const CollisionShape& other, ContactPoints& out) {
        sphere_first ? collide(*sphere, at_sphere, other, at_box, 0.2, out)
                     : collide(other, at_box, *sphere, at_sphere, 0.2, out);
      };
      ask(*box, found);
      ask(*hull, wanted);
      expectEqual(found, wanted, 1e-12);
      touching += static_cast<int>(found.size());
      for (const ContactPoint& p : found) inside += p.gap < -sphere->measure().x ? 1 : 0;
    }
  }
  EXPECT_GT(touching, 300);
  EXPECT_GT(inside, 20);
}

TEST(SphereContact, SpheresByTheDistanceOfTheirCores) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const Sphere a{random.uniform(0.1, 1)}, b{random.uniform(0.1, 1)};
    const auto shape_a = makeCollisionShape(a), shape_b = makeCollisionShape(b);
    const Pose at_a = randomPose(random, 1), at_b = randomPose(random, 1);
    ContactPoints found;
    collide(*shape_a, at_a, *shape_b, at_b, 0.2, found);
    const double distance = norm(at_b.position - at_a.position);
    ASSERT_EQ(found.size(), distance - a.radius - b.radius <= 0.2 ? 1u : 0u);
    EXPECT_EQ(spheresAreWithin(at_a.position, at_b.position, a.radius + b.radius + 0.2),
              !found.empty());
    if (found.empty()) continue;
    EXPECT_NEAR(norm(found[0].on_a - at_a.position), a.radius, 1e-15);
    EXPECT_NEAR(norm(found[0].on_b - at_b.position), b.radius, 1e-14);
    EXPECT_NEAR(dot(found[0].normal, at_b.position - at_a.position), distance, 1e-14);
  }
}

// Where the centres are the same there is no direction, but there still is a contact.
TEST(SphereContact, ConcentricSpheresHaveANormal) {
  const auto sphere = makeCollisionShape(Sphere{0.5});
  ContactPoints found;
  collide(*sphere, {}, *sphere, {}, 0, found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].gap, -1, 1e-15);
  EXPECT_NEAR(norm(found[0].normal), 1, 1e-15);
}

}  // namespace
}  // namespace stickslip
