// What a simulation has of Python's own: system, forces, solver and scheme, made anew for each.
#pragma once

#include <vector>

#include "callbacks.hpp"
#include "model.hpp"
#include "stickslip/stepper.hpp"

namespace stickslip::python {

struct OwnParts {
  /// Descriptions of stickslip.methods, and a list of forces with their names; each may be None.
  OwnParts(const SceneModel& model, const nb::object& solver, const nb::object& scheme,
           const nb::object& forces);

  const BodySystem* bodies() const;  ///< null for other systems

  Scene scene;
  StepperOptions options;
  std::vector<PythonPart*> parts;  ///< of the scene's system and of the options
};

}  // namespace stickslip::python
