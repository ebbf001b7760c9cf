// A scene built in code: a tower of boxes and a heap of rocks, saved to a file, read again and run.
// Usage: build_scene FILE
#include <cstdio>
#include <string>

#include "stickslip/body_system.hpp"
#include "stickslip/scene/scene_data.hpp"

int main(int count, char** arguments) {
  using namespace stickslip;
  if (count != 2) {
    std::fprintf(stderr, "usage: build_scene FILE\n");
    return 2;
  }
  SceneBodies world{.materials = {{.name = "default", .surface = {.friction = 0.6}}}};
  world.bodies.push_back(
      {.name = "floor", .type = Body::Type::fixed, .shapes = {{.form = HalfSpace{}}}});
  for (int k = 0; k < 3; ++k)
    world.bodies.push_back({.name = "box" + std::to_string(k),
                            .position = {0, 0, 0.5 + k},
                            .shapes = {{.form = Box{{1, 1, 1}}}}});
  world.instances.push_back(
      {.name = "rock{i}",
       .body = {.shapes = {{.form = Rock{.radius = 0.2}}}},
       .places = SceneGrid{.count = {2, 2, 2}, .spacing = {0.5, 0.5, 0.5}, .origin = {2, 0, 0.3}}});
  const SceneData built{
      .name = "tower", .time = {.step = 2e-3, .end = 0.5}, .system = std::move(world)};
  saveScene(built, arguments[1]);

  SceneData data = readSceneData(arguments[1]);
  std::get<SceneBodies>(data.system).bodies.back().velocity = {0.2, 0, 0};  // the top box slides
  const Scene scene = makeScene(data);
  Stepper stepper(scene.model);
  const RunSummary summary = run(stepper, scene.initial, scene.run);
  const auto& system = dynamic_cast<const BodySystem&>(*scene.model.system);
  for (int body = 1; body < static_cast<int>(system.data().bodies.size()); ++body) {
    const Vec3 at = system.bodyState(body, summary.final_state).position;
    std::printf("%-6s %8.4f %8.4f %8.4f\n", system.data().bodies[body].name.c_str(), at.x, at.y,
                at.z);
  }
  std::printf("%s steps, worst residual %.1e\n", std::to_string(summary.steps).c_str(),
              summary.residual_max);
  return summary.certified() ? 0 : 1;
}
