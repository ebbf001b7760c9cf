// What `stickslip run` says about a run: as a table for people, as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "stickslip/io/scene.hpp"

namespace stickslip::cli {

struct FinishedRun {
  const Scene& scene;
  const RunSummary& summary;
  double wall_seconds;
  std::string recording;              ///< file, or empty if there is none
  std::vector<std::string> problems;  ///< files of contact problems
};

std::string asTable(const FinishedRun& run);
std::string asJson(const FinishedRun& run);
/// One line on what was not certified; empty if everything was.
std::string complaint(const FinishedRun& run);

}  // namespace stickslip::cli
