// Scenes as plain data: what is read, saved and read again gives the same bits, and what is built
// in code is checked as files are.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scene/fields/scene_fields.hpp"
#include "stickslip/body_system.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/scene/scene_data.hpp"
#include "support/body_scenes.hpp"
#include "support/scenes.hpp"

namespace stickslip {
namespace {

// Of a few steps; of one if it is large.
std::uint64_t hashAfterSteps(const Scene& scene) {
  Stepper stepper(scene.model);
  const bool is_large = scene.initial.u.size() > 300;
  RunSettings settings = scene.run;
  settings.time.end = std::min(settings.time.end, settings.time.step * (is_large ? 1 : 20));
  return fingerprint(run(stepper, scene.initial, settings).final_state);
}

void expectSameScene(const Scene& a, const Scene& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.record_every, b.record_every);
  EXPECT_EQ(a.run.impact_at_start, b.run.impact_at_start);
  EXPECT_EQ(a.run.time.step, b.run.time.step);
  EXPECT_EQ(a.run.time.end, b.run.time.end);
  EXPECT_EQ(a.run.time.error, b.run.time.error);
  EXPECT_EQ(a.warnings, b.warnings);
  EXPECT_EQ(a.initial.q, b.initial.q);
  EXPECT_EQ(a.initial.u, b.initial.u);
  EXPECT_EQ(hashAfterSteps(a), hashAfterSteps(b));
}

bool isZero(const nlohmann::json& list) {
  return std::all_of(list.begin(), list.end(), [](const nlohmann::json& x) { return x == 0; });
}

// Nothing that a scene says is missing in another one or otherwise there; only what is so anyway
// may be left out, and what can be written in two ways may be written in the other.
void expectNothingLost(const nlohmann::json& before, const nlohmann::json& after,
                       const std::string& place) {
  const std::string key = place.substr(place.rfind('/') + 1);
  if (before.is_object() && after.is_object()) {
    for (const auto& [name, value] : before.items()) {
      const std::string here = place + "/" + name;
      if (after.contains(name))
        expectNothingLost(value, after.at(name), here);
      else if (name == "shapes" && value.size() == 1)
        expectNothingLost(value[0], after.at("shape"), here);
      else
        EXPECT_TRUE(name == "position" && isZero(value)) << here << " = " << value.dump();
    }
  } else if (before.is_array() && after.is_array()) {
    ASSERT_EQ(before.size(), after.size()) << place;
    for (std::size_t i = 0; i < before.size(); ++i)
      expectNothingLost(before[i], after[i], place + "/" + std::to_string(i));
  } else if (before.is_number() && after.is_array() && key == "spacing") {
    EXPECT_EQ(after, nlohmann::json({before, before})) << place;
  } else {
    EXPECT_EQ(before, after) << place;
  }
}

TEST(SceneData, EverySceneIsTheSameAfterItWasSaved) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::sceneFolder())) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path());
    const std::filesystem::path folder = entry.path().parent_path();
    const std::string text = sceneText(readSceneData(entry.path()));
    EXPECT_EQ(sceneText(parseSceneData(text, "saved", {}, folder)), text);
    std::ifstream stream(entry.path());
    expectNothingLost(nlohmann::json::parse(stream), nlohmann::json::parse(text), "");
    expectSameScene(readScene(entry.path()), parseScene(text, entry.path().string(), {}, folder));
    ++count;
  }
  EXPECT_GT(count, 50);
}

// Scenes that use every field.
TEST(SceneData, KeepsEveryField) {
  for (const char* original : {testing::kPlanarScene, testing::kSpatialScene}) {
    const std::string text = sceneText(sceneDataOf(OrderedJson::parse(original)));
    testing::noteForSchema(text, true);
    EXPECT_EQ(sceneText(sceneDataOf(OrderedJson::parse(text))), text);
    expectNothingLost(nlohmann::json::parse(original), nlohmann::json::parse(text), "");
  }
}

SceneData boxOnFloor() {
  SceneData data;
  data.name = "box";
  data.time = {.step = 1e-3, .end = 0.01};
  data.system = SceneBodies{
      .bodies = {{.name = "floor", .type = Body::Type::fixed, .shapes = {{.form = HalfSpace{}}}},
                 {.name = "box",
                  .position = {0, 0, 0.5},
                  .orientation = AxisAngle{{0, 0, 1}, 0.1},
                  .shapes = {{.form = Box{{1, 1, 1}}}}}}};
  return data;
}

TEST(SceneData, CanBeBuiltChangedAndSaved) {
  SceneData data = boxOnFloor();
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) /
                                     ("built_scene_" + std::to_string(::getpid()) + ".json");
  saveScene(data, file);
  expectSameScene(makeScene(data), readScene(file));
  testing::noteForSchema(sceneText(data), true);

  data = readSceneData(file);
  auto& bodies = std::get<SceneBodies>(data.system);
  ASSERT_EQ(bodies.bodies.size(), 2u);
  EXPECT_EQ(std::get<AxisAngle>(*bodies.bodies[1].orientation).angle, 0.1);
  bodies.bodies[1].position.z = 3;
  bodies.instances.push_back({.name = "rock{i}",
                              .body = {.shapes = {{.form = Rock{.radius = 0.2}}}},
                              .places = SceneGrid{{2, 2, 1}, {1, 1, 1}, {3, 3, 3}}});
  data.method.solver = "exact";
  saveScene(data, file);
  const Scene changed = readScene(file);
  EXPECT_EQ(changed.model.method.solver, "exact");
  const auto& system = dynamic_cast<const BodySystem&>(*changed.model.system);
  EXPECT_EQ(system.data().bodies.size(), 6u);
  EXPECT_EQ(system.data().bodies[1].position.z, 3);
  // Instances are kept as they are described.
  EXPECT_EQ(std::get<SceneBodies>(readSceneData(file).system).instances.size(), 1u);
  std::filesystem::remove(file);
}

std::string complaintOf(const SceneData& data) {
  try {
    makeScene(data);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

void expectWords(const std::string& complaint, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    EXPECT_NE(complaint.find(word), std::string::npos) << complaint;
}

TEST(SceneData, IsCheckedAsFilesAre) {
  SceneData data = boxOnFloor();
  EXPECT_EQ(complaintOf(data), "no complaint");
  auto& bodies = std::get<SceneBodies>(data.system);
  bodies.bodies[1].mass = -1;
  expectWords(complaintOf(data), {"scene \"box\"", "/system/bodies/1/mass", "-1", "> 0"});
  bodies.bodies[1].mass.reset();
  bodies.drag = {{.body = "bax", .linear = 1}};
  expectWords(complaintOf(data), {"/system/drag/0/body", "did you mean \"box\"?"});
  bodies.drag.clear();
  bodies.bodies[1].material = "ice";
  expectWords(complaintOf(data), {"/system/bodies/1/material", "\"ice\""});
  bodies.bodies[1].material.clear();
  data.time.step = std::nan("");
  expectWords(complaintOf(data), {"/time/step", "not a number"});
  data.time.step = 1e-3;
  bodies.dimension = 4;
  expectWords(complaintOf(data), {"dimension must be 2 or 3"});
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "unsound.json";
  EXPECT_THROW(saveScene(data, file), InputError);
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_THROW(saveScene(boxOnFloor(), "/no/such/folder/scene.json"), InputError);
}

TEST(SceneData, SupportFunctionsHaveNoForm) {
  SceneData data = boxOnFloor();
  std::get<SceneBodies>(data.system).bodies[1].shapes[0].form =
      SupportShape{[](Vec3 d) { return normalized(d); }, 0, 1};
  expectWords(complaintOf(data), {"support function", "C++ only"});
}

TEST(SceneData, LinearSystemsToo) {
  SceneData data;
  data.name = "ball";
  data.time = {.step = 1e-3, .end = 1};
  data.system = SceneLinear{.coordinates = {"height"},
                            .M = {0.1},
                            .f = {-0.981},
                            .contacts = {{.name = "floor", .w_N = {1}, .e_n = 0.5}},
                            .elements = {{.name = "rope", .g0 = 0.25, .w = {1}, .length = 2.0}},
                            .q = {{"height", 1}}};
  const Scene scene = makeScene(data);
  EXPECT_EQ(scene.initial.q, std::vector<double>{1});
  const auto& system = dynamic_cast<const LinearSystem&>(*scene.model.system).data();
  ASSERT_EQ(system.contacts.size(), 2u);
  EXPECT_EQ(system.contacts[1].g0, 1.75);
  testing::noteForSchema(sceneText(data), true);
  expectSameScene(scene, makeScene(parseSceneData(sceneText(data), "saved")));
}

}  // namespace
}  // namespace stickslip
