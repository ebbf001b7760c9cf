#include "solver_study/lcp_study.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ostream>

#include "solver_study/isolated_run.hpp"
#include "solver_study/siconos_lcp.hpp"
#include "support/lcp_problems.hpp"

namespace stickslip::study {
namespace {

constexpr int kProblems = 64;
constexpr int kRepeats = 200;
constexpr double kLimitSeconds = 10;

struct LcpMeasurement {
  double residual = 0;  ///< worst
  double pivots = 0;    ///< mean
  double seconds = 0;   ///< mean of one problem, best of `repeats` rounds over all
  int solved = 0;       ///< by the solver's own word
  int repeats = 0;
};

std::vector<testing::DenseLcp> problemsOfSize(int size) {
  testing::Random random(static_cast<std::uint64_t>(size));
  std::vector<testing::DenseLcp> problems;
  for (int k = 0; k < kProblems; ++k)
    problems.push_back(testing::randomContactLcp(random, size / 3));
  return problems;
}

// `solve` returns true if it thinks that z solves the problem.
template <class Solve>
LcpMeasurement measure(const std::vector<testing::DenseLcp>& problems, Solve solve) {
  LcpMeasurement result;
  std::vector<double> z(problems.front().q.size());
  const BestTime time = bestOf(
      kRepeats, [] {},
      [&] {
        for (const testing::DenseLcp& problem : problems) solve(problem, z);
      });
  for (const testing::DenseLcp& problem : problems) {
    result.solved += solve(problem, z) ? 1 : 0;
    result.residual = std::max(result.residual, lcpResidual(problem.view(), z));
  }
  result.seconds = time.seconds / kProblems;
  result.repeats = time.repeats;
  return result;
}

LcpMeasurement measureLemke(const std::vector<testing::DenseLcp>& problems) {
  DenseLemke lemke;
  std::int64_t pivots = 0, solves = 0;
  LcpMeasurement result =
      measure(problems, [&](const testing::DenseLcp& problem, std::span<double> z) {
        const LcpReport report = lemke.solve(problem.view(), z);
        pivots += report.pivots;
        ++solves;
        return report.status == SolveStatus::solved;
      });
  result.pivots = static_cast<double>(pivots) / static_cast<double>(solves);
  return result;
}

LcpMeasurement measureSiconos(const std::vector<testing::DenseLcp>& problems) {
  return measure(problems, [](const testing::DenseLcp& problem, std::span<double> z) {
    return solveWithSiconos(problem.view(), z);
  });
}

void writeRow(std::ostream& out, int size, const char* solver, Ending ending,
              const LcpMeasurement& m) {
  const char* status = ending == Ending::crashed      ? "crashed"
                       : ending == Ending::time_limit ? "time_limit"
                       : m.solved == kProblems        ? "solved"
                                                      : "unsolved";
  char row[200];
  std::snprintf(row, sizeof row, "lcp,size,%d,%d,%d,coulomb,%s,1e-10,%s,%.3e,0,%.1f,%.4e,%d", size,
                size, size / 3, solver, status, m.residual, m.pivots, m.seconds, m.repeats);
  out << row << std::endl;
}

}  // namespace

void runLcpStudy(std::ostream& out) {
  for (const int size : {3, 6, 9, 12, 18, 24, 30, 36, 39, 60, 120}) {
    const std::vector<testing::DenseLcp> problems = problemsOfSize(size);
    const auto row = [&](const char* solver, const auto& measureWith) {
      LcpMeasurement m;
      const Ending ending =
          runIsolated<LcpMeasurement>(kLimitSeconds, m, [&] { return measureWith(problems); });
      writeRow(out, size, solver, ending, m);
    };
    row("lemke", measureLemke);
    if (siconosIsThere()) row("siconos-lemke", measureSiconos);
  }
}

}  // namespace stickslip::study
