// Counts heap allocations: after warm-up the narrow phase makes none.
#include <gtest/gtest.h>

#include "support/convex_pairs.hpp"
#include "support/counting_allocator.hpp"
#include "support/support_shapes.hpp"

namespace stickslip::testing {
namespace {

TEST(Allocation, ConvexPairsAllocateNothing) {
  Random random(1);
  std::vector<PlacedConvex> bodies;
  for (int i = 0; i < 8; ++i)
    for (const std::string& kind : convexKinds()) bodies.push_back(randomConvex(kind, random, 0.8));
  for (const Shape& shape : {Shape{supportBox({0.5, 0.6, 0.7})}, Shape{ellipsoid({0.3, 0.5, 0.4})}})
    bodies.push_back({shape, prepared(shape), randomPose(random, 0.8)});
  const Shape ground = HalfSpace{};
  bodies.push_back({ground, prepared(ground), {}});

  ContactPoints points;
  const auto collideAll = [&] {
    points.clear();
    for (const PlacedConvex& a : bodies)
      for (const PlacedConvex& b : bodies)
        if (&a != &b) collide(*a.prepared, a.pose, *b.prepared, b.pose, 0.1, points);
  };
  collideAll();
  const long before = allocationCount();
  collideAll();
  EXPECT_EQ(allocationCount() - before, 0);
  EXPECT_GT(points.size(), bodies.size() * bodies.size() / 2);
}

}  // namespace
}  // namespace stickslip::testing
