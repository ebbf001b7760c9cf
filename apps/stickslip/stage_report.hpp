// What the stages of a solver did, as JSON and as a table.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "stickslip/solve_stages.hpp"

namespace stickslip::cli {

nlohmann::ordered_json stagesAsJson(const StageSummary& stages);
nlohmann::ordered_json traceAsJson(const StageTrace& trace);
/// One line a stage, islands one after the other; empty without a trace.
std::string traceAsTable(const StageTrace& trace);

}  // namespace stickslip::cli
