// Notes what the stages of a solver do on one island after the other: sums for the report, and
// a record of each where a trace is asked for. Time is read for traces only.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "problem/islands.hpp"
#include "stickslip/impulse_sets.hpp"
#include "stickslip/solve_stages.hpp"

namespace stickslip {

class StageLog {
 public:
  /// How far a solver has come with an island.
  struct Progress {
    std::int64_t iterations = 0;
    double residual = 0;
    bool solved = false;
  };

  /// Before the first island; `trace` may be null.
  void startSolve(std::string_view solver, StageTrace* trace) {
    solver_ = solver;
    trace_ = trace;
    summary_.clear();
  }
  void startIsland(int island, int rows) {
    island_ = island;
    rows_ = rows;
    solved_ = false;
  }
  void startIsland(int island, const ImpulseSets& sets, const Islands& islands) {
    startIsland(island, trace_ ? rowsOf(island, sets, islands) : 0);
  }
  /// Runs one stage; `progress` says how far the solver is, before it and after it.
  template <class Measure, class Action>
  void run(std::string_view stage, Measure progress, Action action) {
    const Progress before = progress();
    if (!trace_) {
      action();
      note(stage, before, progress());
      return;
    }
    const auto start = std::chrono::steady_clock::now();
    action();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    note(stage, before, progress(), time.count());
  }
  /// Notes a stage that was run elsewhere.
  void note(std::string_view stage, const Progress& before, const Progress& after,
            double seconds = 0) {
    const std::int64_t iterations = after.iterations - before.iterations;
    const bool solves = after.solved && !solved_;
    solved_ = solved_ || solves;
    summary_.add({.name = stage, .solved = solves, .tried = 1, .iterations = iterations});
    if (trace_)
      trace_->push_back({.solver = solver_,
                         .stage = stage,
                         .island = island_,
                         .rows = rows_,
                         .iterations = iterations,
                         .before = before.residual,
                         .after = after.residual,
                         .seconds = seconds,
                         .solved = solves});
  }
  const StageSummary& summary() const { return summary_; }
  StageTrace* trace() const { return trace_; }

 private:
  static int rowsOf(int island, const ImpulseSets& sets, const Islands& islands) {
    int rows = static_cast<int>(islands.joints(island).size());
    for (const int contact : islands.contacts(island)) rows += sets[contact].dimension();
    return rows;
  }

  std::string_view solver_;
  StageTrace* trace_ = nullptr;
  StageSummary summary_;
  int island_ = 0;
  int rows_ = 0;
  bool solved_ = false;
};

}  // namespace stickslip
