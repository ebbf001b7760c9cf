// The model problems of the study: piles over friction, towers over mass ratio, settled spheres,
// random states of a pile near rest, and the files of FCLIB.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "stickslip/contact_problem.hpp"
#include "stickslip/local_problem.hpp"

namespace stickslip::study {

using AnyProblem = std::variant<ContactProblem, LocalProblem>;

struct StudyProblem {
  std::string family;     ///< "pile20"
  std::string parameter;  ///< "mu"; empty if there is none
  double value = 0;       ///< of the parameter
  std::function<AnyProblem()> make;
  bool one_tolerance = false;  ///< one point instead of a curve
};

enum class Extent { quick, full };

/// `fclib`: a folder with FCLIB files; empty or missing: none.
std::vector<StudyProblem> studyProblems(Extent extent, const std::filesystem::path& fclib);

bool isPlanar(const AnyProblem& problem);
int rowsOf(const AnyProblem& problem);
int contactsOf(const AnyProblem& problem);
Law& lawOf(AnyProblem& problem);

}  // namespace stickslip::study
