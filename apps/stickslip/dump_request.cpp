#include "dump_request.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>

#include "io/files/output_file.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/fclib.hpp"
#include "stickslip/io/problem_dump.hpp"
#include "stickslip/io/recording.hpp"

namespace stickslip::cli {
namespace {

void checkStep(std::int64_t step, const RunSettings& run) {
  if (step == 0 && !run.impact_at_start)
    throw InputError(
        "--dump-problem 0: this run does not begin with an impact; steps count from 1");
  if (run.time.error == 0 && step > run.time.stepCount())
    throw InputError(
        fmt::format("--dump-problem {}: the run has {} steps", step, run.time.stepCount()));
}

// Forming W takes dense matrices of this many rows.
constexpr int kMostLocalRows = 6000;

void writeLocal(const std::filesystem::path& file, const ContactProblem& problem) {
  if (problem.J.rowCount() > kMostLocalRows)
    throw InputError(fmt::format(
        "--dump-format fclib-local: {} rows are more than the {} that it is made for; use fclib",
        problem.J.rowCount(), kMostLocalRows));
  writeFclibLocal(file, localForm(problem));
}

}  // namespace

DumpRequest::DumpRequest(const RunOptions& options, const Scene& scene)
    : options_(options), scene_(scene.name) {
  for (const std::int64_t step : options.dump_steps) checkStep(step, scene.run);
  if (!options.dump_to.empty() && options.dump_steps.size() > 1)
    throw InputError("--dump-to names one file; leave it out to dump more than one step");
  for (const std::int64_t step : options.dump_steps) expectFile(fileFor(step));
}

// Asked before the run, and again when the file is written.
void DumpRequest::expectFile(const std::filesystem::path& file) const {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path out =
      options_.out.empty() ? fs::path() : fs::weakly_canonical(fs::absolute(options_.out), error);
  const fs::path target = fs::weakly_canonical(fs::absolute(file), error);
  if (!out.empty() && target == out / kRecordingFile)
    throw InputError(fmt::format("--dump-to {}: that is where the recording goes", file.string()));
  // The folder of the recording is made later.
  if (!out.empty() && target.parent_path() == out && !fs::exists(out, error)) return;
  expectReplaceable(file, OwnFile::problem, file.string());
}

std::filesystem::path DumpRequest::fileFor(std::int64_t step) const {
  if (!options_.dump_to.empty()) return options_.dump_to;
  const std::filesystem::path scene(options_.scene);
  const std::string stem = (scene.has_filename() ? scene : scene.parent_path()).stem().string();
  return fmt::format("{}-{}.hdf5", stem, step);
}

void DumpRequest::step(std::int64_t step, const Stepper& stepper) {
  const std::vector<std::int64_t>& wanted = options_.dump_steps;
  if (std::find(wanted.begin(), wanted.end(), step) == wanted.end()) return;
  const std::filesystem::path file = fileFor(step);
  const ContactProblem& problem = stepper.problem();
  if (options_.dump_format == "fclib")
    writeFclibGlobal(file, problem);
  else if (options_.dump_format == "fclib-local")
    writeLocal(file, problem);
  else
    writeProblemDump(file, {problem, stepper.model().method, scene_, step}, stepper.solution());
  files_.push_back(file.string());
}

void DumpRequest::endOfRun(std::int64_t last) const {
  for (const std::int64_t wanted : options_.dump_steps)
    if (wanted > last)
      spdlog::warn("--dump-problem {}: the run had {} steps, so there is no such problem", wanted,
                   last);
}

void DumpRequest::stepThatStopped(std::int64_t last, const Stepper& stepper) {
  step(last, stepper);
  for (const std::int64_t wanted : options_.dump_steps)
    if (wanted > last)
      spdlog::warn("--dump-problem {}: the run stopped at step {}, so there is no such problem",
                   wanted, last);
}

}  // namespace stickslip::cli
