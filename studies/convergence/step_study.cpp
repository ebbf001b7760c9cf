#include "convergence/step_study.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace stickslip {
namespace {

std::string rateText(double rate) {
  return std::isnan(rate) ? "" : fmt::format("{:.2f}", rate);
}

std::vector<double> columnOf(const StepStudy& study, double ConvergenceRow::*member) {
  std::vector<double> values;
  for (const ConvergenceRow& row : study.rows) values.push_back(row.*member);
  return values;
}

std::string prefixed(const StepStudy& study, const char* what) {
  return study.name.empty() ? what : study.name + ": " + what;
}

}  // namespace

StudyRun runForStudy(const Scene& scene) {
  FinishedMotion finished = runAndKeep(scene);
  return {scene.run.time.step, std::move(finished.motion), finished.summary.uncertified_steps,
          finished.summary.residual_max, finished.summary.stopped};
}

std::int64_t StepStudy::uncertifiedSteps() const {
  std::int64_t sum = reference.uncertified_steps;
  for (const StudyRun& run : runs) sum += run.uncertified_steps;
  return sum;
}

double StepStudy::stoppedStep() const {
  for (const StudyRun& run : runs)
    if (run.stopped) return run.step;
  return reference.stopped ? reference.step : 0;
}

StepStudy studyOf(std::string name, std::vector<StudyRun> runs, StudyRun reference) {
  StepStudy study{std::move(name), std::move(runs), std::move(reference), {}, 0, 0};
  std::vector<double> steps;
  std::vector<Trajectory> motions;
  for (const StudyRun& run : study.runs) {
    steps.push_back(run.step);
    motions.push_back(run.motion);
  }
  study.rows = convergenceRows(steps, motions, study.reference.motion);
  study.position_rate = fittedRate(steps, columnOf(study, &ConvergenceRow::position_error));
  study.velocity_rate = fittedRate(steps, columnOf(study, &ConvergenceRow::velocity_error));
  return study;
}

StepStudy studySteps(const std::function<Scene(double step)>& scene_of,
                     std::span<const double> steps, double reference_step) {
  std::vector<StudyRun> runs;
  for (const double step : steps) runs.push_back(runForStudy(scene_of(step)));
  return studyOf({}, std::move(runs), runForStudy(scene_of(reference_step)));
}

nlohmann::ordered_json rowsOf(const StepStudy& study) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < study.rows.size(); ++k) {
    const ConvergenceRow& row = study.rows[k];
    rows.push_back({{"h", row.step},
                    {"velocity_error", row.velocity_error},
                    {"velocity_rate", row.velocity_rate},
                    {"position_error", row.position_error},
                    {"position_rate", row.position_rate},
                    {"velocity_variation", row.variation},
                    {"uncertified_steps", study.runs[k].uncertified_steps},
                    {"residual_max", study.runs[k].residual_max}});
  }
  return rows;
}

Table errorTable(std::span<const StepStudy> studies, std::string caption) {
  Table table{std::move(caption),
              {"h", "velocity error", "rate", "position error", "rate", "velocity variation"},
              {}};
  const bool named = studies.size() > 1 || !studies.front().name.empty();
  if (named) table.columns.insert(table.columns.begin(), "method");
  for (const StepStudy& study : studies)
    for (const ConvergenceRow& row : study.rows) {
      std::vector<std::string> cells = {
          fmt::format("{:g}", row.step), fmt::format("{:.4g}", row.velocity_error),
          rateText(row.velocity_rate),   fmt::format("{:.4g}", row.position_error),
          rateText(row.position_rate),   fmt::format("{:.6g}", row.variation)};
      if (named) cells.insert(cells.begin(), study.name);
      table.rows.push_back(std::move(cells));
    }
  return table;
}

Plot errorPlot(std::span<const StepStudy> studies, std::string caption) {
  Plot plot{std::move(caption), {"step h", true}, {"error", true}, {}, false};
  for (const StepStudy& study : studies) {
    const std::vector<double> steps = columnOf(study, &ConvergenceRow::step);
    plot.series.push_back({prefixed(study, "velocity error"), steps,
                           columnOf(study, &ConvergenceRow::velocity_error), false, false});
    plot.series.push_back({prefixed(study, "position error"), steps,
                           columnOf(study, &ConvergenceRow::position_error), false, false});
  }
  const StepStudy& first = studies.front();
  if (first.rows.size() < 2 || !(first.rows.front().velocity_error > 0)) return plot;
  const double slope = first.rows.front().velocity_error / first.rows.front().step;
  const double coarse = first.rows.front().step, fine = first.rows.back().step;
  plot.series.push_back({"order 1", {coarse, fine}, {slope * coarse, slope * fine}, false, true});
  return plot;
}

}  // namespace stickslip
