// The step on one page.
//
//   state --scheme--> contact problem --solver--> velocity, impulses --certifier--> certificate
//                           ^                        |
//                           +-------- scheme --------+--scheme--> new state
#include "stickslip/stepper.hpp"

#include <utility>

namespace stickslip {

Stepper::Stepper(Model model)
    : model_(std::move(model)),
      scheme_(makeScheme(model_.method)),
      solver_(makeSolver(model_.method)) {
  checkMethod(model_.method);
  const System& system = *model_.system;
  checkMethodFits(model_.method, system.tangentCount());
  const auto contact_rows =
      static_cast<std::size_t>((1 + system.tangentCount()) * system.contactCapacity());
  const auto joint_rows = static_cast<std::size_t>(system.jointCapacity());
  solution_.p.reserve(contact_rows);
  solution_.c.reserve(joint_rows);
  certifier_.reserve(static_cast<std::size_t>(system.velocityCount()), contact_rows, joint_rows);
  scheme_->reserve(system, problem_);
  solver_->reserve(system.velocityCount(), system.contactCapacity(), system.tangentCount(),
                   system.jointCapacity());
}

void StepReport::add(const SolveReport& stage_solve, const Certificate& stage_certificate) {
  solve.add(stage_solve);
  if (stages++ == 0)
    certificate = stage_certificate;
  else
    certificate.add(stage_certificate);
}

void StepReport::add(const StepReport& later) {
  const int stages_before = stages;
  add(later.solve, later.certificate);
  stages = stages_before + later.stages;
  scheme.add(later.scheme);
  certified = certified && later.certified;
  advanced = advanced && later.advanced;
}

StepReport Stepper::step(State& state, double h) {
  const System& system = *model_.system;
  StepReport report;
  scheme_->formulate(system, state, h, problem_);
  for (StageEnd end = StageEnd::repeat; end != StageEnd::done;) {
    const SolveReport solve = solver_->solve(problem_, solution_);
    const Certificate certificate = certifier_.certify(problem_, solution_);
    end = certificate.finite ? scheme_->conclude(system, solution_, problem_) : StageEnd::done;
    if (end == StageEnd::repeat)
      report.solve.iterations += solve.iterations;
    else
      report.add(solve, certificate);
  }
  report.scheme = scheme_->report();
  report.certificate.geometry_residual =
      report.scheme.geometry_change * report.scheme.geometry_change;
  report.certificate.contact_work += report.scheme.restitution_work;
  report.certified = report.certificate.holds(model_.method.tolerance);

  next_ = state;
  if (report.certificate.finite) scheme_->advance(system, h, solution_.v, next_);
  report.advanced = report.certificate.finite && isFinite(next_);
  if (report.advanced) std::swap(state, next_);
  return report;
}

}  // namespace stickslip
