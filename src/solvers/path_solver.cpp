#include "solvers/path_solver.hpp"

#include <cstdint>

namespace stickslip {

SolveReport PathSolver::solveIsland(ContactIsland& island, IslandPoint& point,
                                    std::int64_t budget) {
  if (!ContactPairs::covers(island)) return {SolveStatus::inaccurate, 0};
  SolveReport report;
  report.status = engine_.solve(island, point, target(), budget, report.iterations);
  return report;
}

}  // namespace stickslip
