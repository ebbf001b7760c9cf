// Counts heap allocations of terrain queries: after warm-up there are none.
#include <gtest/gtest.h>

#include "collision/convex/polytope.hpp"
#include "collision/convex/round_shapes.hpp"
#include "collision/terrain/terrain_contact.hpp"
#include "support/counting_allocator.hpp"
#include "support/random_rotation.hpp"

namespace stickslip {
namespace {

TEST(Allocation, TerrainQueriesAllocateNothing) {
  testing::Random random(1);
  HeightField field{20, 20, 0.3, 0.3, random.vector(400, -0.1, 0.1)};
  const auto terrain = std::static_pointer_cast<const Terrain>(makeTerrain(field));
  const RoundedSegment capsule(0.5, 0.3);
  const CylinderShape cylinder(0.4, 0.5);
  const Polytope box = boxPolytope({1, 0.8, 0.6});
  const ConvexShape* shapes[] = {&capsule, &cylinder, &box};
  std::vector<Pose> poses;
  for (int k = 0; k < 500; ++k)
    poses.push_back({{random.uniform(), random.uniform(), random.uniform(0.2, 0.6)},
                     testing::randomRotation(random)});
  ContactPoints out;
  std::size_t points = 0;
  const auto run = [&] {
    for (const Pose& pose : poses)
      for (const ConvexShape* shape : shapes) {
        out.clear();
        collideTerrain(*shape, pose, *terrain, {}, 0.05, out);
        points += out.size();
      }
  };
  run();
  const long before = testing::allocationCount();
  run();
  EXPECT_EQ(testing::allocationCount() - before, 0);
  EXPECT_GT(points, 1000u);
}

}  // namespace
}  // namespace stickslip
