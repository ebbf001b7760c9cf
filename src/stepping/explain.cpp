// A step report in words.
#include <array>
#include <cstdio>
#include <span>
#include <string>

#include "stickslip/stepper.hpp"

namespace stickslip {
namespace {

std::string inShort(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2g", x);
  return text.data();
}

std::string howItEnded(const SolveReport& solve) {
  const std::string ended = " after " + std::to_string(solve.iterations) + " iterations";
  switch (solve.status) {
    case SolveStatus::solved:
      return " took its answer for a solution" + ended;
    case SolveStatus::ray:
      return " found no solution" + ended + ": its path ended in a ray, and there may be none";
    case SolveStatus::iteration_limit:
      return " stopped at the budget" + ended + ": a larger one may help";
    case SolveStatus::solver_limit:
      return " stopped at its own limit" + ended + ": a budget takes it further";
    case SolveStatus::diverged:
      return " did not approach a solution" + ended + ": another solver may";
    case SolveStatus::inaccurate:
      break;
  }
  return " was stopped by rounding errors" + ended;
}

}  // namespace

std::string explain(const StepReport& report) {
  const std::string tolerance = ", tolerance " + inShort(report.tolerance);
  const std::string worst(report.certificate.worstName());
  if (!report.certificate.finite)
    return "Not certified: the solution is not finite, and the state was kept; a shorter step may "
           "help.";
  const std::string value =
      worst + " is " + inShort(report.certificate.worstResidual()) + tolerance;
  if (report.certified && report.advanced) return "Certified: " + value + ".";
  std::string text = report.certified ? "" : "Not certified: " + value + ".";
  if (!report.certified) {
    std::string solver(report.solver);
    if (!report.solve.solved_by.empty() && report.solve.solved_by != report.solver)
      solver += " (" + std::string(report.solve.solved_by) + ")";
    text += " Solver " + solver + howItEnded(report.solve);
    const std::span<const StageEffort> stages = report.solve.stages.efforts();
    if (!stages.empty() && report.solve.status != SolveStatus::solved)
      text += "; its last stage was \"" + std::string(stages.back().name) + "\"";
    text += ".";
    if (report.scheme.geometry_change > report.tolerance)
      text += " The iteration for the geometry stopped after " +
              std::to_string(report.scheme.geometry_iterations) + " problems.";
    if (report.drift_kept)
      text += " Some overlaps or open joints were not taken back.";
    else if (report.restitution_dropped)
      text += " Restitution was given up at some contacts.";
  }
  if (!report.advanced)
    text += (text.empty() ? "" : " ") +
            std::string("The state was kept, as the next one would not be finite.");
  return text;
}

}  // namespace stickslip
