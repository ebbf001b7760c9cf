// Solver `auto`: the solver that is expected to be quickest first, others behind it, until the
// certificate holds.
//
//   relaxed law                      convex
//   few contacts with linear cones   lemke, exact
//   more of them                     exact, lemke
//   smooth cones                     exact
//
// Problems without bodies are swept over a few times before all that (quick_local_sweeps.hpp).
//
// Where none succeeds and the first had started from the last step, it tries once more from
// nothing. If a solver from the back of the list was the one that solved the last problem, it comes
// first for a while. The budget is that of all attempts together, and decisions count iterations,
// never time. The best solution met is returned, with the certificate's word for it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "solvers/common/stage_log.hpp"
#include "solvers/sweeps/quick_local_sweeps.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/solver.hpp"

namespace stickslip {

class AutoSolver final : public Solver {
 public:
  explicit AutoSolver(const Method& method);

  std::string_view name() const override { return "auto"; }
  void reserve(int velocities, int contacts, int tangents, int joint_rows) override;
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override;
  SolveReport solveLocal(const LocalProblem& problem, std::vector<double>& p) override;
  void setBudget(std::int64_t budget) override { method_.budget = budget; }
  void restart() override;
  void setTrace(StageTrace* trace) override;

 private:
  enum class Choice { convex, lemke, exact };
  static constexpr int kChoices = 3;

  /// Fills order_.
  void chooseOrder(Law law, const ImpulseSets& sets);
  void preferLastWinner();
  Solver& solverOf(Choice choice);
  /// A few sweeps over a problem of those that QuickLocalSweeps covers.
  StageLog::Progress sweep(const LocalProblem& problem, std::vector<double>& p);
  /// What a solver may use after so many iterations of others, the best of which ended like this.
  std::int64_t budgetAfter(std::int64_t iterations, SolveStatus status) const;
  /// Runs one attempt after the other until `residual` of one is at most the tolerance; `attempt`
  /// solves with the given solver, `residual` measures, `keep` stores the best so far.
  template <class Attempt, class Residual, class Keep>
  SolveReport tryInTurn(Attempt attempt, Residual residual, Keep keep);

  Method method_;
  StageTrace* trace_ = nullptr;
  StageLog stages_;  ///< of the sweeps over problems without bodies
  std::array<std::unique_ptr<Solver>, kChoices> solvers_;
  std::vector<Choice> order_;
  Choice winner_ = Choice::exact;
  int trust_ = 0;  ///< solves for which the last winner still comes first
  bool warm_ = false;
  Certifier certifier_;
  QuickLocalSweeps sweeps_;
  ContactSolution trial_;
  std::vector<double> trial_p_;
};

}  // namespace stickslip
