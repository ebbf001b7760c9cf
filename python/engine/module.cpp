// The module stickslip._engine: engine and scenes as Python sees them. Thin: what is checked,
// named and shown nicely is in python/stickslip.
#include <cmath>

#include "binding.hpp"
#include "lock.hpp"
#include "stickslip/method.hpp"
#include "stickslip/registry.hpp"
#include "stickslip/scene/scene.hpp"
#include "stickslip/threads.hpp"
#include "stickslip/version.hpp"

namespace stickslip::python {

std::span<const double> vectorOf(const Numbers& numbers, std::size_t size,
                                 const std::string& what) {
  if (numbers.ndim() != 1 || numbers.shape(0) != size)
    throw InputError(what + ": expected " + std::to_string(size) + " numbers in one axis");
  return {numbers.data(), size};
}

std::span<const double> rowsOf(const Numbers& numbers, std::size_t columns,
                               const std::string& what) {
  if (numbers.ndim() != 2 || numbers.shape(1) != columns)
    throw InputError(what + ": expected rows of " + std::to_string(columns) + " numbers");
  return {numbers.data(), numbers.size()};
}

std::span<const double> finite(std::span<const double> numbers, const std::string& what) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]))
      throw InputError(what + "[" + std::to_string(i) + "]: expected a finite number");
  return numbers;
}

}  // namespace stickslip::python

NB_MODULE(_engine, module) {
  using namespace stickslip;
  module.doc() = "Engine and scenes of stickslip. The package `stickslip` is what to use.";
  module.attr("version") = std::string(version());

  // Made here and not in Python, so that the module needs nothing but itself.
  nb::exception<InputError> input_error(module, "InputError", PyExc_ValueError);
  input_error.attr("__module__") = "stickslip";
  input_error.attr("__doc__") =
      "Input that cannot be used: one line that names what is wrong, where, and what would be "
      "right.";

  const auto list = [](std::span<const std::string_view> names) {
    return std::vector<std::string>(names.begin(), names.end());
  };
  module.def("solver_names", [list] { return list(solverNames()); });
  module.def("scheme_names", [list] { return list(schemeNames()); });
  module.def("preset_names", [list] { return list(presetNames()); });
  module.def("scene_schema", [] { return sceneSchemaText(); });
  module.def("set_thread_count", &setThreadCount, nb::arg("count"),
             nb::call_guard<python::WithoutLock>());
  module.def("thread_count", &threadCount);

  python::bindModel(module);
  python::bindSimulation(module);
  python::bindInputs(module);
  python::bindOwnParts(module);
  python::bindProblems(module);
  python::bindFrames(module);
  python::bindShapes(module);
  python::bindBatch(module);
}
