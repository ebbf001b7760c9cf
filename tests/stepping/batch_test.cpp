// Simulations that are stepped side by side have the bits that each of them has alone.
#include "stickslip/batch.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/wait.h>
#include <unistd.h>
#endif

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
constexpr std::int64_t kMany = 1 << 30;

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
      EXPECT_EQ(all[i].certified(), all[i].summary().certified());
      EXPECT_EQ(fingerprint(all[i].state()), expected[i]) << threads << " threads, copy " << i;
    }
  }
}

// Also in simulations whose own loops would take the threads of the process.
TEST_F(Batch, ATeamLeavesTheThreadsOfTheProcessAlone) {
  std::vector<Simulation> all = copies(kCopies);
  stepAll(all, kEnd);
  for (const int threads : {1, 3}) {
    setThreadCount(threads);
    ThreadTeam team(4);
    EXPECT_EQ(team.count(), 4);
    std::vector<Simulation> others = copies(kCopies);
    std::vector<Simulation*> places;
    for (Simulation& simulation : others) places.push_back(&simulation);
    EXPECT_TRUE(stepAll(places, kEnd, 9, &team));
    EXPECT_EQ(others[3].summary().steps, 9);
    stepAll(places, 0.2, kMany, &team);
    EXPECT_FALSE(stepAll(places, kEnd, kMany, nullptr));
    EXPECT_EQ(threadCount(), threads);
    for (int i = 0; i < kCopies; ++i)
      EXPECT_EQ(fingerprint(others[i].state()), fingerprint(all[i].state())) << "copy " << i;
  }
}

// Steps two batches at the same time with one team: one of them does without its help.
TEST_F(Batch, ATeamMayBeShared) {
  ThreadTeam team(2);
  std::vector<Simulation> first = copies(3), second = copies(3);
  const auto run = [&](std::vector<Simulation>& simulations) {
    std::vector<Simulation*> places;
    for (Simulation& simulation : simulations) places.push_back(&simulation);
    for (int i = 0; i < 100; ++i) stepAll(places, kEnd, 1, &team);
  };
  std::thread other([&] { run(second); });
  run(first);
  other.join();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(fingerprint(first[i].state()), fingerprint(second[i].state()));
}

#if defined(__unix__) || defined(__APPLE__)
// The threads of a process do not come along into its child.
TEST_F(Batch, AChildOfForkStepsOn) {
  setThreadCount(2);
  ThreadTeam team(3);
  std::vector<Simulation> all = copies(kCopies);
  std::vector<Simulation*> places;
  for (Simulation& simulation : all) places.push_back(&simulation);
  stepAll(places, 0.1, kMany, &team);
  const pid_t child = fork();
  if (child == 0) {
    stepAll(places, 0.2, kMany, &team);
    stepAll(places, 0.25, kMany, nullptr);
    setThreadCount(3);
    stepAll(places, kEnd, kMany, nullptr);
    _exit(static_cast<int>(fingerprint(all[5].state()) & 127));
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  stepAll(places, kEnd, kMany, &team);
  EXPECT_EQ(WEXITSTATUS(status), static_cast<int>(fingerprint(all[5].state()) & 127));
}
#endif

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
