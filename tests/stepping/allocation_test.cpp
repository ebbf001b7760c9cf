// Counts heap allocations: after warm-up a step makes none.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "stickslip/io/scene.hpp"
#include "support/contact_problems.hpp"
#include "support/scenes.hpp"

namespace {
std::atomic<long> allocation_count{0};
}

void* operator new(std::size_t size) {
  ++allocation_count;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace stickslip {
namespace {

long allocationsOfSteps(const std::string& scene_name, double warm_up_time, int steps) {
  const Scene scene = testing::repositoryScene(scene_name);
  Stepper stepper(scene.model);
  State state = scene.initial;
  const double h = scene.run.time.step;
  while (state.t < warm_up_time) stepper.step(state, h);
  const long before = allocation_count;
  for (int i = 0; i < steps; ++i) stepper.step(state, h);
  return allocation_count - before;
}

TEST(Allocation, TheCounterCounts) {
  const long before = allocation_count;
  std::vector<double> v(100);
  EXPECT_EQ(allocation_count - before, 1) << v.size();
}

// One cycle of the toy is warm-up enough; the next cycles meet every combination of contacts.
TEST(Allocation, WoodpeckerStepsAllocateNothing) {
  EXPECT_EQ(allocationsOfSteps("woodpecker.json", 0.15, 50000), 0);
}

TEST(Allocation, StepsWithJointsAllocateNothing) {
  EXPECT_EQ(allocationsOfSteps("coupled-carts.json", 1.1, 500), 0);
}

// Workspaces are sized at set-up: even the first contacts allocate little or nothing.
TEST(Allocation, ALandingBallAllocatesNothingAfterItsFirstContact) {
  EXPECT_EQ(allocationsOfSteps("bouncing-ball.json", 0.5, 5000), 0);
}

}  // namespace
}  // namespace stickslip
