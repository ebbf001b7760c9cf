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

/// When to choose what. None of these changes an answer by more than the tolerance.
struct AutoSettings {
  /// Variables of the linear complementarity problem up to which pivoting comes first: where it is
  /// quicker than any iteration (bench/results/problems.csv).
  int small_lcp = 90;
  /// The same where contacts have moments, for which `exact` has fewer stages.
  int small_lcp_with_moments = 500;
  /// Contacts for which pivoting has room in advance; more find it when they first come.
  int reserved_contacts = 40;
  /// Iterations of a solver that follows one which ended in a ray: there may be no solution, and
  /// those that others found in tests took less.
  std::int64_t after_a_ray = 1000;
  /// Sweeps over a problem without bodies before all else: what hardly depends on each other is
  /// exact by then.
  std::int64_t sweeps = 10;
  /// Part of the tolerance by which the last of these may change velocities.
  double swept = 1e-3;
  /// Solves for which a solver that was needed once comes first: hard steps come in rows.
  int trust = 8;
};

class AutoSolver final : public Solver {
 public:
  explicit AutoSolver(const Method& method, const AutoSettings& settings = {});

  std::string_view name() const override { return "auto"; }
  void reserve(int velocities, int contacts, int tangents, int joint_rows) override;
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override;
  SolveReport solveLocal(const LocalProblem& problem, std::vector<double>& p) override;
  void setBudget(std::int64_t budget) override { method_.budget = budget; }
  void restart() override;
  void saveMemory(MemoryWriter& to) const override;
  void restoreMemory(MemoryReader& from) override;
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
  AutoSettings settings_;
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
