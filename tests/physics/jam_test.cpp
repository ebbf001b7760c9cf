// Jams: friction cones that are not pointed, wedges, pegs that are too thick, rods that lock. Where
// restitution or overlaps leave a step without a solution it gives them up, says so, and ends
// certified.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/scenes.hpp"

namespace stickslip {
namespace {

struct SchemeChoice {
  std::string scheme;
  bool implicit = false;
};
const std::vector<SchemeChoice> kJamSchemes{
    {"midpoint"}, {"position"}, {"position", true}, {"velocity"}};

Scene sceneOf(const std::string& system, const std::string& surface, double h, double end,
              const SchemeChoice& how) {
  const std::string text =
      R"({"stickslip": 1, "name": "jam", "time": {"step": )" + std::to_string(h) + R"(, "end": )" +
      std::to_string(end) + R"(}, "method": {"scheme": ")" + how.scheme + "\"" +
      (how.implicit ? R"(, "implicit": true)" : "") +
      R"(}, "system": {"materials": {"default": {)" + surface + "}}, " + system + "}}";
  return parseScene(text, "jam");
}

RunSummary runJam(const Scene& scene) {
  Stepper stepper(scene.model);
  return run(stepper, scene.initial, scene.run);
}

// The walls of the groove have 10 degrees to the vertical and friction to hold each other's
// impulses: the wedge is stuck wherever it is, deeper than it fits or not.
const char* const kWedge = R"("type": "planar", "bodies": [
    {"name": "left", "type": "static", "shape": {"type": "half-plane", "normal": [0.9848077530, 0.1736481777]}},
    {"name": "right", "type": "static", "shape": {"type": "half-plane", "normal": [-0.9848077530, 0.1736481777]}},
    {"name": "wedge", "mass": 1, "position": [0, 1], "velocity": [0.1, -1], "angular_velocity": 0.5,
     "shape": {"type": "polygon", "vertices": [[-0.089, -0.5], [0.089, -0.5], [0.2653, 0.5], [-0.2653, 0.5]]}}],
    "loads": [{"body": "wedge", "force": [0, -50]}])";

TEST(Jam, AWedgeInAGrooveEndsCertified) {
  for (const SchemeChoice& how : kJamSchemes)
    for (const char* surface :
         {R"("friction": 0.1)", R"("friction": 1)", R"("friction": 1, "restitution": 0.3)",
          R"("friction": 3, "restitution": 0.8)"}) {
      const RunSummary summary = runJam(sceneOf(kWedge, surface, 1e-3, 0.3, how));
      EXPECT_EQ(summary.uncertified_steps, 0)
          << how.scheme << how.implicit << " " << surface << ", residual " << summary.residual_max;
      EXPECT_EQ(summary.steps, 300);
    }
}

// Half a millimetre on either side is too much. No velocity can take it back, and nothing tells how
// strong the walls press: the peg may slide or not, but straight down.
const char* const kPeg = R"("type": "planar", "bodies": [
    {"name": "left", "type": "static", "position": [-1, 0], "shape": {"type": "box", "size": [1, 2]}},
    {"name": "right", "type": "static", "position": [1, 0], "shape": {"type": "box", "size": [1, 2]}},
    {"name": "peg", "mass": 1, "position": [0, 0.6], "shape": {"type": "box", "size": [1.001, 1]}}])";

TEST(Jam, APegThatIsTooThickKeepsItsOverlap) {
  for (const SchemeChoice& how : kJamSchemes) {
    const RunSummary summary =
        runJam(sceneOf(kPeg, R"("friction": 0.5, "restitution": 0.2)", 1e-3, 0.1, how));
    EXPECT_EQ(summary.uncertified_steps, 0) << how.scheme << how.implicit;
    EXPECT_EQ(summary.drift_kept_steps, how.scheme == "position" ? 100 : 0) << how.implicit;
    EXPECT_NEAR(summary.penetration_max, 5e-4, 1e-6) << how.scheme << how.implicit;
    EXPECT_NEAR(summary.final_state.q[0], 0, 1e-9) << how.scheme << how.implicit;
    EXPECT_LE(summary.energy_end, summary.energy_start * (1 + 1e-2)) << how.scheme << how.implicit;
  }
}

const char* const kSpatialPeg = R"("type": "spatial", "bodies": [
    {"name": "left", "type": "static", "position": [-1, 0, 0], "shape": {"type": "box", "size": [1, 2, 2]}},
    {"name": "right", "type": "static", "position": [1, 0, 0], "shape": {"type": "box", "size": [1, 2, 2]}},
    {"name": "peg", "mass": 1, "position": [0, 0, 0.6], "shape": {"type": "box", "size": [1.001, 1, 1]}},
    {"name": "floor", "type": "static", "position": [5, 0, 0], "shape": {"type": "box", "size": [2, 2, 2]}},
    {"name": "free", "mass": 1, "position": [5, 0, 1.4999], "shape": {"type": "box", "size": [1, 1, 1]}}])";

// An island that jams does not keep another one from taking back its overlap.
TEST(Jam, OnlyIslandsThatJamGiveUp) {
  for (const bool implicit : {false, true}) {
    const Scene scene =
        sceneOf(kSpatialPeg, R"("friction": 0.5)", 1e-3, 0.016, {"position", implicit});
    const RunSummary summary = runJam(scene);
    EXPECT_EQ(summary.uncertified_steps, 0);
    EXPECT_EQ(summary.drift_kept_steps, 16);
    EXPECT_GE(summary.final_state.q[7 + 2], 1.5 - 1e-9) << "height of the free one";
  }
}

// Rods above their critical friction, in a corner and on each other.
const char* const kRods = R"("type": "planar", "bodies": [
    {"name": "floor", "type": "static", "shape": {"type": "half-plane"}},
    {"name": "wall", "type": "static", "position": [2, 0], "shape": {"type": "half-plane", "normal": [-1, 0]}},
    {"name": "a", "mass": 1, "position": [0, 0.44], "angle": 1.1, "velocity": [2, 0], "shape": {"type": "box", "size": [1, 0.02]}},
    {"name": "b", "mass": 1, "position": [0.5, 0.44], "angle": 1.1, "velocity": [3, -1], "shape": {"type": "box", "size": [1, 0.02]}},
    {"name": "c", "mass": 1, "position": [1.2, 0.5], "angle": 2.0, "velocity": [4, 0], "shape": {"type": "box", "size": [1, 0.02]}}])";

TEST(Jam, RodsThatLockEndCertified) {
  for (const SchemeChoice& how : kJamSchemes)
    for (const char* surface :
         {R"("friction": 0.3)", R"("friction": 2)",
          R"("friction": 2, "restitution": 0.5, "tangential_restitution": 0.2)"}) {
      const RunSummary summary = runJam(sceneOf(kRods, surface, 2e-3, 0.8, how));
      EXPECT_EQ(summary.uncertified_steps, 0)
          << how.scheme << how.implicit << " " << surface << ", residual " << summary.residual_max;
      EXPECT_LE(summary.energy_end, summary.energy_start * (1 + 1e-2)) << how.scheme << surface;
    }
}

// docs/theory.md: a body astride a capsule, with a restitution that differs along normals and
// tangents.
TEST(Jam, RestitutionThatAJamContradictsIsDropped) {
  const std::vector<std::string> overrides{"system.materials.default.restitution=0.1",
                                           "method.scheme=midpoint"};
  const RunSummary summary =
      runJam(testing::repositoryScene("shapes/spatial-on-capsule.json", overrides));
  EXPECT_EQ(summary.uncertified_steps, 0);
  EXPECT_GE(summary.restitution_dropped_steps, 1);
  EXPECT_LE(summary.restitution_dropped_steps, 10);
}

// Where nothing jams nothing is given up.
TEST(Jam, BouncingGivesNothingUp) {
  for (const char* name : {"bouncing-ball.json", "cradle.json"}) {
    Scene scene = testing::repositoryScene(name);
    scene.run.time.end = std::min(scene.run.time.end, 200 * scene.run.time.step);
    const RunSummary summary = runJam(scene);
    EXPECT_EQ(summary.restitution_dropped_steps, 0) << name;
    EXPECT_EQ(summary.drift_kept_steps, 0) << name;
  }
}

}  // namespace
}  // namespace stickslip
