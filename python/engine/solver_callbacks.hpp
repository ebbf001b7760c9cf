// A solver that is a Python function: stickslip.Solver.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "callbacks.hpp"
#include "stickslip/solver.hpp"

namespace stickslip::python {

class PythonSolver final : public Solver, public PythonPart {
 public:
  /// `description`: a stickslip.methods.SolverDescription. Call with Python's lock.
  PythonSolver(const nb::object& description, const Method& method);

  std::string_view name() const override { return name_; }
  SolverTraits traits() const override { return traits_; }
  void setBudget(std::int64_t budget) override { budget_ = budget; }
  SolveReport solve(const ContactProblem& problem, ContactSolution& solution) override;
  void saveMemory(MemoryWriter& to) const override;
  void restoreMemory(MemoryReader& from) override;

  static SolverTraits traitsOf(const nb::object& description);

 private:
  std::string name_;
  SolverTraits traits_;
  double tolerance_;
  std::int64_t budget_;
};

}  // namespace stickslip::python
