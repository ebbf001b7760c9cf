// What each stage of solver `exact` is good for: a wide set of problems with all stages, and again
// with each one left out that was tried on it. One thread; every run in a process of its own, with
// a limit on its time.
//
// Usage: stage_study quick|full OUT.csv [--fclib FOLDER] [--without NAME[,NAME...]]... [FAMILY...]
//
// With --without these sets of stages are left out instead of one after the other.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <limits>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "solver_study/isolated_run.hpp"
#include "solvers/exact/exact_solver.hpp"
#include "stage_study/stage_problems.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/threads.hpp"

namespace stickslip::study {
namespace {

constexpr double kTolerance = 1e-8;
constexpr double kLimitSeconds = 20, kQuickLimitSeconds = 5;
constexpr int kRepeats = 3;

struct Variant {
  std::string name;  ///< "all", or the stages that are left out
  ExactStages left_out;
  std::vector<ExactStage> stages;
};

struct Measurement {
  int unsolved = 0;
  double residual = 0;  ///< worst of the sequence
  std::int64_t iterations = 0;
  double seconds = 0;
  std::array<char, 800> stages{};  ///< as text: names do not survive the process
};

double residualOf(const ContactProblem& problem, const ContactSolution& solution) {
  return Certifier().certify(problem, solution).worstResidual();
}

double residualOf(const LocalProblem& problem, std::span<const double> p) {
  const Certificate certificate = certifyLocal(problem, p);
  return std::max(certificate.worstResidual(), certificate.fclib_error);
}

SolveReport solveOne(Solver& solver, const ContactProblem& problem, double& residual) {
  ContactSolution solution;
  const SolveReport report = solver.solve(problem, solution);
  residual = residualOf(problem, solution);
  return report;
}

SolveReport solveOne(Solver& solver, const LocalProblem& problem, double& residual) {
  std::vector<double> p;
  const SolveReport report = solver.solveLocal(problem, p);
  residual = residualOf(problem, p);
  return report;
}

std::string asText(const StageSummary& stages) {
  std::ostringstream text;
  for (const StageEffort& effort : stages.efforts())
    text << (text.tellp() > 0 ? ";" : "") << effort.name << ' ' << effort.solved << '/'
         << effort.tried << '/' << effort.iterations;
  return text.str();
}

Measurement measure(const std::vector<AnyProblem>& problems, const Variant& variant) {
  Measurement result;
  result.seconds = std::numeric_limits<double>::infinity();
  const double begin = cpuSeconds();
  for (int k = 0; k < kRepeats && (k == 0 || cpuSeconds() - begin < 0.2); ++k) {
    ExactSolver solver(Method{.cone = FrictionCone::circular, .tolerance = kTolerance},
                       variant.left_out);
    SolveReport sum;
    double worst = 0, seconds = 0;
    int unsolved = 0;
    for (const AnyProblem& problem : problems) {
      double residual = 0;
      const double before = cpuSeconds();
      sum.add(std::visit([&](const auto& p) { return solveOne(solver, p, residual); }, problem));
      seconds += cpuSeconds() - before;
      worst = std::max(worst, residual);
      if (!(residual <= kTolerance)) ++unsolved;
    }
    result.unsolved = unsolved;
    result.residual = worst;
    result.iterations = sum.iterations;
    result.seconds = std::min(result.seconds, seconds);
    const std::string text = asText(sum.stages);
    std::strncpy(result.stages.data(), text.c_str(), result.stages.size() - 1);
  }
  return result;
}

ExactStage stageNamed(const std::string& name) {
  const auto found = std::find(kExactStageNames.begin(), kExactStageNames.end(), name);
  if (found == kExactStageNames.end())
    throw std::runtime_error("\"" + name + "\" is no stage of exact");
  return static_cast<ExactStage>(found - kExactStageNames.begin());
}

Variant without(const std::string& names) {
  Variant variant{names, {}, {}};
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    variant.stages.push_back(stageNamed(name));
    variant.left_out = variant.left_out.with(variant.stages.back());
  }
  return variant;
}

class StageStudy {
 public:
  StageStudy(Extent extent, std::vector<Variant> variants, std::ostream& out)
      : limit_(extent == Extent::full ? kLimitSeconds : kQuickLimitSeconds),
        variants_(std::move(variants)),
        out_(out) {
    out_ << "family,problem,rows,contacts,solves,left_out,status,unsolved,residual,iterations,"
            "seconds,stages\n";
  }

  void run(const ProblemSequence& sequence) {
    const std::vector<AnyProblem> problems = sequence.make();
    if (problems.empty()) throw std::runtime_error(sequence.name + ": no such steps");
    const Measurement all = row(sequence, problems, {"none", {}, {}});
    const std::string stages = all.stages.data();
    for (const Variant& variant : variants_) {
      const bool was_tried =
          std::any_of(variant.stages.begin(), variant.stages.end(), [&](ExactStage stage) {
            return (";" + stages).find(";" + std::string(toString(stage)) + " ") !=
                   std::string::npos;
          });
      if (was_tried) row(sequence, problems, variant);
    }
  }

 private:
  Measurement row(const ProblemSequence& sequence, const std::vector<AnyProblem>& problems,
                  const Variant& variant) {
    Measurement m;
    m.seconds = limit_;
    m.residual = std::numeric_limits<double>::infinity();
    m.unsolved = static_cast<int>(problems.size());
    const Ending ending =
        runIsolated<Measurement>(limit_, m, [&] { return measure(problems, variant); });
    const char* status = ending == Ending::complete     ? (m.unsolved == 0 ? "solved" : "unsolved")
                         : ending == Ending::time_limit ? "time_limit"
                                                        : "crashed";
    char numbers[160];
    std::snprintf(numbers, sizeof numbers, "%s,%d,%.3e,%lld,%.4e", status, m.unsolved, m.residual,
                  static_cast<long long>(m.iterations), m.seconds);
    out_ << sequence.family << ",\"" << sequence.name << "\"," << rowsOf(problems.back()) << ','
         << contactsOf(problems.back()) << ',' << problems.size() << ",\"" << variant.name << "\","
         << numbers << ',' << m.stages.data() << std::endl;
    return m;
  }

  double limit_;
  std::vector<Variant> variants_;
  std::ostream& out_;
};

int main(std::span<char*> words) {
  const std::string extent = words.size() > 1 ? words[1] : "";
  if (words.size() < 3 || (extent != "quick" && extent != "full")) {
    std::cerr << "Usage: stage_study quick|full OUT.csv [--fclib FOLDER] "
                 "[--without NAME[,NAME...]]... [FAMILY...]\n";
    return 2;
  }
  std::filesystem::path fclib;
  std::vector<std::string> families;
  std::vector<Variant> variants;
  for (std::size_t k = 3; k < words.size(); ++k) {
    const std::string word = words[k];
    if (word == "--fclib" && k + 1 < words.size())
      fclib = words[++k];
    else if (word == "--without" && k + 1 < words.size())
      variants.push_back(without(words[++k]));
    else
      families.push_back(word);
  }
  if (variants.empty())
    for (std::size_t k = 1; k < kExactStageNames.size(); ++k)
      variants.push_back(without(std::string(kExactStageNames[k])));
  const Extent size = extent == "full" ? Extent::full : Extent::quick;
  setThreadCount(1);
  std::ofstream out(words[2]);
  StageStudy study(size, std::move(variants), out);
  for (const ProblemSequence& sequence : stageProblems(size, fclib)) {
    if (!families.empty() &&
        std::find(families.begin(), families.end(), sequence.family) == families.end())
      continue;
    std::cerr << sequence.family << ": " << sequence.name << '\n';
    study.run(sequence);
  }
  return 0;
}

}  // namespace
}  // namespace stickslip::study

int main(int count, char** words) {
  try {
    return stickslip::study::main({words, static_cast<std::size_t>(count)});
  } catch (const std::exception& error) {
    std::cerr << "stage_study: " << error.what() << '\n';
    return 1;
  }
}
