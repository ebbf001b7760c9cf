#include "solvers/auto/auto_solver.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "solvers/lemke/friction_variables.hpp"
#include "stickslip/memory_stream.hpp"

namespace stickslip {
namespace {

constexpr std::string_view kLocalSweeps = "local sweeps";

double localResidual(const LocalProblem& problem, std::span<const double> p) {
  const Certificate certificate = certifyLocal(problem, p);
  return std::max(certificate.worstResidual(), certificate.fclib_error);
}

std::string nameOf(int choice) {
  static constexpr std::array<const char*, 3> kNames{"convex", "lemke", "exact"};
  return kNames[choice];
}

}  // namespace

AutoSolver::AutoSolver(const Method& method, const AutoSettings& settings)
    : method_(method), settings_(settings) {}

Solver& AutoSolver::solverOf(Choice choice) {
  std::unique_ptr<Solver>& solver = solvers_[static_cast<std::size_t>(choice)];
  if (!solver) {
    Method method = method_;
    method.solver = nameOf(static_cast<int>(choice));
    solver = makeSolver(method);
    solver->setTrace(trace_);
  }
  return *solver;
}

void AutoSolver::reserve(int velocities, int contacts, int tangents, int joint_rows) {
  const std::size_t rows = (1 + tangents) * contacts;
  const std::size_t joints = joint_rows;
  certifier_.reserve(velocities, rows, joints);
  trial_.v.reserve(velocities);
  trial_.p.reserve(rows);
  trial_.c.reserve(joints);
  order_.reserve(kChoices);
  if (method_.law == Law::relaxed) {
    solverOf(Choice::convex).reserve(velocities, contacts, tangents, joint_rows);
    return;
  }
  solverOf(Choice::exact).reserve(velocities, contacts, tangents, joint_rows);
  // Motors and limits may be all that is active, whatever the cones.
  solverOf(Choice::lemke)
      .reserve(velocities, std::min(contacts, settings_.reserved_contacts), tangents, joint_rows);
}

void AutoSolver::restart() {
  for (const std::unique_ptr<Solver>& solver : solvers_)
    if (solver) solver->restart();
  trust_ = 0;
  warm_ = false;
}

// Of the solvers that it has; those that it has not made yet have nothing to remember.
void AutoSolver::saveMemory(MemoryWriter& to) const {
  to.choice(winner_, Choice::exact);
  to(trust_, warm_);
  for (int k = 0; k < kChoices; ++k) {
    const Solver* const solver = solvers_[k].get();
    to(solver != nullptr);
    if (solver) to.section(solver->name(), [&] { solver->saveMemory(to); });
  }
}

void AutoSolver::restoreMemory(MemoryReader& from) {
  from.choice(winner_, Choice::exact);
  from(trust_, warm_);
  for (int k = 0; k < kChoices; ++k) {
    bool is_there = false;
    from(is_there);
    if (!is_there) {
      solvers_[k].reset();
      continue;
    }
    Solver& solver = solverOf(static_cast<Choice>(k));
    from.section(solver.name(), [&] { solver.restoreMemory(from); });
  }
}

void AutoSolver::setTrace(StageTrace* trace) {
  trace_ = trace;
  for (const std::unique_ptr<Solver>& solver : solvers_)
    if (solver) solver->setTrace(trace);
}

void AutoSolver::chooseOrder(Law law, const ImpulseSets& sets) {
  order_.clear();
  if (law == Law::relaxed) {
    order_.push_back(Choice::convex);
    return;
  }
  if (!std::all_of(sets.begin(), sets.end(), FrictionVariables::isLinear)) {
    order_.push_back(Choice::exact);
    return;
  }
  int variables = 0;
  for (const ImpulseSet& set : sets) variables += FrictionVariables::variableCount(set);
  const bool moments = std::any_of(sets.begin(), sets.end(), [](const ImpulseSet& set) {
    return set.dimension() > set.linearRows();
  });
  const bool small =
      variables <= (moments ? settings_.small_lcp_with_moments : settings_.small_lcp);
  order_.push_back(small ? Choice::lemke : Choice::exact);
  order_.push_back(small ? Choice::exact : Choice::lemke);
  preferLastWinner();
}

void AutoSolver::preferLastWinner() {
  const auto winner = std::find(order_.begin(), order_.end(), winner_);
  if (trust_ == 0 || winner == order_.end()) return;
  --trust_;
  std::rotate(order_.begin(), winner, winner + 1);
}

// Where a ray says that there may be no solution at all, others look for one only so long.
std::int64_t AutoSolver::budgetAfter(std::int64_t iterations, SolveStatus status) const {
  const std::int64_t left =
      method_.budget > 0 ? std::max(std::int64_t{1}, method_.budget - iterations) : 0;
  if (status != SolveStatus::ray) return left;
  return left > 0 ? std::min(left, settings_.after_a_ray) : settings_.after_a_ray;
}

template <class Attempt, class Residual, class Keep>
SolveReport AutoSolver::tryInTurn(Attempt attempt, Residual residual, Keep keep) {
  SolveReport best;
  StageSummary others;  // of attempts that are not the best
  SolveStatus failure = SolveStatus::solved;
  std::int64_t iterations = 0;
  double best_residual = std::numeric_limits<double>::infinity();
  bool first = true;
  const auto tryOne = [&](Choice choice) {
    if (!first && method_.budget > 0 && iterations >= method_.budget) return false;
    Solver& solver = solverOf(choice);
    solver.setBudget(budgetAfter(iterations, best.status));
    const SolveReport report = attempt(solver);
    iterations += report.iterations;
    failure = worseOf(failure, report.status);
    const double error = residual();
    if (first || error < best_residual) {
      others.addCost(best.stages);
      best_residual = error;
      best = report;
      best.solved_by = solver.name();
      keep();
    } else {
      others.addCost(report.stages);
    }
    if (error <= method_.tolerance && choice != order_.front()) {
      winner_ = choice;
      trust_ = settings_.trust;
    }
    first = false;
    return error <= method_.tolerance;
  };
  bool done = std::any_of(order_.begin(), order_.end(), tryOne);
  if (!done && warm_) {
    solverOf(order_.front()).restart();
    done = tryOne(order_.front());
  }
  warm_ = true;
  best.iterations = iterations;
  best.stages.add(others);
  if (done) best.status = SolveStatus::solved;
  if (best.status != SolveStatus::solved) best.status = withBudget(failure, method_.budget);
  return best;
}

SolveReport AutoSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  chooseOrder(problem.law, problem.sets);
  return tryInTurn([&](Solver& solver) { return solver.solve(problem, trial_); },
                   [&] { return certifier_.residuals(problem, trial_).worstResidual(); },
                   [&] { std::swap(solution, trial_); });
}

StageLog::Progress AutoSolver::sweep(const LocalProblem& problem, std::vector<double>& p) {
  const std::int64_t most =
      method_.budget > 0 ? std::min(settings_.sweeps, method_.budget) : settings_.sweeps;
  StageLog::Progress progress{0, std::numeric_limits<double>::quiet_NaN(), false};
  if (!sweeps_.run(problem, settings_.swept * method_.tolerance, most, p, progress.iterations))
    return progress;
  progress.residual = localResidual(problem, p);
  progress.solved = progress.residual <= method_.tolerance;
  return progress;
}

SolveReport AutoSolver::solveLocal(const LocalProblem& problem, std::vector<double>& p) {
  if (QuickLocalSweeps::covers(problem)) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    StageLog::Progress progress{0, kUnknown, false};
    stages_.startSolve(name(), trace_);
    stages_.startIsland(0, problem.W.rows);
    stages_.run(
        kLocalSweeps, [&] { return progress; }, [&] { progress = sweep(problem, p); });
    if (progress.solved)
      return {.status = SolveStatus::solved,
              .iterations = progress.iterations,
              .solved_by = kLocalSweeps,
              .stages = stages_.summary()};
  }
  chooseOrder(problem.law, problem.sets);
  warm_ = false;
  return tryInTurn([&](Solver& solver) { return solver.solveLocal(problem, trial_p_); },
                   [&] { return localResidual(problem, trial_p_); },
                   [&] { std::swap(p, trial_p_); });
}

}  // namespace stickslip
