// The problems of the study of stages: short sequences, each of which one solver works through, so
// that it starts from nothing once and then from the solve before.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "solver_study/study_problems.hpp"

namespace stickslip::study {

struct ProblemSequence {
  std::string family;
  std::string name;  ///< within the family
  std::function<std::vector<AnyProblem>()> make;
};

/// `fclib`: a folder with FCLIB files; empty or missing: none.
std::vector<ProblemSequence> stageProblems(Extent extent, const std::filesystem::path& fclib);

}  // namespace stickslip::study
