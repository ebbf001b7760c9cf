// Loads a scene, runs it, and records it.
#include <cstdio>
#include <stickslip/io/recording.hpp>

int main(int, char** argv) {
  const stickslip::Scene scene = stickslip::loadScene(argv[1]);
  stickslip::Stepper stepper(scene.model);
  stickslip::RecordingWriter recording(argv[2], scene);
  const auto summary = stickslip::run(
      stepper, scene.initial, scene.run,
      [&](long step, const stickslip::State& state, const stickslip::Stepper& at,
          const stickslip::StepReport* report) { recording.append(step, state, at, report); });
  std::printf("%s: %ld steps\n", scene.name.c_str(), summary.steps);
  return summary.certified() ? 0 : 1;
}
