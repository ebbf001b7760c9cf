#include "solvers/exact_solver.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace stickslip {
namespace {

constexpr int kSweeps = 20;
constexpr int kFirstNewtonSteps = 8;
constexpr int kNewtonSteps = 25;

bool show() { static const bool s = getenv("SHOW") != nullptr; return s; }

}  // namespace

SolveReport ExactSolver::solveIsland(ContactIsland& island, IslandPoint& point, long budget) {
  search_.start(island, point, target(), budget);
  sweeps_.prepare(island);
  sweeps(kSweeps);
  if (show()) printf("  sweeps: it %ld best %.2e\n", search_.iterations(), search_.best().residual);
  newton_.run(search_, sweeps_, point.pi, kFirstNewtonSteps);
  if (show()) printf("  newton: it %ld best %.2e\n", search_.iterations(), search_.best().residual);
  if (!search_.ended()) interiorPoint();
  if (!search_.ended() && !getenv("NOC")) descendCentralPath();
  if (!search_.ended() && !getenv("NOS")) followSmoothedPaths();
  if (search_.best().residual <= 5 * target()) return {SolveStatus::solved, search_.iterations()};
  return {search_.left() > 0 ? SolveStatus::inaccurate : SolveStatus::iteration_limit,
          search_.iterations()};
}

// As long as they help.
void ExactSolver::sweeps(int count) {
  now_ = search_.best();
  double before = now_.residual;
  for (int k = 0; k < count && !search_.ended(); ++k) {
    search_.count();
    sweeps_.sweep(search_.island(), 1, now_.pi);
    now_.evaluate(search_.island());
    search_.offer(now_);
    if (k % 5 == 4) {
      if (!(now_.residual <= before / 4)) return;
      before = now_.residual;
    }
  }
}

void ExactSolver::interiorPoint() {
  interior_.start(search_.island());
  for (double enough = 1e-6; !search_.ended() && enough > 1e-10; enough *= 1e-2) {
    const bool there = interior_.run(search_, enough, 40);
    newton_.run(search_, sweeps_, interior_.best().pi, 12);
    if (show()) printf("   newton: it %ld best %.2e\n", search_.iterations(), search_.best().residual);
    if (!there) return;
  }
}

void ExactSolver::descendCentralPath() {
  const char* e = getenv("KAPPA");
  const double kappa = e ? atof(e) : 300;
  for (std::uint64_t seed = 0; seed < 4 && !search_.ended(); ++seed) {
    if (!central_.start(search_, kappa, seed)) { if (show()) puts("no start"); continue; }
    const long limit = search_.iterations() + 3000;
    for (double end = 1e-3; !search_.ended() && end > 1e-20; end *= 3e-2) {
      const auto outcome = central_.follow(search_, end, limit - search_.iterations());
      now_.pi.assign(central_.impulses().begin(), central_.impulses().end());
      now_.evaluate(search_.island());
      if (show()) printf("   central end: it %ld outcome %d residual %.2e c %.2e\n", search_.iterations(), (int)outcome, now_.residual, central_.c());
      search_.offer(now_);
      newton_.run(search_, sweeps_, now_.pi, 6);
      if (show()) printf("   newton: it %ld best %.2e\n", search_.iterations(), search_.best().residual);
      if (outcome != CentralPath::Outcome::arrived) break;
    }
  }
}

void ExactSolver::followSmoothedPaths() {
  smoothed_.start(search_.island(), search_.best().pi, search_.best().residual, 1e-2);
  const long end = search_.iterations() + 400;
  while (!search_.ended() && smoothed_.followPath(search_, end - search_.iterations())) {
    now_.pi.assign(smoothed_.impulses().begin(), smoothed_.impulses().end());
    now_.omega.resize(now_.pi.size());
    now_.evaluate(search_.island());
    if (show()) printf("   path end: it %ld residual %.2e eps %.2e\n", search_.iterations(), now_.residual, smoothed_.eps());
    search_.offer(now_);
    newton_.run(search_, sweeps_, now_.pi, kNewtonSteps);
    if (show()) printf("   newton: it %ld best %.2e\n", search_.iterations(), search_.best().residual);
  }
}

}  // namespace stickslip
