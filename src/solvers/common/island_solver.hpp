// What the sparse solvers have in common: the problem is split into islands, each is put into
// coordinates without units (problem/scaled_island) and solved by itself, starting from the
// impulses of the last solve; velocities and joint impulses follow from the contact impulses.
//
// Islands are solved by all threads: each slot of them by a solver of its own, so that what a
// solver remembers from island to island does not depend on the threads.
//
//   ContactProblem --Islands--> ScaledIsland --solveIsland()--> p --> p, c, v
//   LocalProblem   --Islands--> ScaledIsland --solveIsland()--> p --> p
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "problem/islands.hpp"
#include "problem/mass_factor.hpp"
#include "problem/scaled_island.hpp"
#include "solvers/common/impulse_memory.hpp"
#include "solvers/common/joint_correction.hpp"
#include "solvers/common/stage_log.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

/// An iterate: impulses, velocities u = W p + q, and ScaledIsland::residual of the two.
struct Iterate {
  std::vector<double> p;
  std::vector<double> u;
  double residual = 0;

  void resize(int rows);
  /// Computes u and the residual from p.
  void evaluate(const ScaledIsland& island);
};

/// How the solve of one island went. Members as in SolveReport.
struct IslandReport {
  SolveStatus status = SolveStatus::solved;
  std::int64_t iterations = 0;
  std::int64_t outer_iterations = 0;
  double contraction = 0;
};

/// How islands are kept and shared. Results depend on `slots` only, by what a solver remembers from
/// island to island.
struct IslandSettings {
  /// Islands, and contacts of each, for which room is made in advance; more find it when they come.
  int reserved_islands = 16, reserved_contacts = 24;
  /// Island k belongs to slot k mod slots, whatever the number of threads. More than most machines
  /// have cores to spare, and few enough that workspaces stay small.
  int slots = 8;
  /// Contacts of a problem with less are solved before another thread would have woken up.
  int worth_sharing = 64;
};

class IslandSolver : public Solver {
 public:
  void reserve(int velocities, int contacts, int tangents, int joint_rows) override;
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) final;
  SolveReport solveLocal(const LocalProblem& problem, std::vector<double>& p) final;
  void setBudget(std::int64_t budget) override { budget_ = budget; }
  void restart() override { memory_.forget(); }
  void saveMemory(MemoryWriter& to) const override { memory_.save(to); }
  void restoreMemory(MemoryReader& from) override { memory_.restore(from); }
  void setTrace(StageTrace* trace) override { trace_ = trace; }

 protected:
  /// The method's budget: most iterations of one solve, shared by its islands, which are then
  /// solved one after the other, or of each of them; 0 lets the solver choose, for each island.
  explicit IslandSolver(const Method& method);

  /// One more solver of the same kind, for islands that are solved at the same time.
  virtual std::unique_ptr<IslandSolver> another() const = 0;
  const Method& method() const { return method_; }

  /// Improves `point`, which is evaluated and holds the better start of zero and the last solve's
  /// impulses, and returns the best point met. At most `budget` iterations, however they are
  /// counted. Notes its stages in stages().
  virtual IslandReport solveIsland(ScaledIsland& island, Iterate& point, std::int64_t budget) = 0;
  /// Whether the last solve's impulses are a better start than zero; both are evaluated.
  virtual bool isBetterStart(const ScaledIsland& island, const Iterate& last,
                             const Iterate& zero) const;
  /// The budget of an island where the user names none.
  virtual std::int64_t usualBudget() const = 0;
  /// Whether the user's budget is that of all islands together; otherwise each has all of it.
  virtual bool sharesBudget() const { return true; }
  /// Whether it takes as many iterations as its definition says, so that no budget takes it
  /// further.
  virtual bool hasFixedLength() const { return false; }

  StageLog& stages() { return stages_; }

  /// Velocities of contacts at the start of the step, rows of the problem; empty if not known.
  std::span<const double> oldVelocities() const { return old_velocities_; }

  /// Residual at which an island counts as solved: a tenth of what the certificate asks for.
  double target() const { return target_; }

 private:
  ScaledIsland& islandAt(int index);
  SolveReport solveIslands(bool warm);
  bool isWorthSharing() const;
  void shareIslands(bool warm, std::int64_t budget);
  /// By the means of `worker`, this solver or one of the others.
  IslandReport solveAt(int island, bool warm, std::int64_t budget, IslandSolver& worker);
  void start(ScaledIsland& island, bool warm, const IslandSolver& owner);
  double mobility(const BlockRows& J, int group, int row);
  void recoverVelocities(const ContactProblem& problem, ContactSolution& solution) const;

  Method method_;
  std::int64_t budget_;
  double target_;
  Islands islands_;
  std::vector<std::unique_ptr<IslandSolver>> others_;  ///< of the slots after the first
  std::vector<IslandReport> reports_;                  ///< of each island
  StageLog stages_;
  StageTrace* trace_ = nullptr;
  /// One for each island, so that what was analysed is found again as long as islands stay.
  std::vector<std::unique_ptr<ScaledIsland>> island_;
  ImpulseMemory memory_;
  JointCorrection joint_correction_;
  MassFactor mass_;
  Iterate point_;
  Iterate other_;
  std::vector<double> p_;
  std::vector<double> c_;
  std::vector<double> warm_p_;
  std::vector<double> warm_c_;
  std::vector<double> q_;
  std::vector<double> u_old_;
  std::span<const double> old_velocities_;
  ScaledRows rows_;  ///< one, for mobility()
};

}  // namespace stickslip
