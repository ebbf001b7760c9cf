#include "solvers/convex_solver.hpp"

#include <cstdint>
#include <limits>

namespace stickslip {

SolveReport ConvexSolver::solveIsland(ContactIsland& island, IslandPoint& point,
                                      std::int64_t budget) {
  const ConvexReport report = convex_.solve(island, {}, point.pi, target(), budget);
  point.evaluate(island);
  return {report.status, report.iterations};
}

// Every island has a limit of its own.
std::int64_t ConvexSolver::usualBudget() const {
  return std::numeric_limits<std::int64_t>::max() / 2;
}

// By the energy of the convex problem, 1/2 pi.W pi + q.pi, which is 0 at zero. The residual is that
// of the worst contact, and one that came or went spoils it while all others are nearly right.
bool ConvexSolver::isBetterStart(const ContactIsland& island, const IslandPoint& last,
                                 const IslandPoint&) const {
  double energy = 0;
  for (std::size_t k = 0; k < last.pi.size(); ++k)
    energy += last.pi[k] * (last.omega[k] + island.q()[k]) / 2;
  return energy < 0;
}

}  // namespace stickslip
