#include "own_parts.hpp"

namespace stickslip::python {

OwnParts::OwnParts(const SceneModel& model, const nb::object&, const nb::object&, const nb::list&)
    : scene(*model.fresh().scene) {
  const System* system = scene.model.system.get();
  if (const auto* part = dynamic_cast<const PythonPart*>(system))
    parts.push_back(const_cast<PythonPart*>(part));
}

const BodySystem* OwnParts::bodies() const {
  return dynamic_cast<const BodySystem*>(scene.model.system.get());
}

}  // namespace stickslip::python
