// Shaken disks: when the large one counts as being at the top, and short runs of the experiments.
#include "papers/shaken_disks.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "papers/experiments.hpp"

namespace stickslip {
namespace {

// A box of few disks: the large one, and small ones as given.
Scene boxWith(const std::string& small_disks) {
  return parseScene(R"({
    "stickslip": 1, "name": "box", "time": {"step": 0.05, "end": 10},
    "method": {"preset": "anitescu", "margin": 3},
    "system": {"type": "planar", "bodies": [
      {"name": "bottom", "type": "kinematic", "shape": {"type": "half-plane"},
       "motion": {"type": "sinusoid", "amplitude": [0, 0.1], "frequency": 0.5}},
      {"name": "nut", "position": [0, 5], "shape": {"type": "disk", "radius": 5}})" +
                        small_disks + "]}}",
                    "box");
}

TEST(ShakenDisks, AtTheTopIfNothingLiesAbove) {
  const ShakenDisks run = shakeToTop(
      boxWith(R"(, {"name": "a", "position": [8, 1.5], "shape": {"type": "disk", "radius": 1.5}})"),
      10);
  EXPECT_EQ(run.shakes_to_top, 0);
  ASSERT_EQ(run.ends.size(), 3u);  // the start and two shakes
  EXPECT_EQ(run.uncertified_steps, 0);
  // A step takes the bottom's velocity at its start: it is off by h^2/2 times the acceleration.
  const double acceleration = 0.1 * std::numbers::pi * std::numbers::pi;
  EXPECT_LE(run.deepest_overlap, 1.01 * acceleration * 0.05 * 0.05 / 2);
  EXPECT_NEAR(run.ends.back().height, 5, 1.01 * acceleration * 0.05 * 0.05 / 2);
}

TEST(ShakenDisks, NotAtTheTopWhileADiskRestsOnIt) {
  const ShakenDisks run = shakeToTop(
      boxWith(
          R"(, {"name": "cap", "position": [0, 11.5], "shape": {"type": "disk", "radius": 1.5}})"),
      3);
  EXPECT_FALSE(run.shakes_to_top.has_value());
  EXPECT_EQ(run.ends.size(), 4u);
  for (const ShakeEnd& end : run.ends) EXPECT_EQ(end.above, 1) << end.shake;
}

TEST(ShakenDisks, FourFramesFromStartToEnd) {
  const ShakenDisks run = shakeToTop(boxWith(""), 10);
  const Picture picture = fourFrames(run, 10, 20, "box");
  ASSERT_EQ(picture.frames.size(), 4u);
  EXPECT_EQ(picture.frames.front().title, "start");
  EXPECT_EQ(picture.frames.back().title, "after 2 shakes");
  ASSERT_EQ(picture.frames.back().circles.size(), 1u);
  EXPECT_EQ(picture.frames.back().circles[0].radius, 5);
}

TEST(ShakenDisks, ScenesHaveTheNumbersOfThePapers) {
  for (const auto& [name, disks] : {std::pair{"brazil-nut-201", 201u}, {"brazil-nut-270", 270u}}) {
    const Scene scene = paperScene(name);
    EXPECT_EQ(scene.model.system->velocityBlocks().size(), disks);
    EXPECT_EQ(scene.run.time.step, 0.1);
    EXPECT_TRUE(scene.warnings.empty());
  }
}

TEST(ShakenDisks, AFewShakesSayNothingAboutTheTop) {
  for (const auto run : {reproduceBrazilNut201, reproduceBrazilNut270}) {
    const Outcome outcome = run({true});
    EXPECT_EQ(outcome.verdict, Verdict::open) << outcome.why;
    ASSERT_EQ(outcome.rows.size(), 1u);
    EXPECT_TRUE(outcome.rows[0].at("shakes_to_top").is_null());
  }
}

}  // namespace
}  // namespace stickslip
