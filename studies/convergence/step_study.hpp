// A scene over step sizes: the runs, their errors against a finer run, and how these are shown.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "convergence/convergence.hpp"
#include "report/blocks.hpp"

namespace stickslip {

/// One run of a study.
struct StudyRun {
  double step = 0;
  Trajectory motion;
  std::int64_t uncertified_steps = 0;
  double residual_max = 0;
  bool stopped = false;  ///< ended early: the state stopped being finite
};

StudyRun runForStudy(const Scene& scene);

struct StepStudy {
  std::string name;  ///< of the scheme or whatever sets this study apart; may be empty
  std::vector<StudyRun> runs;
  StudyRun reference;
  std::vector<ConvergenceRow> rows;  ///< as many as runs
  double position_rate = 0;          ///< fitted over all steps
  double velocity_rate = 0;

  std::int64_t uncertifiedSteps() const;
  /// The step of a run that ended early; 0 if none did.
  double stoppedStep() const;
};

/// Compares runs, from the longest step to the shortest, with the reference.
StepStudy studyOf(std::string name, std::vector<StudyRun> runs, StudyRun reference);

/// The same with the runs made here, one after the other.
StepStudy studySteps(const std::function<Scene(double step)>& scene_of,
                     std::span<const double> steps, double reference_step);

/// Rates that are not known are NaN, which is null in JSON text.
nlohmann::ordered_json rowsOf(const StepStudy& study);
/// The errors of several studies, one under the other.
Table errorTable(std::span<const StepStudy> studies, std::string caption);
/// Errors over steps, and a line of slope 1.
Plot errorPlot(std::span<const StepStudy> studies, std::string caption);

}  // namespace stickslip
