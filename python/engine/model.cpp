// _engine.Model: a scene, read and checked, and what can be asked of it without a simulation.
#include "model.hpp"

#include <array>
#include <limits>

#include "stickslip/scene/scene.hpp"
#include "stickslip/simulation.hpp"
#include "system_callbacks.hpp"

namespace stickslip::python {
namespace {

std::vector<std::string> names(int count, const auto& name) {
  std::vector<std::string> all(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = name(i);
  return all;
}

State stateAt(const System& system, double t, const double* q, const double* u) {
  return {t, {q, q + system.positionCount()}, {u, u + system.velocityCount()}};
}

}  // namespace

SceneModel::SceneModel(const std::string& text, const std::string& source,
                       const std::vector<std::string>& overrides, const std::string& folder)
    : scene(std::make_shared<const Scene>(parseScene(text, source, overrides, folder))) {}

SceneModel::SceneModel(const nb::object& of, State initial, const std::string& text,
                       const std::string& source)
    : scene(std::make_shared<const Scene>(
          parseSceneOf(PythonSystem::make(of), std::move(initial), text, source))) {}

SceneModel SceneModel::fresh() const {
  if (const auto* own = dynamic_cast<const PythonSystem*>(&system())) {
    const auto copy = std::make_shared<Scene>(*scene);
    copy->model.system = own->again();
    return SceneModel(copy);
  }
  return {scene->text, scene->name, {}, ""};
}

const System& SceneModel::system() const {
  return *scene->model.system;
}

const BodySystem* SceneModel::bodies() const {
  return dynamic_cast<const BodySystem*>(scene->model.system.get());
}

nb::dict bodyStates(const BodySystem* system, std::span<const double> t, std::span<const double> q,
                    std::span<const double> u, const std::optional<std::vector<int>>& asked) {
  const std::size_t frames = t.size();
  const std::size_t all_bodies = system != nullptr ? system->data().bodies.size() : 0;
  if (asked)
    for (const int body : *asked)
      if (body < 0 || static_cast<std::size_t>(body) >= all_bodies)
        throw InputError("body: there is no body " + std::to_string(body));
  const std::size_t bodies = asked ? asked->size() : all_bodies;
  std::vector<double> position, orientation, angle, velocity, angular_velocity;
  const auto append = [](std::vector<double>& list, const Vec3& v) {
    list.insert(list.end(), {v.x, v.y, v.z});
  };
  for (std::size_t i = 0; i < frames && bodies > 0; ++i) {
    const std::size_t nq = q.size() / frames, nu = u.size() / frames;
    const State state = stateAt(*system, t[i], &q[i * nq], &u[i * nu]);
    for (std::size_t b = 0; b < bodies; ++b) {
      const BodyState body = system->bodyState(asked ? (*asked)[b] : static_cast<int>(b), state);
      append(position, body.position);
      const Quaternion& r = body.orientation;
      orientation.insert(orientation.end(), {r.w, r.x, r.y, r.z});
      angle.push_back(body.angle);
      append(velocity, body.velocity);
      append(angular_velocity, body.angular_velocity);
    }
  }
  nb::dict all;
  all["position"] = arrayOf(std::move(position), {frames, bodies, 3});
  all["orientation"] = arrayOf(std::move(orientation), {frames, bodies, 4});
  all["angle"] = arrayOf(std::move(angle), {frames, bodies});
  all["velocity"] = arrayOf(std::move(velocity), {frames, bodies, 3});
  all["angular_velocity"] = arrayOf(std::move(angular_velocity), {frames, bodies, 3});
  return all;
}

nb::ndarray<nb::numpy, double> jointCoordinates(const BodySystem* system, std::span<const double> t,
                                                std::span<const double> q,
                                                std::span<const double> u) {
  const std::size_t frames = t.size();
  const std::size_t joints = system != nullptr ? system->data().joints.size() : 0;
  std::vector<double> values(frames * joints * 2, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < frames && joints > 0; ++i) {
    const State state =
        stateAt(*system, t[i], &q[i * (q.size() / frames)], &u[i * (u.size() / frames)]);
    for (std::size_t j = 0; j < joints; ++j) {
      const Joint& joint = system->data().joints[j];
      const int count = coordinateCount(joint.type, system->data().dimension);
      for (int k = 0; k < count; ++k)
        values[(i * joints + j) * 2 + static_cast<std::size_t>(k)] =
            system->jointCoordinate(static_cast<int>(j), k, state);
    }
  }
  return arrayOf(std::move(values), {frames, joints, 2});
}

namespace {

// Kinetic and potential energy of some states, with the axes (state, 2).
nb::ndarray<nb::numpy, double> energiesOf(const System& system, std::span<const double> t,
                                          std::span<const double> q, std::span<const double> u) {
  const std::size_t frames = t.size();
  std::vector<double> values;
  for (std::size_t i = 0; i < frames; ++i) {
    const State state =
        stateAt(system, t[i], &q[i * (q.size() / frames)], &u[i * (u.size() / frames)]);
    values.push_back(kineticEnergy(system, state));
    values.push_back(system.potentialEnergy(state.t, state.q));
  }
  return arrayOf(std::move(values), {frames, 2});
}

std::string typeOf(const Body& body) {
  return body.type == Body::Type::dynamic ? "dynamic"
         : body.type == Body::Type::fixed ? "static"
                                          : "kinematic";
}

// What of Python a model holds, for the garbage collector; nothing if others hold it, too.
PythonPart* partOf(PyObject* model) {
  if (!nb::inst_ready(model)) return nullptr;
  const SceneModel& m = *nb::inst_ptr<SceneModel>(model);
  if (!m.scene || m.scene.use_count() > 1 || m.scene->model.system.use_count() > 1) return nullptr;
  const auto* part = dynamic_cast<const PythonPart*>(m.scene->model.system.get());
  return const_cast<PythonPart*>(part);
}

int traverseModel(PyObject* model, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(model));
  const PythonPart* part = partOf(model);
  return part == nullptr ? 0 : part->traverse(visit, arg);
}

int clearModel(PyObject* model) {
  if (PythonPart* part = partOf(model)) part->forget();
  return 0;
}

PyType_Slot model_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverseModel)},
                             {Py_tp_clear, reinterpret_cast<void*>(clearModel)},
                             {0, nullptr}};

State startOf(const nb::object& system, double t, const Numbers& q, const Numbers& u) {
  const std::size_t n = nb::len(nb::object(system.attr("coordinates")));
  const auto positions = finite(vectorOf(q, n, "q"), "q");
  const auto velocities = finite(vectorOf(u, n, "u"), "u");
  return {finite({&t, 1}, "time")[0],
          {positions.begin(), positions.end()},
          {velocities.begin(), velocities.end()}};
}

}  // namespace

void bindModel(nb::module_& module) {
  const auto series = [](const SceneModel& model, const Numbers& t, const Numbers& q,
                         const Numbers& u, const auto& use) {
    const auto times = vectorOf(t, t.size(), "t");
    const auto positions = rowsOf(q, model.system().positionCount(), "q");
    const auto velocities = rowsOf(u, model.system().velocityCount(), "u");
    if (q.shape(0) != times.size() || u.shape(0) != times.size())
      throw InputError("q, u: expected one row for each of the " + std::to_string(times.size()) +
                       " times");
    return use(model.bodies(), times, positions, velocities);
  };
  nb::class_<SceneModel>(module, "Model", nb::type_slots(model_slots))
      .def(nb::init<const std::string&, const std::string&, const std::vector<std::string>&,
                    const std::string&>(),
           nb::arg("text"), nb::arg("source"), nb::arg("overrides"), nb::arg("folder"))
      .def(
          "__init__",
          [](SceneModel* self, const nb::object& system, double t, const Numbers& q,
             const Numbers& u, const std::string& text, const std::string& source) {
            new (self) SceneModel(system, startOf(system, t, q, u), text, source);
          },
          nb::arg("system"), nb::arg("t"), nb::arg("q"), nb::arg("u"), nb::arg("text"),
          nb::arg("source"))
      .def_prop_ro("name", [](const SceneModel& m) { return m.scene->name; })
      .def_prop_ro("text", [](const SceneModel& m) { return m.scene->text; })
      .def_prop_ro("step", [](const SceneModel& m) { return m.scene->run.time.step; })
      .def_prop_ro("end", [](const SceneModel& m) { return m.scene->run.time.end; })
      .def_prop_ro("error", [](const SceneModel& m) { return m.scene->run.time.error; })
      .def_prop_ro("scheme", [](const SceneModel& m) { return m.scene->model.method.scheme; })
      .def_prop_ro("record_every", [](const SceneModel& m) { return m.scene->record_every; })
      .def_prop_ro("warnings", [](const SceneModel& m) { return m.scene->warnings; })
      .def_prop_ro(
          "dimension",
          [](const SceneModel& m) { return m.bodies() ? m.bodies()->data().dimension : 0; })
      .def_prop_ro("position_names",
                   [](const SceneModel& m) {
                     return names(m.system().positionCount(),
                                  [&](int i) { return m.system().positionName(i); });
                   })
      .def_prop_ro("velocity_names",
                   [](const SceneModel& m) {
                     return names(m.system().velocityCount(),
                                  [&](int i) { return m.system().velocityName(i); });
                   })
      .def_prop_ro("contact_names",
                   [](const SceneModel& m) {
                     return names(m.system().fixedContactCount(), [&](int i) {
                       return m.system().contactName(static_cast<std::uint64_t>(i));
                     });
                   })
      .def_prop_ro("body_names",
                   [](const SceneModel& m) {
                     std::vector<std::string> all;
                     if (m.bodies())
                       for (const Body& body : m.bodies()->data().bodies) all.push_back(body.name);
                     return all;
                   })
      .def_prop_ro("joint_names",
                   [](const SceneModel& m) {
                     std::vector<std::string> all;
                     if (m.bodies())
                       for (const Joint& joint : m.bodies()->data().joints)
                         all.push_back(joint.name);
                     return all;
                   })
      .def_prop_ro("body_types",
                   [](const SceneModel& m) {
                     std::vector<std::string> all;
                     if (m.bodies())
                       for (const Body& body : m.bodies()->data().bodies)
                         all.push_back(typeOf(body));
                     return all;
                   })
      .def_prop_ro("joint_coordinate_names",
                   [](const SceneModel& m) {
                     std::vector<std::vector<std::string>> all;
                     if (m.bodies())
                       for (const Joint& joint : m.bodies()->data().joints) {
                         const auto known = coordinateNames(joint.type);
                         all.emplace_back(known.begin(), known.end());
                       }
                     return all;
                   })
      .def_prop_ro(
          "q0", [](const SceneModel& m) { return arrayOf(m.scene->initial.q); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "u0", [](const SceneModel& m) { return arrayOf(m.scene->initial.u); },
          nb::rv_policy::automatic)
      .def(
          "body_states",
          [series](const SceneModel& m, const Numbers& t, const Numbers& q, const Numbers& u,
                   const std::optional<std::vector<int>>& bodies) {
            return series(m, t, q, u,
                          [&](auto... states) { return bodyStates(states..., bodies); });
          },
          nb::arg("t"), nb::arg("q"), nb::arg("u"), nb::arg("bodies") = nb::none(),
          nb::sig("def body_states(self, t: NDArray[numpy.float64], q: NDArray[numpy.float64], u: "
                  "NDArray[numpy.float64], bodies: Sequence[int] | None = None) -> dict[str, "
                  "NDArray[numpy.float64]]"))
      .def("joint_coordinates",
           [series](const SceneModel& m, const Numbers& t, const Numbers& q, const Numbers& u) {
             return series(m, t, q, u, jointCoordinates);
           })
      .def("contact_bodies",
           [](const SceneModel& m, const nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig,
                                                     nb::device::cpu>& ids) {
             std::vector<std::int32_t> bodies(2 * ids.size(), -1);
             for (std::size_t i = 0; i < ids.size() && m.bodies(); ++i) {
               const auto [a, b] = m.bodies()->contactBodies(ids.data()[i]);
               bodies[2 * i] = a;
               bodies[2 * i + 1] = b;
             }
             return arrayOf(std::move(bodies), {ids.size(), 2});
           })
      .def("energies",
           [series](const SceneModel& m, const Numbers& t, const Numbers& q, const Numbers& u) {
             return series(m, t, q, u, [&](const BodySystem*, auto... states) {
               return energiesOf(m.system(), states...);
             });
           })
      .def("energy", [](const SceneModel& m, double t, const Numbers& q) {
        return m.system().potentialEnergy(t, vectorOf(q, m.system().positionCount(), "q"));
      });
}

}  // namespace stickslip::python
