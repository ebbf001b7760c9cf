// _engine.Simulation: steps, runs, and what can be seen of them.
#include "simulation.hpp"

#include <array>
#include <chrono>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "own_parts.hpp"
#include "reports.hpp"
#include "stickslip/contact_view.hpp"
#include "stickslip/simulation.hpp"

namespace stickslip::python {

PySimulation::PySimulation(Simulation simulation, const BodySystem* bodies,
                           std::vector<PythonPart*> parts)
    : simulation_(std::move(simulation)), bodies_(bodies), parts_(std::move(parts)) {}

PySimulation::Stepping::Stepping(PySimulation& simulation) : simulation_(simulation) {
  simulation.expectNotAsked();
  Phase idle = Phase::idle;
  if (!simulation.phase_.compare_exchange_strong(idle, Phase::stepping))
    throw std::runtime_error(
        "this simulation is in a step: a function that it calls, or another thread, cannot step it "
        "as well");
  simulation.askAgain();
}

void PySimulation::expectNotAsked() const {
  if (is_asked_)
    throw std::runtime_error(
        "this simulation is in a call that asks functions of your own: they, or another thread, "
        "cannot use it meanwhile");
}

void PySimulation::askAgain() {
  for (PythonPart* part : parts_) part->askAgain();
}

void PySimulation::Stepping::resume() {
  simulation_.expectNotAsked();
  simulation_.askAgain();
  simulation_.phase_ = Phase::stepping;
}

PySimulation::Stepping::~Stepping() {
  simulation_.refresh();  // also where a function of the user ended the step
  simulation_.phase_ = Phase::idle;
}

Simulation& PySimulation::look() {
  if (phase_ == Phase::stepping)
    throw std::runtime_error(
        "this simulation is in a step: look at it before or after, not from another thread or from "
        "a function that the step calls");
  expectNotAsked();
  askAgain();
  return simulation_;
}

void PySimulation::watch(StepWatcher& seeing, nb::object watcher) {
  look();
  watches_.push_back({&seeing, std::move(watcher)});
}

void PySimulation::unwatch(const StepWatcher& seeing) {
  look();
  std::erase_if(watches_, [&](const Watch& watch) { return watch.seeing == &seeing; });
}

int PySimulation::traverse(visitproc visit, void* argument) const {
  for (const PythonPart* part : parts_)
    if (const int result = part->traverse(visit, argument); result != 0) return result;
  for (const Watch& watch : watches_)
    if (const int result = visit(watch.watcher.ptr(), argument); result != 0) return result;
  return 0;
}

void PySimulation::forget() {
  for (PythonPart* part : parts_) part->forget();
  const std::vector<Watch> gone = std::move(watches_);
  watches_.clear();
}

bool PySimulation::showWatchers() {
  bool to_tell = false;
  for (const Watch& watch : watches_) to_tell = watch.seeing->see(simulation_) || to_tell;
  return to_tell;
}

void PySimulation::tellWatchers() {
  for (const Watch& watch : watches_) watch.seeing->tell();
}

bool PySimulation::step() {
  const Stepping stepping(*this);
  bool certified = false, to_tell = false;
  {
    const WithoutLock released;
    to_tell = simulation_.stepTowards(std::numeric_limits<double>::infinity()) && showWatchers();
    const StepReport* report = simulation_.report();
    certified = report != nullptr && report->certified && report->advanced;
  }
  if (to_tell) tellWatchers();
  return certified;
}

namespace {

// How long Ctrl-C and a picture of the progress may wait. No result depends on it.
constexpr std::chrono::milliseconds kPatience{50};

}  // namespace

bool PySimulation::run(double until, std::int64_t steps, const nb::object& before,
                       const nb::object& after, const nb::object& progress) {
  Stepping stepping(*this);
  const auto call = [&](const nb::object& function) {
    if (function.is_none()) return;
    stepping.pause();
    python::call(function, {});
    stepping.resume();
  };
  const bool watched = !before.is_none() || !after.is_none();
  for (std::int64_t done = 0; done < steps;) {
    bool goes_on = false, to_tell = false;
    call(before);
    {
      const WithoutLock released;
      const auto start = std::chrono::steady_clock::now();
      do {
        goes_on = simulation_.stepTowards(until);
        done += goes_on ? 1 : 0;
        to_tell = goes_on && showWatchers();
      } while (goes_on && done < steps && !watched && !to_tell &&
               std::chrono::steady_clock::now() - start < kPatience);
    }
    refresh();
    if (to_tell) tellWatchers();
    if (goes_on) call(after);
    call(progress);
    if (!goes_on) break;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return simulation_.isFinite();
}

void PySimulation::refresh() {
  if (!view_) return;
  const State& state = simulation_.state();
  std::memcpy(view_->q.data(), state.q.data(), state.q.size() * sizeof(double));
  std::memcpy(view_->u.data(), state.u.data(), state.u.size() * sizeof(double));
}

nb::object PySimulation::viewOf(std::vector<double> StateView::*part, nb::object& cached) {
  if (!view_) view_ = std::make_shared<StateView>(StateView{look().state().q, look().state().u});
  if (!cached.is_valid()) {
    const std::vector<double>& values = (*view_).*part;
    auto* owned = new std::shared_ptr<StateView>(view_);
    const nb::capsule owner(
        owned, [](void* p) noexcept { delete static_cast<std::shared_ptr<StateView>*>(p); });
    cached = nb::cast(
        nb::ndarray<nb::numpy, const double, nb::ndim<1>>(values.data(), {values.size()}, owner));
  }
  return cached;
}

nb::object PySimulation::positions() {
  return viewOf(&StateView::q, q_);
}

nb::object PySimulation::velocities() {
  return viewOf(&StateView::u, u_);
}

namespace {

// One contact as NumPy has it: the fields of stickslip.simulation.CONTACT.
struct PackedContact {
  std::uint64_t id;
  std::int32_t body_a, body_b;
  std::int32_t state;
  std::int32_t index;
  double gap;
  std::array<double, 3> p, gamma;
  std::array<double, 3> point, normal, impulse, force, slip_velocity;
};
static_assert(sizeof(PackedContact) == 8 + 16 + 8 * 22);

std::array<double, 3> entries(const Vec3& v) {
  return {v.x, v.y, v.z};
}

nb::ndarray<nb::numpy, std::uint8_t> packedContacts(PySimulation& simulation) {
  const std::span<const ContactView> views = std::as_const(simulation.look()).stepper().contacts();
  std::vector<std::uint8_t> bytes(views.size() * sizeof(PackedContact));
  for (std::size_t i = 0; i < views.size(); ++i) {
    const ContactView& v = views[i];
    const PackedContact packed{v.id,
                               v.body_a,
                               v.body_b,
                               static_cast<std::int32_t>(v.state),
                               v.index,
                               v.gap,
                               v.p,
                               v.gamma,
                               entries(v.point),
                               entries(v.normal),
                               entries(v.impulse),
                               entries(v.force),
                               entries(v.slip_velocity)};
    std::memcpy(&bytes[i * sizeof(PackedContact)], &packed, sizeof(PackedContact));
  }
  return arrayOf(std::move(bytes));
}

// Impulses of the rows of joints, of the last step.
nb::ndarray<nb::numpy, double> jointImpulses(PySimulation& simulation) {
  return copyOf<double>(simulation.look().stepper().solution().c);
}

// JointForce of all joints, as three arrays.
nb::tuple jointWrenches(PySimulation& simulation) {
  const Simulation& s = std::as_const(simulation.look());
  std::vector<JointForce> forces;
  if (simulation.bodies() != nullptr && s.report() != nullptr)
    forces =
        simulation.bodies()->jointForces(s.state(), s.stepper().problem(), s.stepper().solution());
  const std::size_t joints =
      simulation.bodies() != nullptr ? simulation.bodies()->data().joints.size() : 0;
  forces.resize(joints);
  std::vector<double> force, torque, drive;
  for (const JointForce& f : forces) {
    force.insert(force.end(), {f.force.x, f.force.y, f.force.z});
    torque.insert(torque.end(), {f.torque.x, f.torque.y, f.torque.z});
    drive.insert(drive.end(), f.drive.begin(), f.drive.end());
  }
  return nb::make_tuple(arrayOf(std::move(force), {joints, 3}),
                        arrayOf(std::move(torque), {joints, 3}),
                        arrayOf(std::move(drive), {joints, 2}));
}

nb::tuple energies(PySimulation& simulation) {
  const PySimulation::Asking asking(simulation);
  const Simulation& s = asking.simulation();
  const State& state = s.state();
  const System& system = *s.stepper().model().system;
  return nb::make_tuple(kineticEnergy(system, state), system.potentialEnergy(state.t, state.q));
}

nb::dict bodies(PySimulation& simulation) {
  const State& state = simulation.look().state();
  return bodyStates(simulation.bodies(), {&state.t, 1}, state.q, state.u);
}

nb::ndarray<nb::numpy, double> joints(PySimulation& simulation) {
  const State& state = simulation.look().state();
  return jointCoordinates(simulation.bodies(), {&state.t, 1}, state.q, state.u);
}

// What is None stays as it is.
void setState(PySimulation& simulation, std::optional<double> t, const std::optional<Numbers>& q,
              const std::optional<Numbers>& u) {
  Simulation& s = simulation.look();
  State state = s.state();
  if (t) state.t = finite({&*t, 1}, "time")[0];
  const auto set = [](std::vector<double>& values, const std::optional<Numbers>& to,
                      const char* what) {
    if (!to) return;
    const auto numbers = finite(vectorOf(*to, values.size(), what), what);
    values.assign(numbers.begin(), numbers.end());
  };
  set(state.q, q, "q");
  set(state.u, u, "u");
  s.setState(std::move(state));
  simulation.refresh();
}

Vec3 vec(const Numbers& v, const char* what) {
  const auto numbers = finite(vectorOf(v, 3, what), what);
  return {numbers[0], numbers[1], numbers[2]};
}

// One body of the state; what is None stays as it is.
void place(PySimulation& simulation, int body, const std::optional<Numbers>& position,
           const std::optional<Numbers>& orientation, std::optional<double> angle,
           const std::optional<Numbers>& velocity, const std::optional<Numbers>& angular_velocity) {
  Simulation& s = simulation.look();
  const BodySystem* bodies = simulation.bodies();
  if (bodies == nullptr || body < 0 || body >= static_cast<int>(bodies->data().bodies.size()))
    throw InputError("body: there is no body " + std::to_string(body));
  State state = s.state();
  BodyState at = bodies->bodyState(body, state);
  if (position) at.position = vec(*position, "position");
  if (orientation) {
    const auto r = finite(vectorOf(*orientation, 4, "orientation"), "orientation");
    at.orientation = {r[0], r[1], r[2], r[3]};
  }
  if (angle) at.angle = finite({&*angle, 1}, "angle")[0];
  if (velocity) at.velocity = vec(*velocity, "velocity");
  if (angular_velocity) at.angular_velocity = vec(*angular_velocity, "angular_velocity");
  bodies->place(body, at, state);
  s.setState(std::move(state));
  simulation.refresh();
}

std::string hashOf(PySimulation& simulation) {
  constexpr int kDigits = 16;
  constexpr std::string_view kDigit = "0123456789abcdef";
  std::uint64_t hash = fingerprint(simulation.look().state());
  std::string text(kDigits, '0');
  for (int i = kDigits - 1; i >= 0; --i, hash >>= 4)
    text[static_cast<std::size_t>(i)] = kDigit[hash & 15];
  return text;
}

nb::bytes savedBytes(PySimulation& simulation) {
  const std::vector<std::byte> saved = PySimulation::Asking(simulation).simulation().save();
  return nb::bytes(saved.data(), saved.size());
}

void restoreFrom(PySimulation& simulation, const nb::bytes& saved) {
  PySimulation::Asking(simulation)
      .simulation()
      .restore({static_cast<const std::byte*>(saved.data()), saved.size()});
  simulation.refresh();
}

nb::object reportOf(PySimulation& simulation) {
  const StepReport* report = simulation.look().report();
  return report == nullptr ? nb::none() : nb::cast(StepReportCopy(*report));
}

}  // namespace

namespace {

int traverseSimulation(PyObject* simulation, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(simulation));
  return nb::inst_ready(simulation) ? nb::inst_ptr<PySimulation>(simulation)->traverse(visit, arg)
                                    : 0;
}

int clearSimulation(PyObject* simulation) {
  if (nb::inst_ready(simulation)) nb::inst_ptr<PySimulation>(simulation)->forget();
  return 0;
}

PyType_Slot simulation_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverseSimulation)},
                                  {Py_tp_clear, reinterpret_cast<void*>(clearSimulation)},
                                  {0, nullptr}};

}  // namespace

void bindSimulation(nb::module_& module) {
  bindReports(module);
  nb::class_<PySimulation>(module, "Simulation", nb::type_slots(simulation_slots))
      .def(
          "__init__",
          [](nb::pointer_and_handle<PySimulation> self, const SceneModel& model,
             const nb::object& solver, const nb::object& scheme, const nb::object& forces) {
            OwnParts own(model, solver, scheme, forces);
            Simulation made(own.scene.model, own.scene.initial, own.scene.run,
                            std::move(own.options));
            // Functions of the user have been called.
            if (nb::inst_ready(self.h))
              throw std::runtime_error("this simulation has been made by another call meanwhile");
            new (self.p) PySimulation(std::move(made), own.bodies(), own.parts);
          },
          nb::arg("model"), nb::arg("solver") = nb::none(), nb::arg("scheme") = nb::none(),
          nb::arg("forces") = nb::none())
      .def("step", &PySimulation::step,
           "One step of the scene's length, or by its error. True if it is certified.")
      .def("_run_steps", &PySimulation::run, nb::arg("until"), nb::arg("steps"),
           nb::arg("before").none(), nb::arg("after").none(), nb::arg("progress").none(),
           "Steps until `until`, at most `steps` times; calls before(), after() each step and "
           "progress() now and then. False if the state stopped being finite.")
      .def_prop_ro(
          "time", [](PySimulation& s) { return s.look().state().t; }, "Time [s]")
      .def_prop_ro(
          "steps", [](PySimulation& s) { return s.look().steps(); }, "Steps done so far")
      .def_prop_ro(
          "q", &PySimulation::positions,
          nb::for_getter(nb::sig("def q(self, /) -> NDArray[numpy.float64]")),
          "All positions, (positions,): a view that cannot be written and shows the state of now")
      .def_prop_ro(
          "u", &PySimulation::velocities,
          nb::for_getter(nb::sig("def u(self, /) -> NDArray[numpy.float64]")),
          "All velocities, (velocities,): a view that cannot be written and shows the state of "
          "now")
      .def("_set_state", setState, nb::arg("time") = nb::none(), nb::arg("q") = nb::none(),
           nb::arg("u") = nb::none(), "Puts the system elsewhere; what is None stays")
      .def("_place", place, nb::arg("body"), nb::arg("position") = nb::none(),
           nb::arg("orientation") = nb::none(), nb::arg("angle") = nb::none(),
           nb::arg("velocity") = nb::none(), nb::arg("angular_velocity") = nb::none(),
           "Puts one dynamic body elsewhere; what is None stays")
      .def("_body_states", bodies,
           nb::sig("def _body_states(self) -> dict[str, NDArray[numpy.float64]]"),
           "Bodies now: arrays with the axes (1, bodies, ...)")
      .def("_joint_coordinates", joints, "Coordinates of joints now: (1, joints, 2)")
      .def_prop_ro("joint_impulses", jointImpulses, nb::rv_policy::automatic,
                   nb::for_getter(nb::sig("def joint_impulses(self, /) -> NDArray[numpy.float64]")),
                   "Impulses of the last step, one a row of joints [force x time], (rows,)")
      .def("_joint_wrenches", jointWrenches,
           nb::sig("def _joint_wrenches(self) -> tuple[NDArray[numpy.float64], "
                   "NDArray[numpy.float64], NDArray[numpy.float64]]"),
           "Forces, torques and forces of drives, one row a joint, of the last step")
      .def("_contact_bytes", packedContacts, "Contacts of the last step, packed")
      .def("_energies", energies, nb::sig("def _energies(self) -> tuple[float, float]"),
           "Kinetic and potential energy [force x length]")
      .def("save", savedBytes,
           "All that outlives a step, as bytes: restored in a simulation of the same scene, it "
           "goes on "
           "bit for bit")
      .def("restore", restoreFrom, nb::arg("saved"),
           "Goes on from what save() gave. An InputError says what does not fit; nothing changes "
           "then")
      .def(
          "wake", [](PySimulation& s) { s.look().stepper().wake(); },
          "Wakes everything that sleeps")
      .def_prop_ro(
          "asleep", [](PySimulation& s) { return s.look().stepper().asleepCount(); },
          "How many bodies sleep")
      .def_prop_ro("report", reportOf,
                   nb::for_getter(nb::sig("def report(self, /) -> StepReport | None")),
                   "About the last step; None before the first one")
      .def_prop_ro(
          "certified", [](PySimulation& s) { return s.look().certified(); },
          "True if all steps so far are certified")
      .def_prop_ro(
          "is_finite", [](PySimulation& s) { return s.look().isFinite(); },
          "False if the last step would have led to a state that is not finite")
      .def(
          "_run_summary",
          [](PySimulation& s) { return PySimulation::Asking(s).simulation().summary(); },
          "About all steps so far")
      .def("_state_hash", hashOf, "Sixteen digits that identify the bits of the state");
}

}  // namespace stickslip::python
