// Reports as Python sees them: copies, which live on when the simulation has gone.
#pragma once

#include <string>

#include "binding.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip::python {

/// A StepReport with the name of the solver, of which the Stepper has the memory.
struct StepReportCopy {
  explicit StepReportCopy(const StepReport& of) : report(of), solver(of.solver) {
    report.solver = solver;
  }
  StepReportCopy(const StepReportCopy& other) : StepReportCopy(other.report) {}
  StepReportCopy& operator=(const StepReportCopy&) = delete;

  StepReport report;
  std::string solver;
};

/// What stages did, as a list of (name, solved, tried, iterations).
nb::list stagesOf(const StageSummary& stages);

void bindReports(nb::module_& module);

}  // namespace stickslip::python
