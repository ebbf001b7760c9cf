// The same input gives the same bits: on every run, in every build, and from a recording.
#include <gtest/gtest.h>

#include "stickslip/io/recording.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

std::uint64_t finalHash(const Scene& scene) {
  Stepper stepper(scene.model);
  return fingerprint(run(stepper, scene.initial, scene.run).final_state);
}

// Changes only when the numerics change on purpose; say why in the commit that changes it.
TEST(Determinism, WoodpeckerHasItsGoldenHash) {
  EXPECT_EQ(finalHash(testing::repositoryScene("woodpecker.json")), 0x69c2f78cd82ff665u);
}

TEST(Determinism, EverySceneGivesTheSameBitsTwice) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::sceneFolder())) {
    if (entry.path().extension() != ".json") continue;
    const std::string shorter[] = {"time.end=0.2"};
    Scene scene = loadScene(entry.path(), shorter);
    // A large scene shows it in one step.
    if (scene.initial.u.size() > 300) scene.run.time.end = scene.run.time.step;
    EXPECT_EQ(finalHash(scene), finalHash(scene)) << entry.path();
  }
}

TEST(Determinism, ARunCanBeRepeatedFromItsRecording) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "repeat";
  std::filesystem::remove_all(folder);
  const std::string shorter[] = {"time.end=0.05", "system.contacts.sleeve_lower.mu=0.4"};
  const Scene scene = testing::repositoryScene("woodpecker.json", shorter);
  { RecordingWriter writer(folder, scene); }
  EXPECT_EQ(finalHash(loadScene(folder)), finalHash(scene));
  EXPECT_NE(finalHash(loadScene(folder)),
            finalHash(testing::repositoryScene("woodpecker.json", std::span(shorter, 1))));
}

}  // namespace
}  // namespace stickslip
