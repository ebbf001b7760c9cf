// The study of the solvers: accuracy against time on model problems (problem_study.hpp,
// lcp_study.hpp) and the cost of whole steps (step_study.hpp), as two tables.
//
// Usage: solver_study quick|full FOLDER [FCLIB_FOLDER|- [FAMILY...]]
//
// Writes FOLDER/problems.csv and FOLDER/steps.csv; with families named ("pile", "tower", "spheres",
// "fclib", "lcp", "steps" or longer beginnings of a problem's name) only these.
#include <fstream>
#include <iostream>
#include <span>
#include <string>

#include "solver_study/lcp_study.hpp"
#include "solver_study/problem_study.hpp"
#include "solver_study/step_study.hpp"

namespace stickslip::study {
namespace {

struct Arguments {
  Extent extent = Extent::quick;
  std::filesystem::path folder;
  std::filesystem::path fclib;
  std::vector<std::string> families;  ///< empty: all
};

bool isWanted(const Arguments& arguments, const std::string& family) {
  if (arguments.families.empty()) return true;
  for (const std::string& wanted : arguments.families)
    if (family.rfind(wanted, 0) == 0) return true;
  return false;
}

void runStudy(const Arguments& arguments) {
  std::filesystem::create_directories(arguments.folder);
  std::ofstream problems(arguments.folder / "problems.csv");
  ProblemStudy study(arguments.extent, problems);
  if (isWanted(arguments, "lcp")) runLcpStudy(problems);
  for (const StudyProblem& problem : studyProblems(arguments.extent, arguments.fclib)) {
    if (!isWanted(arguments, problem.family)) continue;
    std::cerr << problem.family << ' ' << problem.parameter << ' ' << problem.value << '\n';
    study.run(problem);
  }
  if (!isWanted(arguments, "steps")) return;
  std::ofstream steps(arguments.folder / "steps.csv");
  std::cerr << "steps\n";
  runStepStudy(arguments.extent, steps);
}

int main(std::span<char*> words) {
  const std::string extent = words.size() > 1 ? words[1] : "";
  if (words.size() < 3 || (extent != "quick" && extent != "full")) {
    std::cerr << "Usage: solver_study quick|full FOLDER [FCLIB_FOLDER|- [FAMILY...]]\n";
    return 2;
  }
  Arguments arguments;
  arguments.extent = extent == "full" ? Extent::full : Extent::quick;
  arguments.folder = words[2];
  if (words.size() > 3) arguments.fclib = words[3];
  for (std::size_t k = 4; k < words.size(); ++k) arguments.families.emplace_back(words[k]);
  try {
    runStudy(arguments);
  } catch (const std::exception& error) {
    std::cerr << "solver_study: " << error.what() << '\n';
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace stickslip::study

int main(int count, char** words) {
  return stickslip::study::main({words, static_cast<std::size_t>(count)});
}
