// Solvers by name: the table of all of them, and what they say when they are done.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/registry.hpp"
#include "math/dense/semidefinite_rows.hpp"
#include "solvers/auto/auto_solver.hpp"
#include "solvers/convex/convex_solver.hpp"
#include "solvers/exact/exact_solver.hpp"
#include "solvers/fixed_point/fixed_point_solver.hpp"
#include "solvers/lemke/lemke_solver.hpp"
#include "solvers/sweeps/accelerated/accelerated_solver.hpp"
#include "solvers/sweeps/sweeps_solver.hpp"
#include "stickslip/registry.hpp"
#include "stickslip/solve_status.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

std::string_view toString(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::ray:
      return "ray";
    case SolveStatus::iteration_limit:
      return "iteration_limit";
    case SolveStatus::solver_limit:
      return "solver_limit";
    case SolveStatus::diverged:
      return "diverged";
    case SolveStatus::inaccurate:
      break;
  }
  return "inaccurate";
}

SolveStatus withBudget(SolveStatus status, std::int64_t budget) {
  return status == SolveStatus::iteration_limit && budget == 0 ? SolveStatus::solver_limit : status;
}

SolveStatus worseOf(SolveStatus a, SolveStatus b) {
  for (const SolveStatus status :
       {SolveStatus::ray, SolveStatus::iteration_limit, SolveStatus::solver_limit,
        SolveStatus::inaccurate, SolveStatus::diverged})
    if (a == status || b == status) return status;
  return SolveStatus::solved;
}

void SolveReport::add(const SolveReport& later) {
  status = worseOf(status, later.status);
  iterations += later.iterations;
  solved_by = later.solved_by;
  outer_iterations = std::max(outer_iterations, later.outer_iterations);
  contraction = std::max(contraction, later.contraction);
  friction_iterations += later.friction_iterations;
  stages.add(later.stages);
}

void SolveReport::addCost(const SolveReport& discarded) {
  iterations += discarded.iterations;
  stages.addCost(discarded.stages);
}

namespace {

template <class OwnSolver>
std::unique_ptr<Solver> makeOf(const Method& method) {
  return std::make_unique<OwnSolver>(method);
}

std::unique_ptr<Solver> makeLemke(const Method& method) {
  return std::make_unique<LemkeSolver>(method.budget, method.directions);
}

template <FixedPointSolver::Map map, FixedPointSolver::Length length>
std::unique_ptr<Solver> makeFixedPoint(const Method& method) {
  return std::make_unique<FixedPointSolver>(map, length, method);
}

using Map = FixedPointSolver::Map;
using Length = FixedPointSolver::Length;
using Doubt = SolverTraits::Doubt;

// Those that look for a solution to rounding: where they find none there may be none.
constexpr SolverTraits kThorough{.takes_relaxed = false, .doubt = Doubt::after_any_failure};
// The iterations of [AH04] do not converge for large friction, which alone says nothing; where one
// of their convex problems fails it does.
constexpr SolverTraits kFixedPoint{
    .takes_relaxed = false, .takes_initial_slip = true, .doubt = Doubt::after_inaccurate};

// The table of solvers.
Registry<SolverEntry>& solvers() {
  static Registry<SolverEntry> table(
      "solver",
      {{.name = "auto", .traits = {.doubt = Doubt::after_any_failure}, .make = makeOf<AutoSolver>},
       {.name = "lemke",
        .traits = {.takes_relaxed = false,
                   .takes_circular = false,
                   .doubt = Doubt::after_any_failure},
        .make = makeLemke},
       {.name = "convex",
        .traits = {.takes_coulomb = false, .doubt = Doubt::after_any_failure},
        .make = makeOf<ConvexSolver>},
       {.name = "exact", .traits = kThorough, .make = makeOf<ExactSolver>},
       {.name = "fixed-point-1",
        .traits = kFixedPoint,
        .make = makeFixedPoint<Map::first, Length::repeated>},
       {.name = "fixed-point-2",
        .traits = kFixedPoint,
        .make = makeFixedPoint<Map::second, Length::repeated>},
       {.name = "one-step",
        .traits = kFixedPoint,
        .make = makeFixedPoint<Map::first, Length::once>},
       {.name = "one-step-2",
        .traits = kFixedPoint,
        .make = makeFixedPoint<Map::second, Length::once>},
       // Methods of first order end when their iterations do.
       {.name = "sweeps", .traits = {.fixed_effort = true}, .make = makeOf<SweepsSolver>},
       {.name = "accelerated", .aliases = {"gradient"}, .make = makeOf<AcceleratedSolver>}});
  return table;
}

}  // namespace

void registerSolver(SolverEntry entry) {
  solvers().add(std::move(entry));
}

std::vector<std::string_view> solverNames() {
  return solvers().names();
}

bool isSolver(std::string_view name) {
  return solvers().find(name) != nullptr;
}

SolverTraits solverTraits(std::string_view name) {
  return solvers().at(name).traits;
}

SolverTraits Solver::traits() const {
  const SolverEntry* const entry = solvers().find(name());
  return entry != nullptr ? entry->traits : SolverTraits{};
}

namespace {

std::vector<double> symmetricOf(const SparseRows& W) {
  const std::size_t n = W.rows;
  std::vector<double> A(n * n);
  for (int i = 0; i < W.rows; ++i)
    for (int j = 0; j < W.rows; ++j)
      A[static_cast<std::size_t>(i) * n + j] = (W.entry(i, j) + W.entry(j, i)) / 2;
  return A;
}

// The same problem for unit masses: u = J v + q, v = J' p, J J' = W.
ContactProblem withUnitMasses(const LocalProblem& local, std::span<const WeightedRow> factor) {
  ContactProblem problem;
  const int columns = std::max(1, static_cast<int>(factor.size()));
  problem.M.resize(std::vector<int>{columns});
  for (int k = 0; k < columns; ++k) problem.M.block(0)(k, k) = 1;
  problem.v_free.assign(columns, 0.0);
  problem.v_old = problem.v_free;
  problem.b = local.q;
  problem.sets = local.sets;
  problem.law = local.law;
  for (int contact = 0, row = 0; contact < local.contactCount(); ++contact) {
    const int rows = local.sets[contact].dimension();
    problem.J.addGroup(rows);
    const MatrixView entries = problem.J.addStrip(0, columns);
    for (int i = 0; i < rows; ++i, ++row)
      for (std::size_t k = 0; k < factor.size(); ++k)
        entries(i, static_cast<int>(k)) = std::sqrt(factor[k].weight) * factor[k].w[row];
    problem.contact_id.push_back(static_cast<std::uint64_t>(contact));
    problem.gap.push_back(0);
  }
  return problem;
}

}  // namespace

SolveReport Solver::solveLocal(const LocalProblem& local, std::vector<double>& p) {
  const std::vector<double> A = symmetricOf(local.W);
  p.assign(local.q.size(), 0.0);
  const std::optional<std::vector<WeightedRow>> factor = semidefiniteRows(A, local.q.size());
  if (!factor) return {.status = SolveStatus::inaccurate};
  ContactSolution solution;
  const SolveReport report = solve(withUnitMasses(local, *factor), solution);
  p = solution.p;
  return report;
}

std::unique_ptr<Solver> makeSolver(const Method& method) {
  return solvers().at(method.solver).make(method);
}

}  // namespace stickslip
