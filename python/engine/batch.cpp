// Many simulations at a time, given as a tuple of them: steps in threads, and their states as
// arrays with a leading axis.
#include "stickslip/batch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <limits>
#include <string_view>

#include "simulation.hpp"

namespace stickslip::python {
namespace {

using Copies = nb::typed<nb::tuple, PySimulation, nb::ellipsis>;

PySimulation& copyAt(const Copies& copies, std::size_t i) {
  return nb::cast<PySimulation&>(copies[i]);
}

// ---- Steps ----

// All copies, from before the engine is called until it has returned.
class SteppingAll {
 public:
  explicit SteppingAll(const Copies& copies) {
    for (std::size_t i = 0; i < copies.size(); ++i) {
      copies_.push_back(&copyAt(copies, i));
      simulations_.push_back(&stepping_.emplace_back(*copies_.back()).simulation());
    }
  }
  ~SteppingAll() = default;
  SteppingAll(const SteppingAll&) = delete;
  SteppingAll& operator=(const SteppingAll&) = delete;

  // Without Python's lock.
  bool step(double until, std::int64_t steps, ThreadTeam* team) {
    const WithoutLock released;
    return stepAll(simulations_, until, steps, team);
  }

  // `function` may look and change.
  void call(const nb::object& function) {
    if (function.is_none()) return;
    refresh();
    for (PySimulation::Stepping& stepping : stepping_) stepping.pause();
    python::call(function, {});
    for (PySimulation::Stepping& stepping : stepping_) stepping.resume();
  }

 private:
  void refresh() {
    for (PySimulation* copy : copies_) copy->refresh();
  }

  std::vector<PySimulation*> copies_;
  std::deque<PySimulation::Stepping> stepping_;
  std::vector<Simulation*> simulations_;
};

nb::ndarray<nb::numpy, bool> flags(const Copies& copies, bool (*flag)(const Simulation&)) {
  const std::size_t n = copies.size();
  auto values = std::make_unique<bool[]>(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = flag(copyAt(copies, i).look());
  bool* const data = values.get();
  const nb::capsule owner(values.release(),
                          [](void* p) noexcept { delete[] static_cast<bool*>(p); });
  return {data, {n}, owner};
}

nb::ndarray<nb::numpy, bool> stepCopies(const Copies& copies, ThreadTeam* team) {
  SteppingAll(copies).step(std::numeric_limits<double>::infinity(), 1, team);
  return flags(copies, [](const Simulation& s) {
    return s.report() != nullptr && s.report()->certified && s.report()->advanced;
  });
}

// Ctrl-C and a picture of the progress wait about as long. No result depends on it.
constexpr std::chrono::duration<double> kChunkPatience{0.1};
constexpr std::chrono::duration<double> kShortest{1e-6};

// Between calls of the engine all copies have made the same number of steps, but for those that
// have arrived: so Ctrl-C leaves them. False if none can go on.
bool runCopies(const Copies& copies, ThreadTeam* team, double until, std::int64_t steps,
               const nb::object& progress) {
  SteppingAll all(copies);
  std::int64_t chunk = 1;
  while (steps > 0) {
    const std::int64_t now = std::min(chunk, steps);
    const auto start = std::chrono::steady_clock::now();
    const bool goes_on = all.step(until, now, team);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    all.call(progress);
    if (!goes_on) return false;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    steps -= now;
    const double fits = static_cast<double>(now) * (kChunkPatience / std::max(passed, kShortest));
    chunk = std::max<std::int64_t>(1, static_cast<std::int64_t>(fits));
  }
  return true;
}

// ---- States ----

// One row of numbers for each copy, all of the shape `row`, written by `fill`.
nb::ndarray<nb::numpy, double> stacked(
    const Copies& copies, std::initializer_list<std::size_t> row,
    const std::function<void(PySimulation&, std::span<double>)>& fill) {
  std::vector<std::size_t> shape{copies.size()};
  std::size_t width = 1;
  for (const std::size_t length : row) {
    shape.push_back(length);
    width *= length;
  }
  auto values = std::make_unique<std::vector<double>>(copies.size() * width);
  for (std::size_t i = 0; i < copies.size(); ++i)
    fill(copyAt(copies, i), std::span(*values).subspan(i * width, width));
  double* const data = values->data();
  const nb::capsule owner(values.release(),
                          [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return {data, shape.size(), shape.data(), owner};
}

void expectSize(std::size_t is, std::size_t should_be) {
  if (is != should_be) throw InputError("batch: the copies differ in size");
}

nb::ndarray<nb::numpy, double> timesOf(const Copies& copies) {
  return stacked(copies, {},
                 [](PySimulation& copy, std::span<double> out) { out[0] = copy.look().state().t; });
}

nb::ndarray<nb::numpy, double> coordinatesOf(const Copies& copies,
                                             std::vector<double> State::*part) {
  const std::size_t width = copies.size() > 0 ? (copyAt(copies, 0).look().state().*part).size() : 0;
  return stacked(copies, {width}, [part](PySimulation& copy, std::span<double> out) {
    const std::vector<double>& values = copy.look().state().*part;
    expectSize(values.size(), out.size());
    std::ranges::copy(values, out.begin());
  });
}

std::size_t bodyCount(const PySimulation& simulation) {
  return simulation.bodies() != nullptr ? simulation.bodies()->data().bodies.size() : 0;
}

std::size_t jointCount(const PySimulation& simulation) {
  return simulation.bodies() != nullptr ? simulation.bodies()->data().joints.size() : 0;
}

void put(const Vec3& v, std::span<double> out) {
  out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

void putPosition(const BodyState& body, std::span<double> out) {
  put(body.position, out);
}

void putOrientation(const BodyState& body, std::span<double> out) {
  const Quaternion& r = body.orientation;
  out[0] = r.w, out[1] = r.x, out[2] = r.y, out[3] = r.z;
}

void putAngle(const BodyState& body, std::span<double> out) {
  out[0] = body.angle;
}

void putVelocity(const BodyState& body, std::span<double> out) {
  put(body.velocity, out);
}

void putAngularVelocity(const BodyState& body, std::span<double> out) {
  put(body.angular_velocity, out);
}

// What is asked of each body: a name as in Model.body_states.
struct BodyPart {
  std::string_view name;
  std::size_t width;
  void (*put)(const BodyState& body, std::span<double> out);
};

constexpr BodyPart kBodyParts[] = {{"position", 3, putPosition},
                                   {"orientation", 4, putOrientation},
                                   {"angle", 1, putAngle},
                                   {"velocity", 3, putVelocity},
                                   {"angular_velocity", 3, putAngularVelocity}};

// (copies, bodies, width)
nb::ndarray<nb::numpy, double> bodiesOf(const Copies& copies, std::string_view name) {
  const auto* part = std::ranges::find(kBodyParts, name, &BodyPart::name);
  if (part == std::end(kBodyParts))
    throw InputError("there is no " + std::string(name) + " of bodies");
  const std::size_t count = copies.size() > 0 ? bodyCount(copyAt(copies, 0)) : 0;
  return stacked(copies, {count, part->width}, [&](PySimulation& copy, std::span<double> out) {
    const State& state = copy.look().state();
    expectSize(bodyCount(copy), count);
    for (std::size_t b = 0; b < count; ++b)
      part->put(copy.bodies()->bodyState(static_cast<int>(b), state),
                out.subspan(b * part->width, part->width));
  });
}

// (copies, joints, 2); not a number where a joint has fewer coordinates.
nb::ndarray<nb::numpy, double> jointsOf(const Copies& copies) {
  const std::size_t count = copies.size() > 0 ? jointCount(copyAt(copies, 0)) : 0;
  return stacked(copies, {count, 2}, [&](PySimulation& copy, std::span<double> out) {
    const State& state = copy.look().state();
    expectSize(jointCount(copy), count);
    std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t j = 0; j < count; ++j) {
      const BodySystemData& data = copy.bodies()->data();
      const int free = coordinateCount(data.joints[j].type, data.dimension);
      for (int k = 0; k < free; ++k)
        out[2 * j + static_cast<std::size_t>(k)] =
            copy.bodies()->jointCoordinate(static_cast<int>(j), k, state);
    }
  });
}

// (copies, 2): kinetic and potential.
nb::ndarray<nb::numpy, double> energiesOf(const Copies& copies) {
  return stacked(copies, {2}, [](PySimulation& copy, std::span<double> out) {
    const PySimulation::Asking asking(copy);
    const Simulation& s = asking.simulation();
    const System& system = *s.stepper().model().system;
    out[0] = kineticEnergy(system, s.state());
    out[1] = system.potentialEnergy(s.state().t, s.state().q);
  });
}

// ---- Changes ----

using Places = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The copies at `places`, in a row of numbers each; what is None stays as it is. Changes nothing if
// something is wrong.
void setStatesOf(const Copies& copies, const Places& places, const std::optional<Numbers>& time,
                 const std::optional<Numbers>& q, const std::optional<Numbers>& u) {
  const auto rowAt = [&](const Numbers& values, std::size_t k, std::size_t width) {
    return rowsOf(values, width, "state").subspan(k * width, width);
  };
  std::vector<State> states;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::int64_t place = places.data()[k];
    if (place < 0 || place >= static_cast<std::int64_t>(copies.size()))
      throw InputError("where: there is no copy " + std::to_string(place));
    State& state =
        states.emplace_back(copyAt(copies, static_cast<std::size_t>(place)).look().state());
    const auto set = [&](const std::optional<Numbers>& to, std::span<double> values,
                         const char* what) {
      if (!to) return;
      if (to->ndim() != 2 || to->shape(0) != places.size())
        throw InputError(std::string(what) + ": expected a row for each copy");
      std::ranges::copy(finite(rowAt(*to, k, values.size()), what), values.begin());
    };
    set(time, {&state.t, 1}, "time");
    set(q, state.q, "q");
    set(u, state.u, "u");
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    PySimulation& copy = copyAt(copies, static_cast<std::size_t>(places.data()[k]));
    copy.look().setState(std::move(states[k]));
    copy.refresh();
  }
}

// Hands `give` the row of each copy; does nothing if `values` is None.
void giveRows(const Copies& copies, const std::optional<Numbers>& values, const char* what,
              const std::function<bool(PySimulation&, std::span<const double>)>& give) {
  if (!values) return;
  bool fits = values->ndim() > 0 && values->shape(0) == copies.size();
  const std::size_t width = fits && copies.size() > 0 ? values->size() / copies.size() : 0;
  for (std::size_t i = 0; fits && i < copies.size(); ++i)
    fits = give(copyAt(copies, i), {values->data() + i * width, width});
  if (!fits) throw InputError(std::string(what) + ": the shape does not fit the batch");
}

// What is set for the steps to come: a row for each copy; what is None stays as it is.
void setInputsOf(const Copies& copies, const std::optional<Numbers>& force,
                 const std::optional<Numbers>& torque, const std::optional<Numbers>& target,
                 const std::optional<Numbers>& max_force, const std::optional<Numbers>& joint_force,
                 const std::optional<Numbers>& generalized) {
  const auto body = [&](const std::optional<Numbers>& values, Vec3 Wrench::*part,
                        const char* what) {
    giveRows(copies, values, what, [part](PySimulation& copy, std::span<const double> row) {
      copy.look();
      if (row.size() != 3 * bodyCount(copy)) return false;
      for (std::size_t b = 0; 3 * b < row.size(); ++b)
        copy.bodies()->inputs()->bodies[b].*part = {row[3 * b], row[3 * b + 1], row[3 * b + 2]};
      return true;
    });
  };
  const auto joint = [&](const std::optional<Numbers>& values,
                         std::array<double, 2> JointInput::*part, const char* what) {
    giveRows(copies, values, what, [part](PySimulation& copy, std::span<const double> row) {
      copy.look();
      if (row.size() != 2 * jointCount(copy)) return false;
      for (std::size_t j = 0; 2 * j < row.size(); ++j)
        copy.bodies()->inputs()->joints[j].*part = {row[2 * j], row[2 * j + 1]};
      return true;
    });
  };
  body(force, &Wrench::force, "inputs.force");
  body(torque, &Wrench::torque, "inputs.torque");
  joint(target, &JointInput::target, "inputs.target");
  joint(max_force, &JointInput::max_force, "inputs.max_force");
  joint(joint_force, &JointInput::force, "inputs.joint_force");
  giveRows(copies, generalized, "inputs.generalized",
           [](PySimulation& copy, std::span<const double> row) {
             std::vector<double>& forces = *copy.look().stepper().inputForces();
             if (row.size() != forces.size()) return false;
             std::ranges::copy(row, forces.begin());
             return true;
           });
}

}  // namespace

void bindBatch(nb::module_& module) {
  nb::class_<ThreadTeam>(module, "ThreadTeam")
      .def(nb::init<int>(), nb::arg("count"))
      .def_prop_ro("count", &ThreadTeam::count);
  module.def("step_all", stepCopies, nb::arg("copies"), nb::arg("team").none());
  module.def("run_all", runCopies, nb::arg("copies"), nb::arg("team").none(), nb::arg("until"),
             nb::arg("steps"), nb::arg("progress").none());
  module.def("times_of", timesOf, nb::arg("copies"));
  module.def(
      "q_of", [](const Copies& copies) { return coordinatesOf(copies, &State::q); },
      nb::arg("copies"));
  module.def(
      "u_of", [](const Copies& copies) { return coordinatesOf(copies, &State::u); },
      nb::arg("copies"));
  module.def("bodies_of", bodiesOf, nb::arg("copies"), nb::arg("part"));
  module.def("joint_coordinates_of", jointsOf, nb::arg("copies"));
  module.def("energies_of", energiesOf, nb::arg("copies"));
  module.def(
      "certified_of",
      [](const Copies& copies) {
        return flags(copies, [](const Simulation& s) { return s.certified(); });
      },
      nb::arg("copies"));
  module.def(
      "finite_of",
      [](const Copies& copies) {
        return flags(copies, [](const Simulation& s) { return s.isFinite(); });
      },
      nb::arg("copies"));
  module.def("set_states_of", setStatesOf, nb::arg("copies"), nb::arg("places"),
             nb::arg("time").none(), nb::arg("q").none(), nb::arg("u").none());
  module.def("set_inputs_of", setInputsOf, nb::arg("copies"), nb::arg("force") = nb::none(),
             nb::arg("torque") = nb::none(), nb::arg("target") = nb::none(),
             nb::arg("max_force") = nb::none(), nb::arg("joint_force") = nb::none(),
             nb::arg("generalized") = nb::none());
}

}  // namespace stickslip::python
