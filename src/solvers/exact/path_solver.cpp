#include "solvers/exact/path_solver.hpp"

#include <cstdint>

namespace stickslip {

IslandReport PathSolver::solveIsland(ScaledIsland& island, Iterate& point, std::int64_t budget) {
  if (!LawPairs::covers(island)) return {SolveStatus::inaccurate, 0};
  IslandReport report;
  report.status = engine_.solve(island, point, target(), budget, report.iterations);
  return report;
}

}  // namespace stickslip
