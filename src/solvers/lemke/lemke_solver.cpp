#include "solvers/lemke/lemke_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "solvers/lemke/lemke_settings.hpp"
#include "stickslip/memory_stream.hpp"

namespace stickslip {
namespace {

FrictionLcp::Form smallestForm(const ImpulseSets& sets) {
  const bool planar = std::all_of(sets.begin(), sets.end(), FrictionVariables::isPlanar);
  return planar ? FrictionLcp::Form::relay : FrictionLcp::Form::cone;
}

// What is left of a limit, where 0 is none.
std::int64_t leftOf(std::int64_t pivot_limit, std::int64_t pivots) {
  return pivot_limit == 0 ? 0 : pivot_limit - pivots;
}

constexpr std::string_view kDense = "dense pivoting", kSparse = "sparse pivoting";

int variableCount(const ImpulseSets& sets) {
  int count = 0;
  for (const ImpulseSet& set : sets) count += FrictionVariables::variableCount(set);
  return count;
}

}  // namespace

LemkeSolver::LemkeSolver(std::int64_t pivot_budget, int directions)
    : directions_(directions), budget_(pivot_budget) {}

bool LemkeSolver::Outcome::solved() const {
  return violation <= kLemke.solved * reference;
}

StageLog::Progress LemkeSolver::Outcome::progress() const {
  return {pivots, reference > 0 ? violation / reference : violation, solved()};
}

// Nothing is known of the residual before the first of them.
template <class Pivot>
LemkeSolver::Outcome LemkeSolver::run(std::string_view stage, const Outcome* before, Pivot pivot) {
  StageLog::Progress progress{0, std::numeric_limits<double>::quiet_NaN(), false};
  if (before) progress.residual = before->progress().residual;
  Outcome outcome;
  stages_.run(
      stage, [&] { return progress; },
      [&] {
        outcome = pivot();
        progress = outcome.progress();
      });
  return outcome;
}

void LemkeSolver::reserve(int velocities, int contacts, int tangents, int joint_rows) {
  contacts = std::min(contacts, kLemke.reserved_contacts);
  const int rows = (1 + tangents) * contacts;
  const int directions = tangents == 1 ? 2 : directions_;
  const int variables = (2 + directions) * contacts;
  islands_.reserve(velocities, contacts, joint_rows);
  part_.reserve(velocities, contacts, rows, joint_rows);
  part_solution_.v.reserve(velocities);
  part_solution_.p.reserve(rows);
  part_solution_.c.reserve(joint_rows);
  reduced_.reserve(velocities, rows, joint_rows);
  lcp_.reserve(contacts, directions);
  dense_.reserve(variables);
  z_.reserve(variables);
  p_.reserve(rows);
}

SolveReport LemkeSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  solution.v = problem.v_free;
  solution.p.assign(problem.b.size(), 0.0);
  solution.c.assign(problem.g.size(), 0.0);
  memory_.nextStep();
  islands_.find(problem);
  stages_.startSolve(name(), trace_);
  Outcome whole;
  SolveStatus failure = SolveStatus::solved;
  for (int i = 0; i < islands_.count(); ++i) {
    const std::int64_t limit = budget_ == 0 ? 0 : std::max(std::int64_t{1}, budget_ - whole.pivots);
    Outcome outcome;
    stages_.startIsland(i, problem.sets, islands_);
    if (islands_.isWhole()) {
      outcome = solveIsland(problem, solution, limit);
    } else {
      part_.extract(problem, islands_, i);
      outcome = solveIsland(part_.problem(), part_solution_, limit);
      ExtractedIsland::insert(problem, islands_, i, part_solution_, solution);
    }
    whole.pivots += outcome.pivots;
    whole.violation = std::max(whole.violation, outcome.violation);
    whole.reference = std::max(whole.reference, outcome.reference);
    failure = worseOf(failure, outcome.status);
  }
  // Nothing can be done about contacts that nothing can move.
  for (const int contact : islands_.unmovedContacts()) {
    if (problem.sets[contact].kind == ImpulseSet::Kind::interval) continue;
    const double approach = -problem.b[problem.J.firstRow(contact)];
    whole.reference = std::max(whole.reference, std::abs(approach));
    whole.violation = std::max(whole.violation, approach);
    if (approach > 0) failure = SolveStatus::ray;
  }
  const bool solved = whole.solved();
  if (!solved && failure == SolveStatus::solved) failure = SolveStatus::inaccurate;
  return {.status = solved ? SolveStatus::solved : withBudget(failure, budget_),
          .iterations = whole.pivots,
          .stages = stages_.summary()};
}

LemkeSolver::Outcome LemkeSolver::solveIsland(const ContactProblem& problem,
                                              ContactSolution& solution, std::int64_t pivot_limit) {
  if (variableCount(problem.sets) > kLemke.most_dense)
    return run(kSparse, nullptr, [&] { return solveSparse(problem, solution, pivot_limit, true); });
  const Outcome dense =
      run(kDense, nullptr, [&] { return solveDense(problem, solution, pivot_limit); });
  const bool budget_left = pivot_limit == 0 || dense.pivots < pivot_limit;
  if (dense.solved() || dense.infeasible || !budget_left) return dense;
  Outcome sparse = run(kSparse, &dense, [&] {
    return solveSparse(problem, other_, leftOf(pivot_limit, dense.pivots), false);
  });
  sparse.pivots += dense.pivots;
  if (!(sparse.violation < dense.violation)) {
    sparse.violation = dense.violation;
    sparse.reference = dense.reference;
    return sparse;
  }
  std::swap(solution, other_);
  return sparse;
}

LemkeSolver::Outcome LemkeSolver::solveDense(const ContactProblem& problem,
                                             ContactSolution& solution, std::int64_t pivot_limit) {
  reduced_.reduce(problem);
  const Outcome outcome = pivot(smallestForm(problem.sets), reduced_.W(), reduced_.q(), problem.J,
                                problem.sets, pivot_limit);
  reduced_.recover(p_, solution);
  return outcome;
}

SolveReport LemkeSolver::solveLocal(const LocalProblem& problem, std::vector<double>& p) {
  p.assign(problem.q.size(), 0.0);
  if (!std::all_of(problem.sets.begin(), problem.sets.end(), FrictionVariables::isLinear))
    return {SolveStatus::inaccurate, 0};
  const std::size_t n = problem.W.rows;
  local_W_.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = problem.W.start[i]; k < problem.W.start[i + 1]; ++k)
      local_W_[i * n + problem.W.column[k]] = problem.W.value[k];
  local_rows_.clear();
  for (const ImpulseSet& set : problem.sets) local_rows_.addGroup(set.dimension());
  const ConstMatrixView W{local_W_.data(), problem.W.rows, problem.W.rows};
  const FrictionLcp::Form form = smallestForm(problem.sets);
  stages_.startSolve(name(), trace_);
  stages_.startIsland(0, problem.W.rows);
  Outcome outcome = run(kDense, nullptr, [&] {
    return pivot(form, W, problem.q, local_rows_, problem.sets, budget_);
  });
  p = p_;
  // Without velocities to keep, the cone form is dense, too.
  if (form == FrictionLcp::Form::relay && !outcome.solved() && !outcome.infeasible &&
      (budget_ == 0 || outcome.pivots < budget_)) {
    Outcome other = run(kDense, &outcome, [&] {
      return pivot(FrictionLcp::Form::cone, W, problem.q, local_rows_, problem.sets,
                   leftOf(budget_, outcome.pivots));
    });
    other.pivots += outcome.pivots;
    if (other.violation < outcome.violation) {
      outcome = other;
      p = p_;
    } else {
      outcome.status = other.status;
      outcome.pivots = other.pivots;
    }
  }
  return {.status = outcome.solved() ? SolveStatus::solved : withBudget(outcome.status, budget_),
          .iterations = outcome.pivots,
          .stages = stages_.summary()};
}

LemkeSolver::Outcome LemkeSolver::pivot(FrictionLcp::Form form, ConstMatrixView W,
                                        std::span<const double> q, const BlockRows& rows,
                                        const ImpulseSets& sets, std::int64_t pivot_limit) {
  lcp_.build(form, W, q, rows, sets);
  const Lcp lcp = lcp_.lcp();
  const bool relay = form == FrictionLcp::Form::relay;
  const std::int64_t patience =
      relay ? kLemke.least_relay_pivots + kLemke.relay_pivots * lcp.size() : 0;
  const bool impatient = patience > 0 && (pivot_limit == 0 || patience < pivot_limit);
  dense_.setPivotLimit(impatient ? patience : pivot_limit);
  z_.resize(lcp.size());
  const LcpReport report = dense_.solve(lcp, z_);
  p_.resize(q.size());
  lcp_.impulses(z_, p_);
  const VelocityError error = lcp_.velocityError(z_);
  return {report.status, report.pivots, error.violation, error.reference, report.infeasible};
}

LemkeSolver::Outcome LemkeSolver::solveSparse(const ContactProblem& problem,
                                              ContactSolution& solution, std::int64_t pivot_limit,
                                              bool large) {
  sparse_lcp_.build(FrictionVariables::Form::cone, problem);
  const bool remembers = large && problem.contact_id.size() == problem.sets.size();
  basis_.clear();
  if (remembers) memory_.recall(problem.contact_id, sparse_lcp_.variables(), basis_);
  const SparseLemke::Report report = sparse_.solve(sparse_lcp_.lcp(), pivot_limit, basis_);
  sparse_lcp_.recover(problem, sparse_.x(), sparse_.z(), solution);
  if (report.status != SolveStatus::solved) sparse_lcp_.balance(problem, solution);
  if (report.status == SolveStatus::solved && remembers)
    memory_.store(problem.contact_id, sparse_lcp_.variables(), sparse_.basis());
  if (report.basis_reused) ++basis_reuses_;
  const VelocityError error = sparse_lcp_.velocityError(problem, sparse_.z(), solution);
  return {report.status, report.pivots, error.violation, error.reference};
}

void LemkeSolver::saveMemory(MemoryWriter& to) const {
  to(memory_, basis_reuses_);
}

void LemkeSolver::restoreMemory(MemoryReader& from) {
  from(memory_, basis_reuses_);
}

}  // namespace stickslip
