#include "stickslip/simulation.hpp"

#include <limits>
#include <string>
#include <utility>

#include "stepping/runs/run.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

void expectFit(const System& system, const State& state) {
  const auto expect = [](const char* what, std::size_t is, int should_be) {
    if (is != static_cast<std::size_t>(should_be))
      throw InputError(std::string("state: ") + what + " has " + std::to_string(is) +
                       " numbers; the system has " + std::to_string(should_be));
  };
  expect("q", state.q.size(), system.positionCount());
  expect("u", state.u.size(), system.velocityCount());
  if (!isFinite(state)) throw InputError("state: t, q and u must be finite");
}

const System& systemOf(const Model& model) {
  if (!model.system) throw InputError("model: there is no system");
  return *model.system;
}

void expectFit(const Model& model, const State& state, const RunSettings& settings) {
  expectFit(systemOf(model), state);
  if (!(settings.time.step > 0 && settings.time.step < std::numeric_limits<double>::infinity()))
    throw InputError("time.step: expected a finite number > 0");
  if (!(settings.time.error >= 0)) throw InputError("time.error: expected a number >= 0");
}

std::unique_ptr<Stepper> stepperFor(Model model, const State& initial, const RunSettings& settings,
                                    StepperOptions options) {
  expectFit(model, initial, settings);
  return std::make_unique<Stepper>(std::move(model), std::move(options));
}

}  // namespace

Simulation::Simulation(Model model, State initial, const RunSettings& settings,
                       StepperOptions options)
    : stepper_(stepperFor(std::move(model), initial, settings, std::move(options))),
      progress_(std::make_unique<RunProgress>(*stepper_, std::move(initial), settings)) {
  if (settings.impact_at_start) progress_->impact(*stepper_);
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::step() {
  stepTowards(std::numeric_limits<double>::infinity());
}

bool Simulation::stepTowards(double until) {
  return progress_->stepTowards(*stepper_, until);
}

const State& Simulation::state() const {
  return progress_->state();
}

std::int64_t Simulation::steps() const {
  return progress_->steps();
}

void Simulation::setState(State state) {
  expectFit(*stepper_->model().system, state);
  progress_->setState(std::move(state));
  stepper_->wake();
}

const StepReport* Simulation::report() const {
  return progress_->report();
}

RunSummary Simulation::summary() const {
  return progress_->summary(*stepper_);
}

bool Simulation::certified() const {
  return progress_->certified();
}

bool Simulation::isFinite() const {
  return !progress_->stopped();
}

const RunSettings& Simulation::settings() const {
  return progress_->settings();
}

const Stepper& Simulation::stepper() const {
  return *stepper_;
}

Stepper& Simulation::stepper() {
  return *stepper_;
}

}  // namespace stickslip
