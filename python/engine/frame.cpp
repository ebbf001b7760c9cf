// _engine.FrameRows: what a recording keeps of a simulation, gathered as the C++ writer does and
// handed over as arrays. Which datasets these fill is known to stickslip/recorder.py.
#include <array>
#include <memory>

#include "binding.hpp"
#include "simulation.hpp"
#include "stickslip/frame_rows.hpp"

namespace stickslip::python {
namespace {

std::vector<std::string> numbered(int count, const auto& name) {
  std::vector<std::string> all(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = name(i);
  return all;
}

const System& systemOf(PySimulation& simulation) {
  return *simulation.look().stepper().model().system;
}

template <class T>
nb::ndarray<nb::numpy, T> columnOf(const std::vector<T>& values, std::size_t width) {
  return arrayOf(values, {width > 0 ? values.size() / width : 0, width});
}

template <class T>
nb::ndarray<nb::numpy, T> columnOf(const std::vector<std::array<T, 3>>& rows) {
  std::vector<T> values;
  values.reserve(3 * rows.size());
  for (const std::array<T, 3>& row : rows) values.insert(values.end(), row.begin(), row.end());
  const std::size_t count = rows.size();
  return arrayOf(std::move(values), {count, 3});
}

// Names are those of the datasets.
nb::dict columnsOf(const FrameRows& rows) {
  nb::dict all;
  all["time"] = columnOf(rows.time, 1);
  all["step"] = columnOf(rows.step, 1);
  all["q"] = columnOf(rows.q, rows.positions);
  all["u"] = columnOf(rows.u, rows.velocities);
  all["joints/impulse"] = columnOf(rows.joint_impulse, rows.joint_rows);
  all["contacts/count"] = columnOf(rows.contact_count, 1);
  all["contacts/id"] = columnOf(rows.contact_id, 1);
  all["contacts/gap"] = columnOf(rows.contact_gap, 1);
  all["contacts/impulse"] = columnOf(rows.contact_impulse);
  if (rows.has_moments) all["contacts/moment"] = columnOf(rows.contact_moment);
  if (rows.has_places) {
    all["contacts/point"] = columnOf(rows.contact_point);
    all["contacts/normal"] = columnOf(rows.contact_normal);
  }
  for (std::size_t k = 0; k < rows.certificate.size(); ++k)
    all[nb::str((std::string("certificate/") + FrameRows::kCertificate[k]).c_str())] =
        columnOf(rows.certificate[k], 1);
  all["stages/count"] = columnOf(rows.stage_count, 1);
  all["stages/stage"] = columnOf(rows.stage, 1);
  all["stages/solved"] = columnOf(rows.stage_solved, 1);
  all["stages/tried"] = columnOf(rows.stage_tried, 1);
  all["stages/iterations"] = columnOf(rows.stage_iterations, 1);
  return all;
}

void appendFrame(FrameRows& rows, PySimulation& of) {
  const Simulation& simulation = of.look();
  const System& system = *simulation.stepper().model().system;
  if (rows.positions != static_cast<std::size_t>(system.positionCount()) ||
      rows.velocities != static_cast<std::size_t>(system.velocityCount()) ||
      rows.joint_rows != static_cast<std::size_t>(system.jointCapacity()))
    throw InputError("the frames before are of another system");
  rows.append(simulation.steps(), simulation.state(), simulation.stepper(),
              simulation.isFinite() ? simulation.report() : nullptr);
}

}  // namespace

void bindFrames(nb::module_& module) {
  nb::class_<FrameRows>(module, "FrameRows")
      .def(
          "__init__",
          [](FrameRows* self, PySimulation& of) { new (self) FrameRows(systemOf(of)); },
          nb::arg("simulation"))
      .def("append", appendFrame, nb::arg("simulation"))
      .def("take",
           [](FrameRows& rows) {
             nb::dict all = columnsOf(rows);
             rows.clear();
             return all;
           })
      .def("__len__", &FrameRows::frames)
      .def_prop_ro("bytes", &FrameRows::bytes)
      .def_prop_ro("stage_names", [](const FrameRows& rows) {
        return std::vector<std::string>(rows.stageNames().begin(), rows.stageNames().end());
      });
  module.def("recorded_names", [](PySimulation& of) {
    const System& system = systemOf(of);
    return nb::make_tuple(
        numbered(system.positionCount(), [&](int i) { return system.positionName(i); }),
        numbered(system.velocityCount(), [&](int i) { return system.velocityName(i); }),
        numbered(system.fixedContactCount(),
                 [&](int i) { return system.contactName(static_cast<std::uint64_t>(i)); }));
  });
  module.attr("certificate_columns") = nb::cast(
      std::vector<std::string>(FrameRows::kCertificate.begin(), FrameRows::kCertificate.end()));
}

}  // namespace stickslip::python
