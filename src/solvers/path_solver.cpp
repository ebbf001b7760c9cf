#include "solvers/path_solver.hpp"

namespace stickslip {

SolveReport PathSolver::solveIsland(ContactIsland& island, IslandPoint& point, long budget) {
  if (!ContactPairs::covers(island)) return {SolveStatus::inaccurate, 0};
  SolveReport report;
  report.status = engine_.solve(island, point, target(), budget, report.iterations);
  return report;
}

}  // namespace stickslip
