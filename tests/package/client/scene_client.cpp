// Reads a scene and runs it with the engine and the scene library alone.
#include <cstdio>
#include <stickslip/scene/scene.hpp>

int main(int, char** argv) {
  const stickslip::Scene scene = stickslip::readScene(argv[1]);
  stickslip::Stepper stepper(scene.model);
  const auto summary = stickslip::run(stepper, scene.initial, scene.run);
  std::printf("%s: %ld steps\n", scene.name.c_str(), static_cast<long>(summary.steps));
  return summary.certified() ? 0 : 1;
}
