// Solver `lemke`: Coulomb friction in the plane, and with polyhedral cones in space, by
// Lemke's method, island by island (problem/islands).
//
// Small islands are reduced to their contacts (problem/reduced_problem) and solved on a dense
// basis, in the plane in the relay form [GS05] (33), which is the smallest. Large ones, and small
// ones that this does not solve, keep their velocities and are solved in the cone form [AP97]
// (2.13), for which Lemke's method cannot fail in exact arithmetic, by sparse_lemke. Large islands
// start from the basis of the step before, by the ids of their contacts ([AP97] section 6).
//
// Solved is what violates no contact by more than a tolerance of the largest contact velocity of
// the whole problem, whatever the paths say.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/island_extraction.hpp"
#include "problem/islands.hpp"
#include "problem/reduced_problem.hpp"
#include "solvers/common/stage_log.hpp"
#include "solvers/lemke/basis_memory.hpp"
#include "solvers/lemke/friction_lcp.hpp"
#include "solvers/lemke/sparse_friction_lcp.hpp"
#include "solvers/lemke/sparse_lemke.hpp"
#include "stickslip/lcp.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

class LemkeSolver final : public Solver {
 public:
  /// `directions`: what to make room for in space.
  explicit LemkeSolver(std::int64_t pivot_budget, int directions = 8);

  std::string_view name() const override { return "lemke"; }
  void reserve(int velocities, int contacts, int tangents, int joint_rows) override;
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override;
  /// Dense; the sets must not be elliptic.
  SolveReport solveLocal(const LocalProblem& problem, std::vector<double>& p) override;
  void setBudget(std::int64_t budget) override { budget_ = budget; }
  void restart() override { memory_.forget(); }
  void saveMemory(MemoryWriter& to) const override;
  void restoreMemory(MemoryReader& from) override;
  void setTrace(StageTrace* trace) override { trace_ = trace; }

  /// Islands that the basis of the step before solved as it was, so far.
  std::int64_t basisReuses() const { return basis_reuses_; }

 private:
  struct Outcome {
    SolveStatus status = SolveStatus::solved;
    std::int64_t pivots = 0;
    double violation = 0;  ///< of a contact, as a velocity
    double reference = 0;  ///< largest contact velocity without impulses
    bool infeasible = false;

    bool solved() const;
    StageLog::Progress progress() const;
  };
  Outcome solveIsland(const ContactProblem& problem, ContactSolution& solution,
                      std::int64_t pivot_limit);
  Outcome solveDense(const ContactProblem& problem, ContactSolution& solution,
                     std::int64_t pivot_limit);
  /// Dense, with the impulses in p_.
  Outcome pivot(FrictionLcp::Form form, ConstMatrixView W, std::span<const double> q,
                const BlockRows& rows, const ImpulseSets& sets, std::int64_t pivot_limit);
  Outcome solveSparse(const ContactProblem& problem, ContactSolution& solution,
                      std::int64_t pivot_limit, bool large);

  /// Runs one of the two ways to pivot, as a stage.
  template <class Pivot>
  Outcome run(std::string_view stage, const Outcome* before, Pivot pivot);

  int directions_;
  std::int64_t
      budget_;  ///< most pivots of one solve, 0: as many as the size of the problem asks for
  StageLog stages_;
  StageTrace* trace_ = nullptr;
  Islands islands_;
  ExtractedIsland part_;
  ContactSolution part_solution_;
  ContactSolution other_;

  ReducedProblem reduced_;
  FrictionLcp lcp_;
  DenseLemke dense_;
  std::vector<double> z_;
  std::vector<double> p_;
  std::vector<double> local_W_;
  BlockRows local_rows_;

  SparseFrictionLcp sparse_lcp_;
  SparseLemke sparse_;
  BasisMemory memory_;
  std::vector<int> basis_;
  std::int64_t basis_reuses_ = 0;
};

}  // namespace stickslip
