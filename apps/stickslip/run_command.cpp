#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "progress.hpp"
#include "run_report.hpp"
#include "stickslip/io/recording.hpp"
#include "stickslip/io/scene.hpp"

namespace stickslip::cli {
namespace {

struct RunOptions {
  std::string scene;
  std::string out;
  std::vector<std::string> overrides;
  bool json = false;
};

int runScene(const RunOptions& options) {
  const Scene scene = loadScene(options.scene, options.overrides);
  Stepper stepper(scene.model);
  std::optional<RecordingWriter> recording;
  if (!options.out.empty()) recording.emplace(options.out, scene);

  const long last = scene.run.time.stepCount();
  RunSummary summary;
  const auto start = std::chrono::steady_clock::now();
  {
    Progress progress(last);
    summary = run(stepper, scene.initial, scene.run,
                  [&](long step, const State& state, const Stepper& at, const StepReport* report) {
                    if (recording && (step % scene.record_every == 0 || step == last))
                      recording->append(step, state, at, report);
                    progress.update(step);
                  });
    if (recording) recording->flush();
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;

  const FinishedRun finished{scene, summary, wall.count(),
                             recording ? recording->file().string() : std::string()};
  fmt::print("{}", options.json ? asJson(finished) : asTable(finished));
  if (summary.certified()) return kFine;
  spdlog::error("{}", complaint(finished));
  return kNotCertified;
}

}  // namespace

void addRunCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Simulate a scene");
  command->add_option("scene", options->scene, "Scene file, or a recording to repeat")->required();
  command->add_option("--out", options->out, "Folder for the recording; none without it");
  command->add_option("--set", options->overrides, "Change a field: path.to.field=value")
      ->allow_extra_args(false);
  command->add_flag("--json", options->json, "Print the result as JSON");
  command->callback([options, &exit_code] { exit_code = runScene(*options); });
}

}  // namespace stickslip::cli
