#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>

#include "commands.hpp"
#include "convergence/child_processes.hpp"
#include "convergence/packed_run.hpp"
#include "convergence/step_study.hpp"
#include "report/html_report.hpp"
#include "report/text_plot.hpp"
#include "report/text_table.hpp"
#include "report_folder.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/io/scene.hpp"
#include "stickslip/threads.hpp"
#include "warnings.hpp"

namespace stickslip::cli {
namespace {

// The reference is so much finer than the finest step, unless it is given.
constexpr double kFiner = 4;
constexpr double kLeastQuotient = 1.01;
constexpr const char* kNumbersFile = "converge.json";

// A scheme or preset, and the field of the scene that names it.
struct Choice {
  std::string name;
  std::vector<std::string> overrides;
};

std::vector<Choice> choicesOf(const ConvergeOptions& options) {
  std::vector<Choice> choices;
  for (const std::string& scheme : options.schemes)
    choices.push_back({scheme, {"method.scheme=" + scheme}});
  for (const std::string& preset : options.presets)
    choices.push_back({preset, {"method.preset=" + preset}});
  if (choices.empty()) choices.push_back({});
  return choices;
}

// Fields that the command sets itself: what --set says about them would be lost.
void refuseOwnFields(const ConvergeOptions& options) {
  const auto refuse = [&](const char* field, const char* instead) {
    const std::string start = std::string(field) + "=";
    for (const std::string& assignment : options.overrides)
      if (assignment.starts_with(start))
        throw InputError(fmt::format("--set {}: converge sets {} itself, by {}; leave this out",
                                     assignment, field, instead));
  };
  refuse("time.step", "--steps");
  if (!options.schemes.empty()) refuse("method.scheme", "--schemes");
  if (!options.presets.empty()) refuse("method.preset", "--presets");
}

// Longest first, so that every row is compared with the one before.
std::vector<double> sortedSteps(const ConvergeOptions& options) {
  const std::set<double, std::greater<>> steps(options.steps.begin(), options.steps.end());
  if (steps.size() < 2)
    throw InputError(
        "--steps: at least two different step sizes are needed, as in --steps 0.02 0.01 0.005");
  for (auto finer = std::next(steps.begin()); finer != steps.end(); ++finer)
    if (*std::prev(finer) < kLeastQuotient * *finer)
      throw InputError(
          fmt::format("--steps: {:.17g} and {:.17g} are too close for a rate; the quotient of two "
                      "steps must be at "
                      "least {:g}",
                      *std::prev(finer), *finer, kLeastQuotient));
  return {steps.begin(), steps.end()};
}

double referenceStep(const ConvergeOptions& options, double finest) {
  if (options.reference && *options.reference >= finest)
    throw InputError(fmt::format("--reference {:g}: not shorter than the shortest of --steps, {:g}",
                                 *options.reference, finest));
  return options.reference.value_or(finest / kFiner);
}

std::vector<std::string> overridesOf(const ConvergeOptions& options, const Choice& choice) {
  std::vector<std::string> overrides = options.overrides;
  overrides.insert(overrides.end(), choice.overrides.begin(), choice.overrides.end());
  return overrides;
}

Scene sceneOf(const ConvergeOptions& options, const Choice& choice, double step) {
  std::vector<std::string> overrides = overridesOf(options, choice);
  overrides.push_back(fmt::format("time.step={:.17g}", step));
  Scene scene = loadScene(options.scene, overrides);
  if (scene.run.time.error > 0)
    throw InputError(fmt::format(
        "{}: /time/error: steps are chosen by their error; converge compares steps of one "
        "length, so leave this field out",
        options.scene));
  if (scene.run.time.stepCount() < 2)
    throw InputError(
        fmt::format("--steps {:g}: time.end is {:g}, and a run needs two steps at least", step,
                    scene.run.time.end));
  return scene;
}

std::vector<StudyRun> runAll(std::span<const Scene> scenes, std::span<const std::string> names,
                             int jobs) {
  std::vector<ChildJob> work;
  for (const Scene& scene : scenes)
    work.push_back([&scene] {
      setThreadCount(1);
      return packed(runForStudy(scene));
    });
  const auto results =
      runInChildren(work, jobs, [&](std::size_t k, std::size_t done, const ChildResult& result) {
        spdlog::info("[{}/{}] {}h = {:g}: {:.1f} s", done, work.size(), names[k],
                     scenes[k].run.time.step, result.seconds);
      });
  std::vector<StudyRun> runs;
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (!results[k].finished)
      throw std::runtime_error(
          fmt::format("{}h = {:g}: {}", names[k], scenes[k].run.time.step, results[k].text));
    runs.push_back(unpacked(results[k].text));
  }
  return runs;
}

// What is run: all steps and the reference of the first choice, then of the next.
struct Plan {
  std::vector<Choice> choices;
  std::vector<double> steps;  ///< the reference is the last
  std::vector<Scene> scenes;
  std::vector<std::string> names;
};

Plan planOf(const ConvergeOptions& options) {
  refuseOwnFields(options);
  Plan plan{choicesOf(options), sortedSteps(options), {}, {}};
  plan.steps.push_back(referenceStep(options, plan.steps.back()));
  for (const Choice& choice : plan.choices) {
    // As it is, with its own step: what is wrong with that is not to be hidden by --steps.
    loadScene(options.scene, overridesOf(options, choice));
    for (const double step : plan.steps) {
      plan.scenes.push_back(sceneOf(options, choice, step));
      plan.names.push_back(choice.name.empty() ? "" : choice.name + ", ");
    }
  }
  return plan;
}

std::vector<StepStudy> studiesOf(const Plan& plan, int jobs) {
  std::vector<StudyRun> runs = runAll(plan.scenes, plan.names, jobs);
  std::vector<StepStudy> studies;
  for (std::size_t k = 0; k < plan.choices.size(); ++k) {
    const auto first = runs.begin() + static_cast<std::ptrdiff_t>(k * plan.steps.size());
    const auto last = first + static_cast<std::ptrdiff_t>(plan.steps.size() - 1);
    studies.push_back(studyOf(plan.choices[k].name,
                              {std::make_move_iterator(first), std::make_move_iterator(last)},
                              *last));
  }
  return studies;
}

nlohmann::ordered_json numbersOf(const ConvergeOptions& options, const Plan& plan,
                                 std::span<const StepStudy> studies) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const StepStudy& study : studies)
    list.push_back(
        {{"method", study.name.empty() ? plan.scenes.front().model.method.scheme : study.name},
         {"reference", study.reference.step},
         {"velocity_rate", study.velocity_rate},
         {"position_rate", study.position_rate},
         {"to_first_method",
          positionError(study.reference.motion, studies.front().reference.motion)},
         {"uncertified_steps", study.uncertifiedSteps()},
         {"rows", rowsOf(study)}});
  return {{"scene", options.scene}, {"studies", list}};
}

std::string orderText(double rate) {
  return std::isnan(rate) ? "none: there is no error" : fmt::format("{:.2f}", rate);
}

std::string conclusionsOf(std::span<const StepStudy> studies) {
  std::string out;
  for (const StepStudy& study : studies) {
    const std::string name = study.name.empty() ? "" : study.name + ": ";
    out += fmt::format("{}order {} (velocity), {} (position), fitted over all steps", name,
                       orderText(study.velocity_rate), orderText(study.position_rate));
    if (&study != &studies.front())
      out += fmt::format("; its reference is {:.2g} away from that of {}",
                         positionError(study.reference.motion, studies.front().reference.motion),
                         studies.front().name);
    out += "\n";
  }
  return out;
}

void writeReport(const ReportFolder& folder, const ConvergeOptions& options,
                 std::span<const StepStudy> studies, const nlohmann::ordered_json& numbers,
                 const std::vector<Block>& blocks) {
  ReportSection section;
  section.anchor = "errors";
  section.title = "Errors over the step size";
  section.text = conclusionsOf(studies);
  section.figures = htmlOf(blocks);
  section.command = options.command;
  folder.writeNumbers(kNumbersFile, numbers.dump(2) + "\n");
  folder.writePage(htmlPage(options.scene + " over step sizes", "", {&section, 1}));
}

}  // namespace

int convergeScene(const ConvergeOptions& options) {
  const Plan plan = planOf(options);
  reportWarnings(plan.scenes.front(), options.strict);
  std::optional<ReportFolder> folder;
  if (!options.out.empty()) folder.emplace(options.out, std::vector<std::string>{kNumbersFile});
  const std::vector<StepStudy> studies = studiesOf(plan, options.jobs);
  const nlohmann::ordered_json numbers = numbersOf(options, plan, studies);
  const Table table = errorTable(
      studies, fmt::format("Errors against runs with h = {:g}", studies.front().reference.step));
  const Plot plot = errorPlot(studies, "Errors over the step size");
  if (folder) writeReport(*folder, options, studies, numbers, {table, plot});
  if (options.json)
    fmt::print("{}\n", numbers.dump(2));
  else
    fmt::print("{}\n{}\n{}", textOf(table), textOf(plot), conclusionsOf(studies));
  for (const StepStudy& study : studies)
    if (study.stoppedStep() > 0)
      spdlog::error(
          "{}h = {:g}: the run ended early, since its state stopped being finite; its errors say "
          "nothing",
          study.name.empty() ? "" : study.name + ", ", study.stoppedStep());
  std::int64_t uncertified = 0;
  for (const StepStudy& study : studies) uncertified += study.uncertifiedSteps();
  const bool stopped = std::any_of(studies.begin(), studies.end(),
                                   [](const StepStudy& study) { return study.stoppedStep() > 0; });
  if (uncertified == 0) return stopped ? kNotCertified : kFine;
  spdlog::error(
      "{} steps are not certified; their errors are those of runs that missed the tolerance",
      uncertified);
  return kNotCertified;
}

}  // namespace stickslip::cli
