#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "commands.hpp"
#include "dump_request.hpp"
#include "progress.hpp"
#include "run_report.hpp"
#include "stickslip/io/recording.hpp"
#include "stickslip/io/scene.hpp"
#include "warnings.hpp"

namespace stickslip::cli {
int runScene(const RunOptions& options) {
  Scene scene = loadScene(options.scene, options.overrides);
  reportWarnings(scene, options.strict);
  const ExistingRecording existing =
      options.force ? ExistingRecording::replace : ExistingRecording::refuse;
  if (!options.out.empty()) expectRecordingFolder(options.out, existing);
  DumpRequest dumps(options, scene);
  Stepper stepper(scene.model);
  std::optional<RecordingWriter> recording;
  if (!options.out.empty()) recording.emplace(options.out, scene, existing);

  RunSummary summary;
  const auto start = std::chrono::steady_clock::now();
  {
    const double end = scene.run.time.end;
    Progress progress(end);
    summary = run(
        stepper, std::move(scene.initial), scene.run,
        [&](std::int64_t step, const State& state, const Stepper& at, const StepReport* report) {
          if (recording && (step % scene.record_every == 0 || state.t == end))
            recording->append(step, state, at, report);
          if (report) dumps.step(step, at);
          progress.update(step, state.t);
        });
    if (summary.coarse_steps > 0)
      spdlog::warn(
          "time.error: {} of {} steps have more error than asked for and are as short as steps "
          "get, "
          "a millionth of time.step; ask for less",
          summary.coarse_steps, summary.steps);
    if (!summary.stopped) dumps.endOfRun(summary.steps);
    // A step that failed is the one that is most worth looking at.
    if (summary.stopped) dumps.stepThatStopped(summary.steps + 1, stepper);
    // The last good state of a run that stopped; the contacts of its step are gone by then.
    if (recording && summary.stopped && summary.steps % scene.record_every != 0)
      recording->append(summary.steps, summary.final_state, stepper, nullptr);
    if (recording) recording->flush();
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;

  const FinishedRun finished{scene, summary, wall.count(),
                             recording ? recording->file().string() : std::string(), dumps.files()};
  fmt::print("{}", options.json ? asJson(finished) : asTable(finished));
  if (summary.certified()) return kFine;
  spdlog::error("{}", complaint(finished));
  return kNotCertified;
}

}  // namespace stickslip::cli
