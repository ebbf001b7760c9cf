#include "solvers/sweeps/sweeps_solver.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "base/parallel_for.hpp"
#include "solvers/sweeps/island_sweeps.hpp"
#include "solvers/sweeps/settings.hpp"

namespace stickslip {
SweepsSolver::SweepsSolver(const Method& method)
    : budget_(method.budget), tolerance_(method.tolerance) {}

void SweepsSolver::reserve(int, int contacts, int tangents, int joint_rows) {
  memory_.reserve(contacts, (1 + tangents) * contacts, joint_rows);
  planar_.reserve(contacts);
  spatial_.reserve(contacts);
  balls_.reserve(contacts);
  general_.reserve(0, joint_rows);
  for (auto* list : {&in_plane_, &in_space_, &of_balls_, &others_}) list->reserve(contacts);
  packet_of_.reserve(contacts);
}

std::vector<int>& SweepsSolver::contactsFor(PacketKind kind) {
  switch (kind) {
    case PacketKind::planar:
      return in_plane_;
    case PacketKind::spatial:
      return in_space_;
    case PacketKind::balls:
      return of_balls_;
    case PacketKind::none:
      break;
  }
  return others_;
}

void SweepsSolver::sortContacts(const ContactProblem& problem) {
  for (auto* list : {&in_plane_, &in_space_, &of_balls_, &others_}) list->clear();
  packet_of_.resize(problem.contactCount());
  parallelFor(problem.contactCount(), SweepTasks::contacts_sorted, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) packet_of_[i] = packetKindOf(problem, slots_, i);
  });
  for (int i = 0; i < problem.contactCount(); ++i) contactsFor(packet_of_[i]).push_back(i);
}

std::int64_t SweepsSolver::sweepCount() const {
  return budget_ > 0 ? budget_ : SweepsSettings::usual_sweeps;
}

SolveReport SweepsSolver::solve(const ContactProblem& problem, ContactSolution& solution) {
  solution.v.resize(problem.v_free.size());
  solution.p.resize(problem.b.size());
  solution.c.resize(problem.g.size());
  memory_.recall(problem, solution.p, solution.c);
  slots_.build(problem.M);
  sortContacts(problem);
  slots_.start(problem.v_free);
  double* w = slots_.w();
  general_.build(problem, slots_, others_, solution.p, solution.c);
  const double velocity =
      std::max({planar_.build(problem, slots_, in_plane_, solution.p),
                spatial_.build(problem, slots_, in_space_, solution.p),
                balls_.build(problem, slots_, of_balls_, solution.p), general_.largestVelocity(w)});
  planar_.push(w);
  spatial_.push(w);
  balls_.push(w);
  general_.push(w);
  const bool settled = runAsStage(problem.J.rowCount() + problem.G.rowCount(),
                                  [&] { return sweep(problem.law, w) <= tolerance_ * velocity; });
  slots_.finish(solution.v);
  planar_.impulses(problem, solution.p);
  spatial_.impulses(problem, solution.p);
  balls_.impulses(problem, solution.p);
  general_.impulses(solution.p, solution.c);
  memory_.remember(problem, solution.p, solution.c);
  const SolveStatus status = settled ? SolveStatus::solved : SolveStatus::iteration_limit;
  return {.status = withBudget(status, budget_),
          .iterations = sweepCount(),
          .stages = stages_.summary()};
}

template <class Sweep>
bool SweepsSolver::runAsStage(int rows, Sweep sweep) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  StageLog::Progress progress{0, kUnknown, false};
  stages_.startSolve(name(), trace_);
  stages_.startIsland(0, rows);
  stages_.run(
      "sweeps", [&] { return progress; },
      [&] {
        progress = {sweepCount(), kUnknown, sweep()};
      });
  return progress.solved;
}

// The largest change of a normal velocity in the last sweep. Where all contacts are in packets of
// one kind these make all sweeps at once, and threads need not wait for each other after each.
double SweepsSolver::sweep(Law law, double* w) {
  const std::int64_t kinds = !in_plane_.empty() + !in_space_.empty() + !of_balls_.empty();
  const std::int64_t at_once = kinds <= 1 && general_.isEmpty() ? sweepCount() : 1;
  double change = 0;
  for (std::int64_t k = 0; k < sweepCount(); k += at_once)
    change = std::max({planar_.sweep(law, at_once, w), spatial_.sweep(law, at_once, w),
                       balls_.sweep(law, at_once, w), general_.sweep(law, w)});
  return change;
}

// Without bodies there is nothing to lay out: the sweeps of `exact` do.
SolveReport SweepsSolver::solveLocal(const LocalProblem& problem, std::vector<double>& p) {
  others_.resize(problem.contactCount());
  std::iota(others_.begin(), others_.end(), 0);
  ScaledIsland island;
  island.build(problem, others_, 1);
  std::vector<double> pi(static_cast<std::size_t>(island.rowCount()), 0.0);
  IslandSweeps local;
  local.prepare(island);
  runAsStage(island.rowCount(), [&] {
    local.sweep(island, static_cast<int>(sweepCount()), pi);
    return false;
  });
  p.assign(problem.q.size(), 0.0);
  island.toImpulses(pi, p, {});
  return {.status = withBudget(SolveStatus::iteration_limit, budget_),
          .iterations = sweepCount(),
          .stages = stages_.summary()};
}

}  // namespace stickslip
