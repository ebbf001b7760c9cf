#include "stage_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stickslip::cli {
namespace {

nlohmann::ordered_json numberOrNull(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

std::string residualAsText(double residual) {
  return std::isnan(residual) ? "-" : fmt::format("{:.1e}", residual);
}

}  // namespace

nlohmann::ordered_json stagesAsJson(const StageSummary& stages) {
  auto list = nlohmann::ordered_json::array();
  for (const StageEffort& effort : stages.efforts())
    list.push_back({{"stage", effort.name},
                    {"solved", effort.solved},
                    {"tried", effort.tried},
                    {"iterations", effort.iterations}});
  return list;
}

nlohmann::ordered_json traceAsJson(const StageTrace& trace) {
  auto list = nlohmann::ordered_json::array();
  for (const StageRecord& record : trace)
    list.push_back({{"solver", record.solver},
                    {"island", record.island},
                    {"rows", record.rows},
                    {"stage", record.stage},
                    {"iterations", record.iterations},
                    {"residual_before", numberOrNull(record.before)},
                    {"residual_after", numberOrNull(record.after)},
                    {"seconds", record.seconds},
                    {"solved", record.solved}});
  return list;
}

std::string traceAsTable(const StageTrace& trace) {
  if (trace.empty()) return "";
  std::size_t solver_width = 6, stage_width = 5;  // of their headings
  for (const StageRecord& record : trace) {
    solver_width = std::max(solver_width, record.solver.size());
    stage_width = std::max(stage_width, record.stage.size());
  }
  std::string text =
      fmt::format("{:>6} {:>6}  {:<{}}  {:<{}}  {:>10}  {:>8}  {:>9}\n", "island", "rows", "solver",
                  solver_width, "stage", stage_width, "iterations", "residual", "seconds");
  for (const StageRecord& record : trace)
    text += fmt::format("{:>6} {:>6}  {:<{}}  {:<{}}  {:>10}  {:>8}  {:>9.2e}{}\n", record.island,
                        record.rows, record.solver, solver_width, record.stage, stage_width,
                        record.iterations, residualAsText(record.after), record.seconds,
                        record.solved ? "  solved" : "");
  return text;
}

}  // namespace stickslip::cli
