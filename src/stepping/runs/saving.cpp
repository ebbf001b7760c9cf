// What a Stepper and a Simulation are between two steps, as bytes and back.
//
//   seal    what these bytes are, complete and not damaged (base/sealed_bytes.hpp)
//     "model"   sizes of the system, method, length of steps: what has to be the same
//     "run"     state, count of steps, reports (of a Simulation)
//     "system", "scheme", "solver"    what each remembers
//     "inputs"  generalized forces that are set
//     "step"    what the Stepper remembers: concessions, the account of energy, who sleeps
//     "last"    the last problem, its solution and its contacts, to be looked at
//
// Nothing else reaches the bits of a step to come: all other memory is workspace that each step
// fills before it reads it, or work that is saved. Factors of masses, orders of elimination, pairs
// of shapes that are near are made anew, and are then what they were. Iterations for friction
// (friction_iteration.hpp) and contacts that are watched (active_contacts.hpp) begin anew with each
// step.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/sealed_bytes.hpp"
#include "stepping/concessions.hpp"
#include "stepping/energy_account.hpp"
#include "stepping/friction_iteration.hpp"
#include "stepping/resting_islands.hpp"
#include "stepping/runs/problem_parts.hpp"
#include "stepping/runs/run.hpp"
#include "stickslip/report_parts.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip {
namespace {

/// What has to be the same where something is restored: a name, and its value in words.
using Identity = std::vector<std::pair<std::string, std::string>>;

// As it is read again to the same bits.
template <class Number>
std::string inWords(Number value) {
  if constexpr (std::is_enum_v<Number>) {
    return std::string(nameOf(value));
  } else if constexpr (std::is_same_v<Number, bool>) {
    return value ? "true" : "false";
  } else {
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
  }
}

std::string inWords(const std::string& value) {
  return value;
}

Identity identityOf(const Model& model) {
  const System& s = *model.system;
  const Method& m = model.method;
  return {{"the number of positions", inWords(s.positionCount())},
          {"the number of velocities", inWords(s.velocityCount())},
          {"the number of velocity blocks", inWords(s.velocityBlocks().size())},
          {"the number of tangents", inWords(s.tangentCount())},
          {"the number of moments of a contact", inWords(s.momentCount())},
          {"the number of contacts that have a fixed place", inWords(s.fixedContactCount())},
          {"the number of contacts to make room for", inWords(s.contactCapacity())},
          {"the number of joint rows", inWords(s.jointCapacity())},
          {"method.scheme", inWords(m.scheme)},
          {"method.law", inWords(m.law)},
          {"method.cone", inWords(m.cone)},
          {"method.solver", inWords(m.solver)},
          {"method.directions", inWords(m.directions)},
          {"method.tolerance", inWords(m.tolerance)},
          {"method.implicit", inWords(m.implicit)},
          {"method.margin", inWords(m.margin)},
          {"method.impact", inWords(m.impact)},
          {"method.theta", inWords(m.theta)},
          {"method.joint_stabilization", inWords(m.joint_stabilization)},
          {"method.geometry", inWords(m.geometry)},
          {"method.rest_speed", inWords(m.rest_speed)},
          {"method.correction", inWords(m.correction)},
          {"method.sleep_time", inWords(m.sleep_time)},
          {"method.budget", inWords(m.budget)},
          {"method.initial_slip", inWords(m.initial_slip)},
          {"method.full_push", inWords(m.full_push)},
          {"method.lift", inWords(m.lift)}};
}

Identity identityOf(const Model& model, const RunSettings& settings) {
  Identity out = identityOf(model);
  out.emplace_back("time.step", inWords(settings.time.step));
  out.emplace_back("time.error", inWords(settings.time.error));
  return out;
}

void expectSame(const Identity& here, MemoryReader& from) {
  Identity saved;
  from.section("model", [&] { from(saved); });
  from.expect(saved.size() == here.size(), "it is of another kind of model");
  for (std::size_t k = 0; k < here.size(); ++k) {
    from.expect(saved[k].first == here[k].first, "it is of another kind of model");
    if (saved[k].second != here[k].second)
      from.fail("it is of another model: " + here[k].first + " is " + saved[k].second +
                " in it, and " + here[k].second + " here");
  }
}

// `whole` says of what it is, so that one thing is not taken for another.
template <class Save>
std::vector<std::byte> saved(std::string_view whole, const Identity& identity, const Save& save) {
  MemoryWriter to;
  to(whole);
  to.section("model", [&] { to(identity); });
  save(to);
  return sealed(to.bytes());
}

// What goes wrong half way is taken back: `save` and `restore` are of the same thing.
template <class Save, class Restore>
void restoreOrKeep(std::span<const std::byte> bytes, std::string_view whole,
                   const Identity& identity, const Save& save, const Restore& restore) {
  MemoryReader from(unsealed(bytes));
  std::string found;
  from(found);
  if (found != whole) from.fail("it is that of a " + found + ", not of a " + std::string(whole));
  expectSame(identity, from);
  MemoryWriter before;
  save(before);
  try {
    restore(from);
    from.expect(from.left() == 0, "it has bytes more than are read");
  } catch (...) {
    MemoryReader back(before.bytes());
    restore(back);
    throw;
  }
}

constexpr std::string_view kStepper = "stepper", kSimulation = "simulation";

}  // namespace

void Stepper::saveMemory(MemoryWriter& to) const {
  to.section("system", [&] { model_.system->saveMemory(to); });
  to.section("scheme", [&] { scheme_->saveMemory(to); });
  to.section("solver", [&] { solver_->saveMemory(to); });
  to.section("step", [&] {
    to(*concessions_, *energy_);
    if (resting_) resting_->saveMemory(to);
  });
  const bool is_pushed = input_forces_ && std::any_of(input_forces_->begin(), input_forces_->end(),
                                                      [](double force) { return force != 0; });
  to.section("inputs", [&] {
    to(is_pushed);
    if (is_pushed) to(*input_forces_);
  });
  to.section("last", [&] {
    saveProblem(problem_, solution_, to);
    scheme_->builder().saveMemory(to);
  });
}

void Stepper::restoreMemory(MemoryReader& from) {
  from.section("system", [&] { model_.system->restoreMemory(from); });
  from.section("scheme", [&] { scheme_->restoreMemory(from); });
  from.section("solver", [&] { solver_->restoreMemory(from); });
  from.section("step", [&] {
    from(*concessions_, *energy_);
    if (resting_) resting_->restoreMemory(from);
  });
  from.section("inputs", [&] {
    bool is_pushed = false;
    from(is_pushed);
    std::vector<double> forces(model_.system->velocityCount(), 0.0);
    const std::size_t velocities = forces.size();
    if (is_pushed) from(forces);
    from.expect(forces.size() == velocities, "there are not as many forces as velocities");
    if (!is_pushed && !input_forces_) return;
    // Others may look at them where they are.
    inputForces()->resize(velocities);
    std::copy(forces.begin(), forces.end(), inputForces()->begin());
  });
  from.section("last", [&] {
    restoreProblem(from, problem_, solution_);
    scheme_->builder().restoreMemory(from);
  });
  views_are_new_ = false;
}

std::vector<std::byte> Stepper::save() const {
  return saved(kStepper, identityOf(model_), [&](MemoryWriter& to) { saveMemory(to); });
}

void Stepper::restore(std::span<const std::byte> bytes) {
  restoreOrKeep(
      bytes, kStepper, identityOf(model_), [&](MemoryWriter& to) { saveMemory(to); },
      [&](MemoryReader& from) { restoreMemory(from); });
}

void Simulation::saveMemory(MemoryWriter& to) const {
  to.section("run", [&] { to(*progress_); });
  stepper_->saveMemory(to);
}

void Simulation::restoreMemory(MemoryReader& from) {
  RunProgress progress = *progress_;
  from.section("run", [&] {
    from(progress);
    const System& system = *stepper_->model().system;
    const State& state = progress.state();
    from.expect(state.q.size() == static_cast<std::size_t>(system.positionCount()) &&
                    state.u.size() == static_cast<std::size_t>(system.velocityCount()) &&
                    stickslip::isFinite(state),
                "its state does not fit the system, or is not finite");
  });
  stepper_->restoreMemory(from);
  *progress_ = std::move(progress);
}

std::vector<std::byte> Simulation::save() const {
  return saved(kSimulation, identityOf(stepper_->model(), settings()),
               [&](MemoryWriter& to) { saveMemory(to); });
}

void Simulation::restore(std::span<const std::byte> bytes) {
  restoreOrKeep(
      bytes, kSimulation, identityOf(stepper_->model(), settings()),
      [&](MemoryWriter& to) { saveMemory(to); }, [&](MemoryReader& from) { restoreMemory(from); });
}

}  // namespace stickslip
