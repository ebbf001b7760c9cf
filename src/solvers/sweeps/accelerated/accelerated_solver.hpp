// Solver `accelerated`: many contacts to moderate accuracy, both laws, without factorizations.
//
// Islands one after the other; each starts from the impulses of the last solve if these are better
// than none, judged by the energy 1/2 p.W p + q.p, and is iterated by momentum.hpp.
// Joints are then made exact for the contact impulses that were found (joint_correction.hpp).
//
// Iterations are sweeps over an island. A budget is that of every island, so that it limits the
// sweeps over the whole problem; the report has the largest number that an island took.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/islands.hpp"
#include "solvers/common/impulse_memory.hpp"
#include "solvers/common/joint_correction.hpp"
#include "solvers/common/stage_log.hpp"
#include "solvers/sweeps/accelerated/accelerated_island.hpp"
#include "solvers/sweeps/accelerated/accelerated_matrix.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

class AcceleratedSolver final : public Solver {
 public:
  explicit AcceleratedSolver(const Method& method);
  std::string_view name() const override { return "accelerated"; }
  void reserve(int velocities, int contacts, int tangents, int joint_rows) override;
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override;
  SolveReport solveLocal(const LocalProblem& problem, std::vector<double>& p) override;
  void setBudget(std::int64_t budget) override { budget_ = budget; }
  void restart() override { memory_.forget(); }
  void saveMemory(MemoryWriter& to) const override { memory_.save(to); }
  void restoreMemory(MemoryReader& from) override { memory_.restore(from); }
  void setTrace(StageTrace* trace) override { trace_ = trace; }

 private:
  void prepare(const ContactProblem& problem);
  double largestSpeed(const ContactProblem& problem);
  double speedWithMoments(const ContactProblem& problem, int contact);
  /// Iterates on one island from where the system is.
  void iterate(SweepSystem& system, Law law, double target, SolveReport& sum);
  std::int64_t budget() const;

  StageLog stages_;
  StageTrace* trace_ = nullptr;
  std::int64_t budget_;
  double tolerance_;
  Islands islands_;
  AcceleratedIsland island_;
  AcceleratedMatrix local_;
  ImpulseMemory memory_;
  JointCorrection joint_correction_;
  ScaledRows rows_;
  MassFactor mass_;
  BlockDiagonal inverse_L_;
  std::vector<int> block_of_column_;
  std::vector<double> q_;
  std::vector<double> joint_q_;
  std::vector<double> y_free_;
  std::vector<double> speeds_;  ///< of chunks
  std::vector<double> warm_p_;
  std::vector<double> warm_c_;
};

}  // namespace stickslip
