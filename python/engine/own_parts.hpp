// What a simulation has of Python's own: system, forces, solver and scheme, made anew for each.
#pragma once

#include <vector>

#include "callbacks.hpp"
#include "model.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip::python {

struct OwnParts {
  /// `solver` and `scheme` may be None; `forces` are functions of (t, bodies).
  OwnParts(const SceneModel& model, const nb::object& solver, const nb::object& scheme,
           const nb::list& forces);

  const BodySystem* bodies() const;  ///< null for other systems

  Scene scene;
  StepperOptions options;
  std::vector<PythonPart*> parts;  ///< of the scene's system and of the options
};

}  // namespace stickslip::python
