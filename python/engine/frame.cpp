// _engine.FrameWatcher: what a recording keeps of a simulation, gathered as the C++ writer does and
// handed over as arrays. Which datasets these fill is known to stickslip/recorder.py.
#include <array>
#include <mutex>
#include <utility>

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

// Frames of a simulation, as its steps are made. Python takes them from any thread.
class FrameWatcher final : public StepWatcher {
 public:
  FrameWatcher(const System& system, std::int64_t every, nb::object when_due)
      : rows_(system), every_(every), when_due_(std::move(when_due)) {}

  bool see(const Simulation& simulation) override {
    if (simulation.steps() % every_ != 0) return false;
    const std::lock_guard lock(mutex_);
    add(simulation);
    return rows_.areDue();
  }
  void tell() override {
    if (when_due_.is_valid()) call(nb::object(when_due_), {});
  }
  /// For Python's garbage collector: what it calls may keep the simulation that keeps it.
  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(when_due_.ptr());
    return 0;
  }
  void forget() { const nb::object gone = std::move(when_due_); }

  // Whatever the number of the step, unless that state is there already.
  bool append(const Simulation& simulation) {
    const State& state = simulation.state();
    const std::lock_guard lock(mutex_);
    if (last_.q.size() != rows_.positions || last_.u.size() != rows_.velocities || is_empty_ ||
        last_.t != state.t || last_.q != state.q || last_.u != state.u)
      add(simulation);
    return rows_.areDue();
  }
  // Without the lock of this class while Python is called: whoever runs then may want it, too.
  nb::dict take() { return columnsOf(taken()); }
  std::vector<std::string> stageNames() const {
    const std::lock_guard lock(mutex_);
    return {rows_.stageNames().begin(), rows_.stageNames().end()};
  }

 private:
  FrameRows taken() {
    const std::lock_guard lock(mutex_);
    FrameRows rows = rows_;
    rows_.clear();
    return rows;
  }
  void add(const Simulation& simulation) {
    rows_.append(simulation.steps(), simulation.state(), simulation.stepper(),
                 simulation.isFinite() ? simulation.report() : nullptr);
    last_ = simulation.state();
    is_empty_ = false;
  }

  mutable std::mutex mutex_;
  FrameRows rows_;
  std::int64_t every_;
  nb::object when_due_;
  State last_;
  bool is_empty_ = true;
};

int traverseWatcher(PyObject* watcher, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(watcher));
  return nb::inst_ready(watcher) ? nb::inst_ptr<FrameWatcher>(watcher)->traverse(visit, arg) : 0;
}

int clearWatcher(PyObject* watcher) {
  if (nb::inst_ready(watcher)) nb::inst_ptr<FrameWatcher>(watcher)->forget();
  return 0;
}

PyType_Slot watcher_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverseWatcher)},
                               {Py_tp_clear, reinterpret_cast<void*>(clearWatcher)},
                               {0, nullptr}};

}  // namespace

void bindFrames(nb::module_& module) {
  nb::class_<FrameWatcher>(module, "FrameWatcher", nb::type_slots(watcher_slots))
      .def(
          "__init__",
          [](FrameWatcher* self, PySimulation& of, std::int64_t every, nb::callable when_due) {
            if (every < 1) throw InputError("every: expected a whole number >= 1");
            new (self) FrameWatcher(systemOf(of), every, std::move(when_due));
          },
          nb::arg("of"), nb::arg("every"), nb::arg("when_due"),
          nb::sig("def __init__(self, of: Simulation, every: int, when_due: "
                  "collections.abc.Callable[[], object]) "
                  "-> None"))
      .def(
          "watch",
          [](nb::handle self, PySimulation& of) {
            of.watch(nb::cast<FrameWatcher&>(self), nb::borrow(self));
          },
          nb::arg("of"), "Keeps a frame of every so many steps of the simulation from now on")
      .def(
          "unwatch", [](FrameWatcher& self, PySimulation& of) { of.unwatch(self); }, nb::arg("of"),
          "Keeps no more of them")
      .def(
          "append", [](FrameWatcher& self, PySimulation& of) { return self.append(of.look()); },
          nb::arg("of"), "Keeps the state of now, once. True if frames are to be taken")
      .def("take", &FrameWatcher::take, nb::sig("def take(self) -> dict[str, NDArray[typing.Any]]"),
           "The frames that were kept since: rows by the names of their datasets")
      .def_prop_ro("stage_names", &FrameWatcher::stageNames,
                   "Names of the solver's stages of all frames so far");
  module.def(
      "recorded_names",
      [](PySimulation& of) {
        const System& system = systemOf(of);
        return nb::make_tuple(
            numbered(system.positionCount(), [&](int i) { return system.positionName(i); }),
            numbered(system.velocityCount(), [&](int i) { return system.velocityName(i); }),
            numbered(system.fixedContactCount(),
                     [&](int i) { return system.contactName(static_cast<std::uint64_t>(i)); }));
      },
      nb::arg("of"),
      nb::sig("def recorded_names(of: Simulation) -> tuple[list[str], list[str], list[str]]"),
      "Names of positions, velocities and contacts");
  module.def(
      "certificate_columns",
      [] {
        return std::vector<std::string>(FrameRows::kCertificate.begin(),
                                        FrameRows::kCertificate.end());
      },
      "What recordings keep of certificates");
}

}  // namespace stickslip::python
