#include "solvers/common/island_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/index.hpp"
#include "base/parallel_for.hpp"
#include "math/blocks/block_products.hpp"
#include "math/dense/cholesky.hpp"

namespace stickslip {
namespace {

constexpr IslandSettings kIslands;

// The largest |q_i| of a contact. Angular velocities count by their lengths, for which
// diagonal(i, first, k) has the entry of W of row k of contact i, whose rows begin at `first`.
template <class Diagonal>
double largestVelocity(std::span<const double> q, const ImpulseSets& sets, Diagonal diagonal) {
  double most = 0;
  std::size_t first = 0;
  std::array<double, kMostRows> u{};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::size_t rows = sets[i].dimension();
    std::copy_n(q.begin() + static_cast<std::ptrdiff_t>(first), rows, u.begin());
    if (rows > at(sets[i].linearRows())) {
      const auto lengths =
          rowLengths(sets[i], [&](int k) { return diagonal(i, static_cast<int>(first), k); });
      for (std::size_t k = 0; k < rows; ++k) u[k] *= lengths[k];
    }
    most = std::max(most, norm(std::span<const double>(u).first(rows)));
    first += rows;
  }
  return most;
}

}  // namespace

void Iterate::resize(int rows) {
  p.resize(rows);
  u.resize(rows);
}

void Iterate::evaluate(const ScaledIsland& island) {
  island.velocity(p, u);
  residual = island.residual(p, u);
}

IslandSolver::IslandSolver(const Method& method)
    : method_(method), budget_(method.budget), target_(method.tolerance / 10) {}

void IslandSolver::reserve(int velocities, int contacts, int tangents, int joint_rows) {
  const int rows = (1 + tangents) * contacts;
  memory_.reserve(contacts, rows, joint_rows);
  for (auto* x : {&p_, &warm_p_, &q_, &u_old_}) x->reserve(rows);
  for (auto* x : {&c_, &warm_c_}) x->reserve(joint_rows);
  for (Iterate* point : {&point_, &other_}) {
    point->p.reserve(rows + joint_rows);
    point->u.reserve(rows + joint_rows);
  }
  islands_.reserve(velocities, contacts, joint_rows);
  reports_.reserve(velocities);
  joint_correction_.reserve(velocities, joint_rows);
  const int islands = std::min(kIslands.reserved_islands, 1 + velocities / 3);
  const int cones = std::min(contacts, kIslands.reserved_contacts) +
                    std::min(joint_rows, kIslands.reserved_contacts);
  for (int k = 0; k < islands; ++k)
    islandAt(k).reserve(std::min(velocities, kIslands.reserved_contacts), cones,
                        (1 + tangents) * cones);
}

ScaledIsland& IslandSolver::islandAt(int index) {
  while (at(index) >= island_.size()) island_.push_back(std::make_unique<ScaledIsland>());
  return *island_[index];
}

SolveReport IslandSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  mass_.start(problem.M);
  islands_.find(problem);
  q_.resize(problem.b.size());
  multiply(problem.J, problem.v_free, q_);
  addScaled(1, problem.b, q_);
  const double scale = largestVelocity(q_, problem.sets, [&](std::size_t i, int, int k) {
    return mobility(problem.J, static_cast<int>(i), k);
  });
  p_.assign(problem.b.size(), 0.0);
  c_.assign(problem.g.size(), 0.0);
  warm_p_.resize(p_.size());
  warm_c_.resize(c_.size());
  u_old_.resize(problem.v_old.size() == problem.v_free.size() ? q_.size() : 0);
  if (!u_old_.empty()) {
    multiply(problem.J, problem.v_old, u_old_);
    addScaled(1, problem.b, u_old_);
  }
  const bool warm = memory_.recall(problem, warm_p_, warm_c_);
  for (int k = 0; k < islands_.count(); ++k)
    islandAt(k).build(problem, mass_.L(), islands_.contacts(k), islands_.joints(k), scale);
  SolveReport report = solveIslands(warm);
  // Nothing can be done about contacts that nothing can move.
  for (const int contact : islands_.unmovedContacts())
    if (problem.sets[contact].kind != ImpulseSet::Kind::interval &&
        problem.b[problem.J.firstRow(contact)] < 0)
      report.status = SolveStatus::ray;
  memory_.remember(problem, p_, c_);
  recoverVelocities(problem, solution);
  joint_correction_.run(problem, mass_.L(), target_, solution);
  return report;
}

// Of one row: |L^-1 J'|^2.
double IslandSolver::mobility(const BlockRows& J, int group, int row) {
  rows_.clear();
  rows_.add(mass_.L(), J, group, std::array{row});
  double square = 0;
  for (const ScaledRows::Strip& strip : rows_.strips(0)) {
    const std::span<const double> x{rows_.values(strip), at(strip.columns)};
    square += dot(x, x);
  }
  return square;
}

SolveReport IslandSolver::solveLocal(const LocalProblem& problem, std::vector<double>& p) {
  islands_.find(problem);
  const double scale = largestVelocity(problem.q, problem.sets, [&](std::size_t, int first, int k) {
    return problem.W.entry(first + k, first + k);
  });
  p_.assign(problem.q.size(), 0.0);
  c_.clear();
  u_old_.clear();
  for (int k = 0; k < islands_.count(); ++k)
    islandAt(k).build(problem, islands_.contacts(k), scale);
  const SolveReport report = solveIslands(false);
  p = p_;
  return report;
}

SolveReport IslandSolver::solveIslands(bool warm) {
  reports_.resize(islands_.count());
  stages_.startSolve(name(), trace_);
  old_velocities_ = u_old_;
  std::int64_t left = budget_ > 0 ? budget_ : usualBudget();
  const bool shared = isWorthSharing();
  if (shared) {
    shareIslands(warm, left);
  } else {
    for (int k = 0; k < islands_.count(); ++k) {
      reports_[k] = solveAt(k, warm, left, *this);
      if (budget_ > 0 && sharesBudget())
        left = std::max(std::int64_t{0}, left - reports_[k].iterations);
    }
  }
  SolveReport sum;
  sum.stages = stages_.summary();
  if (shared)
    for (const auto& other : others_) sum.stages.add(other->stages_.summary());
  for (const IslandReport& report : reports_) {
    sum.iterations += report.iterations;
    sum.status = worseOf(sum.status, report.status);
    if (report.outer_iterations > sum.outer_iterations) {
      sum.outer_iterations = report.outer_iterations;
      sum.contraction = report.contraction;
    }
  }
  if (!hasFixedLength()) sum.status = withBudget(sum.status, budget_);
  return sum;
}

bool IslandSolver::isWorthSharing() const {
  int contacts = 0;
  for (int k = 0; k < islands_.count(); ++k)
    contacts += static_cast<int>(islands_.contacts(k).size());
  return (budget_ == 0 || !sharesBudget()) && islands_.count() > 1 &&
         contacts >= kIslands.worth_sharing;
}

void IslandSolver::shareIslands(bool warm, std::int64_t budget) {
  const int slots = std::min(kIslands.slots, islands_.count());
  while (static_cast<int>(others_.size()) + 1 < slots) others_.push_back(another());
  for (const auto& other : others_) {
    other->old_velocities_ = u_old_;
    other->stages_.startSolve(name(), trace_);
  }
  const auto solveSlot = [&](int slot) {
    IslandSolver& worker = slot == 0 ? *this : *others_[slot - 1];
    for (int k = slot; k < islands_.count(); k += kIslands.slots)
      reports_[k] = solveAt(k, warm, budget, worker);
  };
  if (!trace_) {
    parallelFor(slots, 1, [&](int slot, int) { solveSlot(slot); });
    return;
  }
  const auto begin = static_cast<std::ptrdiff_t>(trace_->size());
  for (int slot = 0; slot < slots; ++slot) solveSlot(slot);
  std::stable_sort(trace_->begin() + begin, trace_->end(),
                   [](const StageRecord& a, const StageRecord& b) { return a.island < b.island; });
}

IslandReport IslandSolver::solveAt(int k, bool warm, std::int64_t budget, IslandSolver& worker) {
  ScaledIsland& island = *island_[k];
  worker.start(island, warm, *this);
  worker.stages_.startIsland(k, island.rowCount());
  const IslandReport report = worker.solveIsland(island, worker.point_, budget);
  island.toImpulses(worker.point_.p, p_, c_);
  return report;
}

// At zero, or at the last impulses if they are better.
void IslandSolver::start(ScaledIsland& island, bool warm, const IslandSolver& owner) {
  point_.resize(island.rowCount());
  std::fill(point_.p.begin(), point_.p.end(), 0.0);
  point_.evaluate(island);
  if (!warm) return;
  other_.resize(island.rowCount());
  island.fromImpulses(owner.warm_p_, owner.warm_c_, other_.p);
  other_.evaluate(island);
  if (isBetterStart(island, other_, point_)) std::swap(point_, other_);
}

bool IslandSolver::isBetterStart(const ScaledIsland&, const Iterate& last,
                                 const Iterate& zero) const {
  return last.residual < zero.residual;
}

// v = v_free + M^-1 (J' p + G' c).
void IslandSolver::recoverVelocities(const ContactProblem& problem,
                                     ContactSolution& solution) const {
  solution.p.assign(p_.begin(), p_.end());
  solution.c.assign(c_.begin(), c_.end());
  solution.v.assign(problem.v_free.size(), 0.0);
  const auto push = [&](const BlockRows& rows, std::span<const double> impulses) {
    for (int group = 0; group < rows.groupCount(); ++group)
      for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
        const StripValues entries = rows.values(group, strip);
        const ConstMatrixView values = entries.view();
        const std::span<double> target =
            std::span(solution.v).subspan(strip.first_column, strip.columns);
        for (int i = 0; i < values.rows; ++i)
          addScaled(impulses[rows.firstRow(group) + i], values.row(i), target);
      }
  };
  push(problem.J, p_);
  push(problem.G, c_);
  solveLower(mass_.L(), solution.v);
  solveLowerTransposed(mass_.L(), solution.v);
  addScaled(1, problem.v_free, solution.v);
}

}  // namespace stickslip
