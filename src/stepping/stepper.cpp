// The step on one page.
//
//   state --scheme--> contact problem --solver--> velocity, impulses --certifier--> certificate
//                           ^                        |
//                           +-------- scheme --------+--scheme--> new state
#include "stickslip/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel_array.hpp"
#include "stepping/concessions.hpp"
#include "stepping/contact_views.hpp"
#include "stepping/energy_account.hpp"
#include "stepping/friction_iteration.hpp"
#include "stepping/resting_islands.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/registry.hpp"

namespace stickslip {
namespace {

bool mayHaveNoSolution(SolveStatus status, const SolverTraits& solver) {
  if (status == SolveStatus::ray) return true;
  if (status == SolveStatus::solved || status == SolveStatus::diverged) return false;
  using Doubt = SolverTraits::Doubt;
  return solver.doubt == Doubt::after_any_failure ||
         (solver.doubt == Doubt::after_inaccurate && status == SolveStatus::inaccurate);
}

// Velocities that geometry follows, by an iteration that ends when they change by less than the
// tolerance, are asked for with a digit more.
Method solverMethod(Method method) {
  if (method.implicit) method.tolerance /= 10;
  return method;
}

// A model whose method has the names of what is used.
Model withNames(Model model, const StepperOptions& options) {
  if (options.scheme) model.method.scheme = options.scheme->name();
  if (options.solver) model.method.solver = options.solver->name();
  return model;
}

std::unique_ptr<Scheme> schemeOf(const Method& method, const SolverTraits& solver,
                                 StepperOptions& options) {
  return options.scheme ? std::move(options.scheme) : makeScheme(method, solver);
}

std::unique_ptr<Solver> solverOf(const Method& method, StepperOptions& options) {
  return options.solver ? std::move(options.solver) : makeSolver(solverMethod(method));
}

// Where restitution gains energy: parts of it that are tried, and how much of the energy that a
// step without any would lose may stay lost.
constexpr int kMostReturns = 6;
constexpr double kLostAfterReturn = 0.1;

// Concessions change b, in which schemes know nothing of the lift that it has from friction.
template <typename Change>
bool withoutLift(ContactProblem& problem, const Change& change) {
  FrictionIteration::withdrawLift(problem);
  const bool changed = change();
  FrictionIteration::returnLift(problem);
  return changed;
}

}  // namespace

Stepper::Stepper(Model model, StepperOptions options)
    : model_(withNames(std::move(model), options)),
      solver_traits_(options.solver ? options.solver->traits()
                                    : stickslip::solverTraits(model_.method.solver)),
      scheme_traits_(options.scheme ? options.scheme->traits()
                                    : stickslip::schemeTraits(model_.method.scheme)),
      scheme_(schemeOf(model_.method, solver_traits_, options)),
      solver_(solverOf(model_.method, options)),
      friction_(std::make_unique<FrictionIteration>(model_.method)),
      concessions_(std::make_unique<Concessions>()),
      energy_(std::make_unique<EnergyAccount>(model_.method.full_push)) {
  checkMethod(model_.method, scheme_traits_, solver_traits_);
  const System& system = *model_.system;
  checkMethodFits(model_.method, system.tangentCount());
  const int tangents = system.tangentCount() + system.momentCount();
  const std::size_t contact_rows = (1 + tangents) * system.contactCapacity();
  const std::size_t joint_rows = system.jointCapacity();
  solution_.p.reserve(contact_rows);
  solution_.c.reserve(joint_rows);
  workspace_.first.reserve(std::max(system.positionCount(), system.velocityCount()));
  workspace_.second.reserve(system.velocityCount());
  certifier_.reserve(system.velocityCount(), contact_rows, joint_rows);
  scheme_->reserve(system, problem_);
  solver_->reserve(system.velocityCount(), system.contactCapacity(), tangents,
                   system.jointCapacity());
  if (model_.method.sleep_time > 0) {
    resting_ = std::make_unique<RestingIslands>(model_.method.sleep_time, model_.method.tolerance);
    resting_->reserve(system);
    scheme_->builder().leaveOut(resting_->sleepers());
  }
  concessions_->reserve(system.velocityCount(), system.contactCapacity(), system.jointCapacity());
  friction_->reserve(system.velocityCount(), system.contactCapacity(), tangents,
                     system.jointCapacity());
}

Stepper::~Stepper() = default;
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;

void StepReport::add(const SolveReport& stage_solve, const Certificate& stage_certificate) {
  solve.add(stage_solve);
  if (stages++ == 0)
    certificate = stage_certificate;
  else
    certificate.add(stage_certificate);
}

const std::shared_ptr<std::vector<double>>& Stepper::inputForces() {
  if (!input_forces_) {
    input_forces_ = std::make_shared<std::vector<double>>(model_.system->velocityCount(), 0.0);
    scheme_->builder().addForces(*input_forces_);
  }
  return input_forces_;
}

void Stepper::checkInputs() const {
  const System& system = *model_.system;
  system.checkInputs();
  if (!input_forces_) return;
  if (input_forces_->size() != static_cast<std::size_t>(system.velocityCount()))
    throw InputError("input forces: there are " + std::to_string(input_forces_->size()) +
                     " numbers; the system has " + std::to_string(system.velocityCount()) +
                     " velocities");
  const auto bad = std::find_if_not(input_forces_->begin(), input_forces_->end(),
                                    [](double force) { return std::isfinite(force); });
  if (bad != input_forces_->end())
    throw InputError("input forces: on velocity \"" +
                     system.velocityName(static_cast<int>(bad - input_forces_->begin())) +
                     "\": expected a finite number");
}

void Stepper::wake() {
  if (resting_) resting_->wakeAll();
}

int Stepper::asleepCount() const {
  return resting_ ? resting_->sleepers().count() : 0;
}

std::span<const ContactView> Stepper::contacts() const {
  if (!views_are_new_)
    viewContacts(*model_.system, problem_, solution_, scheme_->builder(), model_.method.tolerance,
                 views_);
  views_are_new_ = true;
  return views_;
}

// Sets up the first problem of a step, again as long as that wakes what rests.
void Stepper::formulate(const State& state, double h) {
  if (resting_) resting_->sleepers().checkVelocities(state.u);
  do {
    scheme_->formulate(*model_.system, state, h, problem_);
  } while (resting_ && resting_->sleepers().wakeTouched(problem_));
}

SolveReport Stepper::solve() {
  if (problem_.speed_friction.empty()) return solver_->solve(problem_, solution_);
  return friction_->solve(*solver_, problem_, solution_);
}

void Stepper::solveAgain(SolveReport& report, Certificate& certificate) {
  const SolveReport earlier = report;
  report = solve();
  report.addCost(earlier);
  certificate = certifier_.certify(problem_, solution_, workspace_);
}

// Solves the problem that the scheme has set up; where it has no solution, or one that gains
// energy, a problem that has another.
SolveReport Stepper::solveStage(Certificate& certificate) {
  const double tolerance = model_.method.tolerance;
  concessions_->apply(*scheme_, problem_);
  SolveReport report = solve();
  certificate = certifier_.certify(problem_, solution_, workspace_);
  while (!certificate.lawHolds(tolerance) && mayHaveNoSolution(report.status, solver_traits_) &&
         withoutLift(problem_, [&] {
           return concessions_->extend(certifier_.contactResiduals(), tolerance, *scheme_,
                                       problem_);
         }))
    solveAgain(report, certificate);
  while (certificate.lawHolds(tolerance) && energy_->excess(certificate) > tolerance &&
         takeEnergyBack(report, certificate))
    continue;
  return report;
}

// Gives up what gains energy. False if there is nothing.
bool Stepper::takeEnergyBack(SolveReport& report, Certificate& certificate) {
  const double work = certificate.contact_work;
  if (!withoutLift(problem_,
                   [&] { return concessions_->takeEnergyBack(solution_, *scheme_, problem_); }))
    return false;
  solveAgain(report, certificate);
  if (energy_->excess(certificate) <= model_.method.tolerance)
    returnRestitution(work, report, certificate);
  return true;
}

// Gives as much of it back as no energy is gained by: the part is sought between the largest that
// is known to be fine and the smallest that is not.
void Stepper::returnRestitution(double work_with, SolveReport& report, Certificate& certificate) {
  const double tolerance = model_.method.tolerance, lost = certificate.contact_work;
  const auto solveWith = [&](double part) {
    withoutLift(problem_, [&] { return concessions_->returnPart(part, problem_), true; });
    solveAgain(report, certificate);
    return certificate.lawHolds(tolerance) && energy_->excess(certificate) <= tolerance;
  };
  double fine = 0, solved = 0, gains = 1;
  double part = concessions_->neutralPart(work_with, lost, solution_, problem_);
  for (int k = 0; k < kMostReturns && part > fine && part < gains; ++k) {
    solved = part;
    if (!solveWith(part)) {
      gains = part;
    } else {
      fine = part;
      if (certificate.contact_work >= kLostAfterReturn * lost) return;
    }
    part = fine + (gains - fine) / 2;
  }
  if (solved != fine) solveWith(fine);
}

void StepReport::add(const StepReport& later) {
  const int stages_before = stages;
  add(later.solve, later.certificate);
  stages = stages_before + later.stages;
  scheme.add(later.scheme);
  restitution_dropped = restitution_dropped || later.restitution_dropped;
  drift_kept = drift_kept || later.drift_kept;
  certified = certified && later.certified;
  advanced = advanced && later.advanced;
}

// Moves the state, unless the new one is not finite: then it stays, and the result is false.
bool Stepper::advance(double h, State& state) {
  State next{state.t, std::move(workspace_.first), std::move(workspace_.second)};
  next.q.resize(state.q.size());
  next.u.resize(state.u.size());
  copyByAll(state.q, next.q);
  copyByAll(state.u, next.u);
  scheme_->advance(*model_.system, h, solution_.v, next);
  const bool finite = isFinite(next);
  if (finite) std::swap(state, next);
  workspace_ = {std::move(next.q), std::move(next.u)};
  return finite;
}

double Stepper::deepestOverlap(const State& state) {
  std::vector<double>& nowhere = workspace_.first;
  nowhere.assign(state.u.size(), 0.0);
  return model_.system->deepestOverlap(state.t, state.q, {nowhere}, overlaps_);
}

// What a step that was not finished has left behind is no problem with its solution.
void Stepper::forgetStep() {
  problem_.J.clear();
  problem_.b.clear();
  problem_.sets.clear();
  problem_.contact_id.clear();
  problem_.gap.clear();
  problem_.drive.clear();
  problem_.speed_friction.clear();
  problem_.G.clear();
  for (std::vector<double>* row : {&problem_.g, &problem_.compliance, &problem_.joint_gap,
                                   &problem_.joint_drive, &solution_.p, &solution_.c})
    row->clear();
  problem_.duration = 0;
  solution_.v = problem_.v_free;
}

StepReport Stepper::step(State& state, double h) {
  checkInputs();
  try {
    return makeStep(state, h);
  } catch (...) {
    forgetStep();
    throw;
  }
}

StepReport Stepper::makeStep(State& state, double h) {
  const System& system = *model_.system;
  StepReport report;
  report.tolerance = model_.method.tolerance;
  report.solver = solver_->name();
  views_are_new_ = false;
  concessions_->startStep();
  formulate(state, h);
  for (StageEnd end = StageEnd::repeat; end != StageEnd::done;) {
    Certificate certificate;
    const SolveReport solve = solveStage(certificate);
    end = certificate.finite ? scheme_->conclude(system, solution_, problem_) : StageEnd::done;
    if (end == StageEnd::repeat)
      report.solve.addCost(solve);
    else
      report.add(solve, certificate);
  }
  concessions_->endStep();
  report.scheme = scheme_->report();
  report.restitution_dropped = concessions_->restitutionDropped();
  report.drift_kept = concessions_->driftKept();
  report.certificate.geometry_residual = report.scheme.geometry_change;
  report.certificate.contact_work += report.scheme.restitution_work;
  report.certificate.energy_residual = energy_->settle(report.certificate);
  report.certified = report.certificate.holds(model_.method.tolerance);
  report.advanced = report.certificate.finite && advance(h, state);
  if (report.advanced && resting_)
    resting_->endStep(problem_, scheme_->builder().contactData(), h, report.certified, state.u);
  return report;
}

}  // namespace stickslip
