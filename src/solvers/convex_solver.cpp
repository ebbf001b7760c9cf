#include "solvers/convex_solver.hpp"

#include <limits>

namespace stickslip {

SolveReport ConvexSolver::solveIsland(ContactIsland& island, IslandPoint& point, long budget) {
  const ConvexReport report = convex_.solve(island, {}, point.pi, target(), budget);
  point.evaluate(island);
  return {report.status, report.iterations};
}

// Every island has a limit of its own.
long ConvexSolver::usualBudget() const {
  return std::numeric_limits<long>::max() / 2;
}

}  // namespace stickslip
