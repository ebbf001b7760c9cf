#include "solvers/sweeps/accelerated/accelerated_solver.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/index.hpp"
#include "base/parallel_for.hpp"
#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"
#include "solvers/sweeps/accelerated/momentum.hpp"
#include "solvers/sweeps/settings.hpp"

namespace stickslip {
namespace {

constexpr std::string_view kStage = "accelerated sweeps";

// Replaces the lower triangle by its inverse, column by column from the left.
void invertLower(MatrixView L) {
  for (int j = 0; j < L.rows; ++j) {
    L(j, j) = 1 / L(j, j);
    for (int i = j + 1; i < L.rows; ++i) {
      double sum = 0;
      for (int k = j; k < i; ++k) sum -= L(i, k) * L(k, j);
      L(i, j) = sum / L(i, i);
    }
  }
}

}  // namespace

AcceleratedSolver::AcceleratedSolver(const Method& method)
    : budget_(method.budget), tolerance_(method.tolerance) {}

void AcceleratedSolver::reserve(int velocities, int contacts, int tangents, int joint_rows) {
  const int rows = (1 + tangents) * contacts;
  memory_.reserve(contacts, rows, joint_rows);
  islands_.reserve(velocities, contacts, joint_rows);
  joint_correction_.reserve(velocities, joint_rows);
  for (auto* x : {&q_, &warm_p_}) x->reserve(rows);
  for (auto* x : {&joint_q_, &warm_c_}) x->reserve(joint_rows);
  y_free_.reserve(velocities);
  block_of_column_.reserve(velocities);
}

std::int64_t AcceleratedSolver::budget() const {
  return budget_ > 0 ? budget_ : AcceleratedSettings::usual_budget;
}

void AcceleratedSolver::iterate(SweepSystem& system, Law law, double target, SolveReport& sum) {
  StageLog::Progress progress{0, std::numeric_limits<double>::quiet_NaN(), false};
  stages_.run(
      kStage, [&] { return progress; },
      [&] {
        const SweepOutcome outcome = accelerateSweeps(system, law, target, budget());
        progress = {outcome.iterations, outcome.residual, outcome.residual <= target};
      });
  sum.iterations = std::max(sum.iterations, progress.iterations);
  if (!progress.solved)
    sum.status = worseOf(sum.status, withBudget(SolveStatus::iteration_limit, budget_));
}

void AcceleratedSolver::prepare(const ContactProblem& problem) {
  if (mass_.start(problem.M)) {
    inverse_L_ = mass_.L();
    for (int b = 0; b < inverse_L_.blockCount(); ++b)
      if (inverse_L_.isOriginal(b)) invertLower(inverse_L_.block(b));
  }
  islands_.find(problem);
  block_of_column_.clear();
  for (int b = 0; b < mass_.L().blockCount(); ++b)
    block_of_column_.insert(block_of_column_.end(), at(mass_.L().block(b).rows), b);
  q_.resize(problem.b.size());
  multiply(problem.J, problem.v_free, q_);
  addScaled(1, problem.b, q_);
  joint_q_.resize(problem.g.size());
  multiply(problem.G, problem.v_free, joint_q_);
  addScaled(1, problem.g, joint_q_);
  y_free_.resize(problem.v_free.size());
  multiplyLowerTransposed(mass_.L(), problem.v_free, y_free_);
  warm_p_.resize(q_.size());
  warm_c_.resize(joint_q_.size());
}

// Of a contact without impulses.
double AcceleratedSolver::largestSpeed(const ContactProblem& problem) {
  speeds_.assign(chunkCount(problem.contactCount(), SweepTasks::contacts), 0.0);
  std::atomic<bool> have_moments = false;
  parallelFor(problem.contactCount(), SweepTasks::contacts, [&](int begin, int end) {
    double& most = speeds_[begin / SweepTasks::contacts];
    for (int i = begin; i < end; ++i) {
      const ImpulseSet& set = problem.sets[i];
      if (set.dimension() > set.linearRows())
        have_moments.store(true, std::memory_order_relaxed);
      else
        most = std::max(most, norm(std::span(q_).subspan(problem.J.firstRow(i), set.dimension())));
    }
  });
  double most = 0;
  for (const double speed : speeds_) most = std::max(most, speed);
  for (int i = 0; have_moments && i < problem.contactCount(); ++i)
    most = std::max(most, speedWithMoments(problem, i));
  return most;
}

// Angular velocities by their lengths; 0 of other contacts.
double AcceleratedSolver::speedWithMoments(const ContactProblem& problem, int contact) {
  const ImpulseSet& set = problem.sets[contact];
  if (set.dimension() == set.linearRows()) return 0;
  rows_.clear();
  rows_.add(mass_.L(), problem.J, contact);
  const auto lengths = rowLengths(set, [&](int k) { return rows_.product(0, k, k); });
  double square = 0;
  for (int k = 0; k < set.dimension(); ++k) {
    const double u = lengths[k] * q_[problem.J.firstRow(contact) + k];
    square += u * u;
  }
  return std::sqrt(square);
}

SolveReport AcceleratedSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  prepare(problem);
  solution.p.assign(q_.size(), 0.0);
  solution.c.assign(joint_q_.size(), 0.0);
  solution.v.assign(y_free_.size(), 0.0);
  const bool warm = memory_.recall(problem, warm_p_, warm_c_);
  const double target = tolerance_ * (problem.g.empty() ? AcceleratedSettings::share
                                                        : AcceleratedSettings::share_with_joints);
  const AcceleratedInput input{problem,  mass_.L(),        inverse_L_,
                               mass_,    block_of_column_, q_,
                               joint_q_, y_free_,          largestSpeed(problem)};
  SolveReport report;
  stages_.startSolve(name(), trace_);
  for (int k = 0; k < islands_.count(); ++k) {
    island_.build(input, islands_.contacts(k), islands_.joints(k), islands_.blocks(k));
    if (warm) island_.start(warm_p_, warm_c_);
    if (!warm || !(island_.energy() < 0)) island_.startAtZero();
    stages_.startIsland(k, problem.sets, islands_);
    iterate(island_, problem.law, target, report);
    island_.toImpulses(solution.p, solution.c);
    island_.toVelocities(mass_.L(), solution.v);
  }
  // Nothing can be done about contacts that nothing can move.
  for (const int contact : islands_.unmovedContacts())
    if (problem.sets[contact].kind != ImpulseSet::Kind::interval &&
        problem.b[problem.J.firstRow(contact)] < 0)
      report.status = SolveStatus::ray;
  report.stages = stages_.summary();
  memory_.remember(problem, solution.p, solution.c);
  solveLowerTransposed(mass_.L(), solution.v);
  addScaled(1, problem.v_free, solution.v);
  joint_correction_.run(problem, mass_.L(), tolerance_ / 10, solution);
  return report;
}

SolveReport AcceleratedSolver::solveLocal(const LocalProblem& problem, std::vector<double>& p) {
  islands_.find(problem);
  const double scale = largestVelocity(problem), target = AcceleratedSettings::share * tolerance_;
  p.assign(problem.q.size(), 0.0);
  SolveReport report;
  stages_.startSolve(name(), trace_);
  for (int k = 0; k < islands_.count(); ++k) {
    local_.build(problem, islands_.contacts(k), scale);
    local_.startAtZero();
    stages_.startIsland(k, problem.sets, islands_);
    iterate(local_, problem.law, target, report);
    local_.toImpulses(p);
  }
  report.stages = stages_.summary();
  return report;
}

}  // namespace stickslip
