#include "own_parts.hpp"

#include <memory>

#include "force_callbacks.hpp"
#include "scheme_callbacks.hpp"
#include "solver_callbacks.hpp"
#include "stickslip/registry.hpp"

namespace stickslip::python {

OwnParts::OwnParts(const SceneModel& model, const nb::object& solver, const nb::object& scheme,
                   const nb::object& forces)
    : scene(*model.fresh().scene) {
  const System* system = scene.model.system.get();
  if (const auto* part = dynamic_cast<const PythonPart*>(system))
    parts.push_back(const_cast<PythonPart*>(part));
  if (!forces.is_none()) {
    if (bodies() == nullptr)
      throw InputError("forces: only for bodies; other systems have forces of their own");
    scene.model.system = withForces(*bodies(), forces, parts);
  }
  if (!solver.is_none()) {
    auto own = std::make_unique<PythonSolver>(solver, scene.model.method);
    parts.push_back(own.get());
    options.solver = std::move(own);
  }
  if (!scheme.is_none()) {
    auto own = std::make_unique<PythonScheme>(scheme, scene.model.method);
    parts.push_back(own.get());
    options.scheme = std::move(own);
  }
}

const BodySystem* OwnParts::bodies() const {
  return dynamic_cast<const BodySystem*>(scene.model.system.get());
}

namespace {

// What is registered stays as long as the program runs, longer than the interpreter: it is never
// let go, nor what it has, such as simulations, which is no leak to warn about then.
nb::handle keptForGood(const nb::object& object) {
  nb::set_leak_warnings(false);
  return nb::object(object).release();
}

}  // namespace

void bindOwnParts(nb::module_& module) {
  bindSchemeStep(module);
  module.def(
      "register_solver",
      [](const nb::object& description) {
        const nb::handle kept = keptForGood(description);
        registerSolver({.name = nb::cast<std::string>(description.attr("name")),
                        .traits = PythonSolver::traitsOf(description),
                        .make = [kept](const Method& method) {
                          const WithLock lock;
                          return std::make_unique<PythonSolver>(nb::borrow(kept), method);
                        }});
      },
      nb::arg("description"));
  module.def(
      "register_scheme",
      [](const nb::object& description) {
        const nb::handle kept = keptForGood(description);
        registerScheme({.name = nb::cast<std::string>(description.attr("name")),
                        .traits = PythonScheme::traitsOf(description),
                        .make = [kept](const Method& method, const SolverTraits&) {
                          const WithLock lock;
                          return std::make_unique<PythonScheme>(nb::borrow(kept), method);
                        }});
      },
      nb::arg("description"));
}

}  // namespace stickslip::python
