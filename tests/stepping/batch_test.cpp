// Simulations that are stepped side by side have the bits that each of them has alone.
#include "stickslip/batch.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "stickslip/body_system.hpp"
#include "stickslip/threads.hpp"

namespace stickslip {
namespace {

// A heap of boxes, each copy thrown at another speed. Body 1 of the copy `failing` throws an
// exception as soon as it is below 0.3.
Simulation thrown(int copy, int failing = -1) {
  BodySystemData data{.gravity = {0, 0, -9.81}, .materials = {{.surface = {.friction = 0.5}}}};
  data.bodies = {{.name = "floor", .type = Body::Type::fixed, .shapes = {{HalfSpace{}}}}};
  for (int i = 0; i < 4; ++i)
    data.bodies.push_back({.name = "box" + std::to_string(i),
                           .position = {0.1 * i, 0, 0.5 + 0.6 * i},
                           .velocity = {0.3 * copy, 0.1 * i, 0},
                           .shapes = {{Box{{0.5, 0.5, 0.5}}}}});
  if (copy == failing)
    data.user_forces = {[](double, std::span<const BodyState> bodies, std::span<Wrench>) {
      if (bodies[1].position.z < 0.3) throw std::runtime_error("too low");
    }};
  auto system = std::make_shared<BodySystem>(data);
  return {{system, defaultMethod(*system)}, system->initialState(), {{.step = 2e-3, .end = 0}}};
}

std::vector<Simulation> copies(int count, int failing = -1) {
  std::vector<Simulation> all;
  for (int i = 0; i < count; ++i) all.push_back(thrown(i, failing));
  return all;
}

class Batch : public ::testing::Test {
 protected:
  void TearDown() override { setThreadCount(1); }
};

constexpr int kCopies = 7;
constexpr double kEnd = 0.3;

TEST_F(Batch, HasTheBitsOfSingleRunsForAnyNumberOfThreads) {
  std::vector<std::uint64_t> expected;
  for (Simulation& simulation : copies(kCopies)) {
    while (simulation.stepTowards(kEnd)) continue;
    expected.push_back(fingerprint(simulation.state()));
  }
  EXPECT_NE(expected[0], expected[1]);
  for (const int threads : {1, 2, 4}) {
    setThreadCount(threads);
    std::vector<Simulation> all = copies(kCopies);
    stepAll(all, 0.1);
    stepAll(all, kEnd, 7);
    EXPECT_EQ(all[3].summary().steps, 57);
    stepAll(all, kEnd);
    for (int i = 0; i < kCopies; ++i) {
      EXPECT_EQ(all[i].state().t, kEnd);
      EXPECT_EQ(fingerprint(all[i].state()), expected[i]) << threads << " threads, copy " << i;
    }
  }
}

TEST_F(Batch, AnExceptionEndsOneAndNoOther) {
  setThreadCount(2);
  std::vector<Simulation> all = copies(kCopies, 2);
  EXPECT_THROW(stepAll(all, kEnd), std::runtime_error);
  for (int i = 0; i < kCopies; ++i) {
    if (i == 2)
      EXPECT_LT(all[i].state().t, kEnd);
    else
      EXPECT_EQ(all[i].state().t, kEnd);
  }
}

TEST_F(Batch, NoneIsFine) {
  std::vector<Simulation> none;
  EXPECT_NO_THROW(stepAll(none, 1));
}

}  // namespace
}  // namespace stickslip
