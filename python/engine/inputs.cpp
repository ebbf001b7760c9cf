// _engine.input_arrays: inputs of a simulation as NumPy arrays that the engine reads where they
// are. They live as long as one looks at them, whatever becomes of the simulation.
#include "stickslip/inputs.hpp"

#include <array>
#include <memory>

#include "simulation.hpp"

namespace stickslip::python {
namespace {

using Writable = nb::ndarray<nb::numpy, double>;

// Rows of `columns` numbers that begin at `first`, one in each entry of a list which `owner` keeps.
template <class Entry>
Writable rowsIn(std::vector<Entry>& list, double* first, std::size_t columns,
                const nb::handle& owner) {
  static_assert(sizeof(Entry) % sizeof(double) == 0);
  constexpr auto kStride = static_cast<std::int64_t>(sizeof(Entry) / sizeof(double));
  return {first, {list.size(), columns}, owner, {kStride, 1}};
}

template <class T>
nb::capsule keeping(const std::shared_ptr<T>& shared) {
  return nb::capsule(new std::shared_ptr<T>(shared),
                     [](void* p) noexcept { delete static_cast<std::shared_ptr<T>*>(p); });
}

static_assert(sizeof(Wrench) == 6 * sizeof(double));
static_assert(sizeof(JointInput) == 6 * sizeof(double));

nb::dict inputArrays(PySimulation& simulation) {
  Simulation& s = simulation.look();
  nb::dict all;
  // Systems without bodies have empty ones, which nobody reads.
  const auto inputs = simulation.bodies() != nullptr ? simulation.bodies()->inputs()
                                                     : std::make_shared<BodyInputs>(0, 0);
  const nb::capsule owner = keeping(inputs);
  Wrench nobody;
  Wrench& body = inputs->bodies.empty() ? nobody : inputs->bodies.front();
  all["force"] = rowsIn(inputs->bodies, &body.force.x, 3, owner);
  all["torque"] = rowsIn(inputs->bodies, &body.torque.x, 3, owner);
  JointInput none;
  JointInput& joint = inputs->joints.empty() ? none : inputs->joints.front();
  all["target"] = rowsIn(inputs->joints, joint.target.data(), 2, owner);
  all["max_force"] = rowsIn(inputs->joints, joint.max_force.data(), 2, owner);
  all["joint_force"] = rowsIn(inputs->joints, joint.force.data(), 2, owner);
  const auto& forces = s.stepper().inputForces();
  all["generalized"] = Writable(forces->data(), {forces->size()}, keeping(forces));
  return all;
}

}  // namespace

void bindInputs(nb::module_& module) {
  module.def("input_arrays", inputArrays, nb::arg("simulation"),
             nb::sig("def input_arrays(simulation: Simulation) -> dict[str, "
                     "NDArray[numpy.float64]]"),
             "Inputs, as arrays that steps read where they are");
}

}  // namespace stickslip::python
