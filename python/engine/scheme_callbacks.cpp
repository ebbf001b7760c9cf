#include "scheme_callbacks.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "problem.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/memory_stream.hpp"
#include "stickslip/method.hpp"

namespace stickslip::python {
namespace {

// What a PythonScheme holds.
enum SchemeObject : std::size_t { kScheme, kFormulate, kAdvance, kConcede, kConclude, kStep };

// The columns of a problem that a scheme writes to.
constexpr std::array<const char*, 2> kColumns{"b", "g"};

std::vector<double> numbersOf(const nb::object& from, std::size_t size, const char* what) {
  std::vector<double> numbers(size);
  takeNumbers(from, {size}, numbers, {what});
  return numbers;
}

// t and q, as a pair.
struct Place {
  double t = 0;
  std::vector<double> q;

  static Place of(const nb::object& pair, const System& system, const char* what) {
    if (!nb::isinstance<nb::tuple>(pair) || nb::len(pair) != 2)
      throw InputError(std::string(what) + ": expected (t, q), a time and positions");
    Place place;
    takeNumbers(nb::object(pair[0]), {}, {&place.t, 1}, {what});
    place.q =
        numbersOf(nb::object(pair[1]), static_cast<std::size_t>(system.positionCount()), what);
    return place;
  }
  operator Configuration() const { return {t, q}; }
};

std::size_t velocities(const System& system) {
  return static_cast<std::size_t>(system.velocityCount());
}

nb::dict methodAsDict(const Method& m) {
  nb::dict all;
  all["scheme"] = m.scheme;
  all["law"] = nameOf(m.law);
  all["cone"] = nameOf(m.cone);
  all["solver"] = m.solver;
  all["directions"] = m.directions;
  all["tolerance"] = m.tolerance;
  all["implicit"] = m.implicit;
  all["margin"] = m.margin;
  all["impact"] = nameOf(m.impact);
  all["theta"] = m.theta;
  all["joint_stabilization"] = nameOf(m.joint_stabilization);
  all["geometry"] = nameOf(m.geometry);
  all["rest_speed"] = m.rest_speed;
  all["correction"] = m.correction;
  all["sleep_time"] = m.sleep_time;
  all["budget"] = m.budget;
  all["initial_slip"] = nameOf(m.initial_slip);
  all["full_push"] = m.full_push;
  all["lift"] = nameOf(m.lift);
  return all;
}

}  // namespace

class SchemeStep::Open {
 public:
  Open(SchemeStep& step, const System& system, const State& state, double h,
       ContactProblem& problem)
      : step_(step) {
    step.at_ = {&system, &state, h, &problem, std::this_thread::get_id()};
  }
  ~Open() {
    step_.at_ = {};
    for (Column& column : step_.columns_) column = {};
  }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;

 private:
  SchemeStep& step_;
};

class SchemeStep::Busy {
 public:
  explicit Busy(const SchemeStep& step) : step_(step) {
    step.at();
    step.is_busy_ = true;
  }
  ~Busy() { step_.is_busy_ = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  const SchemeStep& step_;
};

const SchemeStep::At& SchemeStep::at() const {
  if (at_.system == nullptr)
    throw std::runtime_error("a step can be used only in the functions of a scheme that get it");
  if (at_.thread != std::this_thread::get_id())
    throw std::runtime_error("a step can be used only in the thread that calls the scheme");
  if (is_busy_)
    throw std::runtime_error("this step is at work: a function that it calls cannot use it");
  return at_;
}

nb::dict SchemeStep::method() const {
  at();
  return methodAsDict(scheme_->method());
}

void SchemeStep::freeMotion(const nb::object& mass, const nb::object& force, const nb::object& u) {
  const At& here = at();
  const Place mass_place = Place::of(mass, *here.system, "mass");
  const Place force_place = force.is_none() ? mass_place : Place::of(force, *here.system, "force");
  const std::vector<double> velocity =
      u.is_none() ? here.state->u : numbersOf(u, velocities(*here.system), "u");
  const Busy busy(*this);
  has_motion_ = false;  // until it is, which a function of the user may prevent
  scheme_->builder_.freeMotion(*here.system, mass_place, force_place, velocity, here.h,
                               *here.problem);
  has_motion_ = true;
}

void SchemeStep::contacts(double t, const nb::object& q, const nb::object& way, double margin,
                          double time) {
  const At& here = at();
  const Place place{t, numbersOf(q, static_cast<std::size_t>(here.system->positionCount()), "q")};
  const std::vector<double> reach = way.is_none() ? std::vector<double>(velocities(*here.system))
                                                  : numbersOf(way, velocities(*here.system), "way");
  const double others[] = {t, margin, time};
  finite(others, "t, margin, time");
  if (margin < 0 || time < 0 ||
      std::any_of(reach.begin(), reach.end(), [](double x) { return x < 0; }))
    throw InputError("way, margin, time: expected numbers >= 0");
  const Busy busy(*this);
  has_contacts_ = false;
  columns_[0] = {};
  scheme_->builder_.contacts(*here.system, place, {.way = reach, .margin = margin, .time = time},
                             here.h, *here.problem);
  has_contacts_ = true;
}

void SchemeStep::joints(double t, const nb::object& q) {
  const At& here = at();
  const Place place{t, numbersOf(q, static_cast<std::size_t>(here.system->positionCount()), "q")};
  finite({&t, 1}, "t");
  const Busy busy(*this);
  has_joints_ = false;
  columns_[1] = {};
  scheme_->builder_.joints(*here.system, place, *here.problem);
  has_joints_ = true;
}

Doubles SchemeStep::move(double t, const nb::object& u, double dt, const nb::object& q) const {
  const At& here = at();
  const std::vector<double> velocity = numbersOf(u, velocities(*here.system), "u");
  std::vector<double> place =
      numbersOf(q, static_cast<std::size_t>(here.system->positionCount()), "q");
  const double times[] = {t, dt};
  finite(times, "t, dt");
  const Busy busy(*this);
  here.system->move(t, velocity, dt, place);
  return arrayOf(std::move(place));
}

Doubles SchemeStep::coast(double dt, const nb::object& u) const {
  const At& here = at();
  std::vector<double> velocity = numbersOf(u, velocities(*here.system), "u");
  finite({&dt, 1}, "dt");
  const Busy busy(*this);
  if (here.system->coasts()) here.system->coast(dt, velocity);
  return arrayOf(std::move(velocity));
}

std::vector<double>& SchemeStep::columnOf(std::size_t which) const {
  return which == 0 ? at().problem->b : at().problem->g;
}

nb::object SchemeStep::column(std::size_t which) {
  const std::vector<double>& values = columnOf(which);
  Column& column = columns_[which];
  if (column.values == nullptr) {
    column.values = std::make_shared<std::vector<double>>(values);
    auto* owned = new std::shared_ptr<std::vector<double>>(column.values);
    const nb::capsule owner(owned, [](void* p) noexcept {
      delete static_cast<std::shared_ptr<std::vector<double>>*>(p);
    });
    column.array = nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<1>>(
        column.values->data(), {column.values->size()}, owner));
  }
  return column.array;
}

void SchemeStep::setColumn(std::size_t which, const nb::object& values) {
  column(which);
  std::vector<double>& to = *columns_[which].values;
  to = numbersOf(values, to.size(), kColumns[which]);
}

std::string SchemeStep::missing() const {
  if (!has_motion_) return "free_motion";
  if (!has_contacts_) return "contacts";
  return has_joints_ || at().system->jointCapacity() == 0 ? "" : "joints";
}

void SchemeStep::store() {
  for (std::size_t which = 0; which < kColumns.size(); ++which) {
    const Column& column = columns_[which];
    if (column.values == nullptr) continue;
    finite(*column.values, scheme_->name_ + ": " + kColumns[which]);
    columnOf(which) = *column.values;
  }
}

// And back, after the engine has written there.
void SchemeStep::load() {
  for (std::size_t which = 0; which < kColumns.size(); ++which)
    if (columns_[which].values != nullptr) {
      const std::vector<double>& from = columnOf(which);
      std::copy(from.begin(), from.end(), columns_[which].values->begin());
    }
}

ContactProblem SchemeStep::snapshot() {
  at();
  store();
  ContactProblem copy = problem();
  copy.speed_friction.clear();
  return copy;
}

namespace {

Doubles rowVelocities(const BlockRows& rows, const std::vector<double>& drive,
                      const std::vector<double>& v) {
  std::vector<double> out(static_cast<std::size_t>(rows.rowCount()));
  for (int group = 0; group < rows.groupCount(); ++group)
    for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
      const StripValues entries = rows.values(group, strip);
      for (int k = 0; k < rows.rowsOf(group); ++k) {
        double& sum = out[static_cast<std::size_t>(rows.firstRow(group) + k)];
        for (int j = 0; j < strip.columns; ++j)
          sum += entries(k, j) * v[static_cast<std::size_t>(strip.first_column + j)];
      }
    }
  for (std::size_t row = 0; row < out.size(); ++row) out[row] += driveOf(drive, row);
  return arrayOf(std::move(out));
}

}  // namespace

Doubles SchemeStep::contactVelocities(const nb::object& v) const {
  const std::vector<double> values = numbersOf(v, velocities(*at().system), "v");
  return rowVelocities(problem().J, problem().drive, values);
}

Doubles SchemeStep::jointVelocities(const nb::object& v) const {
  const std::vector<double> values = numbersOf(v, velocities(*at().system), "v");
  return rowVelocities(problem().G, problem().joint_drive, values);
}

void SchemeStep::expectContact(int i) const {
  at();
  if (!has_contacts_ || i < 0 || i >= problem().contactCount())
    throw InputError("contact: there is no contact " + std::to_string(i));
}

const ContactParameters& SchemeStep::parametersOf(int i) const {
  expectContact(i);
  return scheme_->builder_.parametersOf(i);
}

const JointSet& SchemeStep::jointData() const {
  at();
  return scheme_->builder_.jointData();
}

// Group of a row, and which of its rows it is.
std::pair<int, int> SchemeStep::placeOf(const BlockRows& rows, int row, const char* what) {
  for (int group = 0; group < rows.groupCount(); ++group)
    if (row >= rows.firstRow(group) && row < rows.firstRow(group) + rows.rowsOf(group))
      return {group, row - rows.firstRow(group)};
  throw InputError(std::string("row: there is no row ") + std::to_string(row) + " of " + what);
}

void SchemeStep::makeSpring(int row, double stretch, double resistance) {
  const At& here = at();
  const double numbers[] = {stretch, resistance};
  finite(numbers, "stretch, resistance");
  if (resistance < 0) throw InputError("resistance: expected a number >= 0");
  if (!has_joints_) throw InputError("make_spring: call joints first");
  const auto [group, k] = placeOf(problem().G, row, "joints");
  store();
  scheme_->builder_.makeSpring(group, k, stretch, resistance, here.h, *here.problem);
  load();
}

void SchemeStep::prestress(int contact, double x, double lead) {
  const At& here = at();
  if (!has_motion_) throw InputError("prestress: call free_motion first");
  if (parametersOf(contact).kind != ContactParameters::Kind::prestressed)
    throw InputError("contact: " + std::to_string(contact) + " is no prestressed element");
  const double numbers[] = {x, lead};
  finite(numbers, "x, lead");
  store();
  scheme_->builder_.prestress(contact, x, lead, here.h, *here.problem);
  load();
}

double SchemeStep::mobility(int row, bool of_joint) const {
  if (!has_motion_) throw InputError("mobility: call free_motion first");
  const BlockRows& rows = of_joint ? problem().G : problem().J;
  const auto [group, k] = placeOf(rows, row, of_joint ? "joints" : "contacts");
  return scheme_->builder_.mobility(rows, group, k);
}

bool SchemeStep::keepDrift(const nb::object& joints) {
  const auto groups = static_cast<std::size_t>(problem().G.groupCount());
  if (groups > 0 && !has_joints_) throw InputError("keep_drift: call joints first");
  const std::vector<double> given = numbersOf(joints, groups, "joints");
  std::vector<Concession> concessions(groups);
  for (std::size_t i = 0; i < groups; ++i)
    concessions[i] = static_cast<Concession>(std::clamp(given[i], 0.0, 2.0));
  store();
  const bool changed = scheme_->builder_.keepDrift(concessions, *at_.problem);
  load();
  return changed;
}

Doubles SchemeStep::divideByMass(const nb::object& x) const {
  std::vector<double> values = numbersOf(x, velocities(*at().system), "x");
  if (!has_motion_) throw InputError("divide_by_mass: call free_motion first");
  scheme_->builder_.divideByMass(values);
  return arrayOf(std::move(values));
}

SchemeTraits PythonScheme::traitsOf(const nb::object& description) {
  return {.options = nb::cast<std::vector<std::string>>(description.attr("options")),
          .gaps_at_start = nb::cast<bool>(description.attr("gaps_at_start"))};
}

PythonScheme::PythonScheme(const nb::object& description, const Method& method)
    : Scheme(method),
      name_(nb::cast<std::string>(description.attr("name"))),
      traits_(traitsOf(description)),
      method_(method) {
  method_.scheme = name_;
  const nb::object functions = description.attr("functions")();
  for (std::size_t f = kScheme; f < kStep; ++f) hold(functions[f]);
  hold(nb::cast(new SchemeStep(*this), nb::rv_policy::take_ownership));
}

SchemeStep& PythonScheme::step() const {
  return nb::cast<SchemeStep&>(held(kStep));
}

void PythonScheme::reserve(const System& system, ContactProblem& problem) {
  builder_.reserve(system, problem);
}

void PythonScheme::formulate(const System& system, const State& state, double h,
                             ContactProblem& problem) {
  system_ = &system;
  state_ = &state;
  h_ = h;
  problem_ = &problem;
  const WithLock lock;
  const nb::object function = held(kFormulate), object = held(kStep);
  SchemeStep& s = step();
  const SchemeStep::Open open(s, system, state, h, problem);
  s.begin();
  call(function, {object});
  if (const std::string missing = s.missing(); !missing.empty())
    throw InputError(name_ + ".formulate: expected it to call step." + missing);
  s.store();
}

bool PythonScheme::concede(std::span<const Concession> contacts, std::span<const Concession> joints,
                           ContactProblem& problem) {
  const WithLock lock;
  const nb::object function = held(kConcede), object = held(kStep);
  if (function.is_none()) return false;
  SchemeStep& s = step();
  const SchemeStep::Open open(s, *system_, *state_, h_, problem);
  const auto list = [](std::span<const Concession> from) {
    std::vector<std::int64_t> numbers;
    for (const Concession one : from) numbers.push_back(static_cast<std::int64_t>(one));
    return nb::cast(arrayOf(std::move(numbers)));
  };
  const nb::object changed = call(function, {object, list(contacts), list(joints)});
  s.store();
  const int is_true = PyObject_IsTrue(changed.ptr());
  if (is_true < 0) throw nb::python_error();
  return is_true == 1;
}

StageEnd PythonScheme::conclude(const System& system, const ContactSolution& solution,
                                ContactProblem& problem) {
  const WithLock lock;
  const nb::object function = held(kConclude), object = held(kStep);
  if (function.is_none()) return StageEnd::done;
  SchemeStep& s = step();
  const SchemeStep::Open open(s, system, *state_, h_, problem);
  const auto list = [](const std::vector<double>& from) {
    return nb::cast(arrayOf(std::vector<double>(from)));
  };
  const nb::object end =
      call(function, {object, list(solution.v), list(solution.p), list(solution.c)});
  s.store();
  const std::string word = nb::isinstance<nb::str>(end) ? nb::cast<std::string>(end) : "";
  if (word == "done") return StageEnd::done;
  if (word == "repeat") return StageEnd::repeat;
  if (word == "proceed") return StageEnd::proceed;
  throw InputError(name_ + R"(.conclude: expected "done", "repeat" or "proceed")");
}

void PythonScheme::advance(const System& system, double h, std::span<const double> v,
                           State& state) {
  const WithLock lock;
  const nb::object function = held(kAdvance), object = held(kStep);
  State next = state;
  {
    const SchemeStep::Open open(step(), system, state, h, *problem_);
    const nb::object result = call(function, {object, constantArray(v)});
    if (!nb::isinstance<nb::tuple>(result) || nb::len(result) != 2)
      throw InputError(name_ + ".advance: expected (q, u), positions and velocities at the end");
    takeNumbers(nb::object(result[0]), {next.q.size()}, next.q, {name_, "advance"}, true);
    takeNumbers(nb::object(result[1]), {next.u.size()}, next.u, {name_, "advance"}, true);
  }
  state.q = next.q;
  state.u = next.u;
  state.t += h;
}

void PythonScheme::saveMemory(MemoryWriter& to) const {
  const WithLock lock;
  to(savedBy(held(kScheme), name_));
}

void PythonScheme::restoreMemory(MemoryReader& from) {
  std::string saved;
  from(saved);
  const WithLock lock;
  restoreTo(held(kScheme), saved);
}

namespace {

// A number of each contact.
template <class T>
nb::ndarray<nb::numpy, T> ofContacts(const SchemeStep& step, T (*get)(const SchemeStep&, int)) {
  const auto count = static_cast<std::size_t>(step.problem().contactCount());
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = get(step, static_cast<int>(i));
  return arrayOf(std::move(all));
}

Doubles listOf(const std::vector<double>& values) {
  return arrayOf(std::vector<double>(values));
}

nb::object engineProblem(SchemeStep& step) {
  const nb::object problem = nb::cast(PyProblem(step.snapshot()), nb::rv_policy::move);
  return nb::module_::import_("stickslip.problem").attr("ContactProblem").attr("_of")(problem);
}

constexpr std::array<const char*, 4> kKinds{"unilateral", "friction", "one-way", "prestress"};

}  // namespace

void bindSchemeStep(nb::module_& module) {
  nb::class_<SchemeStep>(
      module, "SchemeStep",
      "A step as the functions of a Scheme see it, and only while they are called.")
      .def_prop_ro(
          "time", [](const SchemeStep& s) { return s.state().t; }, "At the start of the step [s]")
      .def_prop_ro("h", &SchemeStep::length,
                   "Length of the step [s]; 0: an impact, which moves nothing")
      .def_prop_ro(
          "q", [](const SchemeStep& s) { return listOf(s.state().q); }, "Positions at the start",
          nb::rv_policy::automatic)
      .def_prop_ro(
          "u", [](const SchemeStep& s) { return listOf(s.state().u); }, "Velocities at the start",
          nb::rv_policy::automatic)
      .def_prop_ro("method", &SchemeStep::method,
                   nb::for_getter(nb::sig("def method(self, /) -> dict[str, typing.Any]")),
                   "The method of the simulation, by the names of scenes")
      .def_prop_ro("coasts", &SchemeStep::coasts,
                   "True if velocities change without forces, as those of spinning bodies do")
      .def("free_motion", &SchemeStep::freeMotion, nb::arg("mass"), nb::arg("force") = nb::none(),
           nb::arg("u") = nb::none(),
           "M at `mass` = (t, q), forces at `force` and u: v_free = u + h M^-1 h(q, u, t)")
      .def("contacts", &SchemeStep::contacts, nb::arg("t"), nb::arg("q"),
           nb::arg("way") = nb::none(), nb::arg("margin") = 0.0, nb::arg("time") = 0.0,
           "J, b and sets of all contacts at (t, q) whose gap can close: it is at most margin + "
           "|w_N|.way + time |w_hat_N|. b becomes the rheonomic term.")
      .def("joints", &SchemeStep::joints, nb::arg("t"), nb::arg("q"),
           "G and g of all joints at (t, q). g becomes the rheonomic term.")
      .def("move", &SchemeStep::move, nb::arg("t"), nb::arg("u"), nb::arg("dt"), nb::arg("q"),
           "Where positions q are that move along u from t to t + dt")
      .def("coast", &SchemeStep::coast, nb::arg("dt"), nb::arg("u"),
           "What velocities u are after the time dt without forces")
      .def_prop_rw(
          "b", [](SchemeStep& s) { return s.column(0); },
          [](SchemeStep& s, const nb::object& values) { s.setColumn(0, values); },
          nb::for_getter(nb::sig("def b(self, /) -> NDArray[numpy.float64]")),
          nb::for_setter(nb::sig("def b(self, value: object, /) -> None")),
          "What is added to the velocities of contacts, one a row; to be written to")
      .def_prop_rw(
          "g", [](SchemeStep& s) { return s.column(1); },
          [](SchemeStep& s, const nb::object& values) { s.setColumn(1, values); },
          nb::for_getter(nb::sig("def g(self, /) -> NDArray[numpy.float64]")),
          nb::for_setter(nb::sig("def g(self, value: object, /) -> None")),
          "What is added to the velocities of joints, one a row; to be written to")
      .def_prop_ro(
          "v_free", [](const SchemeStep& s) { return listOf(s.problem().v_free); },
          "Velocities without contacts and joints: a copy", nb::rv_policy::automatic)
      .def_prop_ro(
          "gap", [](const SchemeStep& s) { return listOf(s.problem().gap); },
          "Of each contact [length]", nb::rv_policy::automatic)
      .def_prop_ro(
          "joint_gap", [](const SchemeStep& s) { return listOf(s.problem().joint_gap); },
          "Of each row of joints", nb::rv_policy::automatic)
      .def_prop_ro(
          "joint_stiffness", [](const SchemeStep& s) { return listOf(s.jointData().stiffness); },
          "Of each row of joints; infinite if it is rigid", nb::rv_policy::automatic)
      .def_prop_ro(
          "joint_damping", [](const SchemeStep& s) { return listOf(s.jointData().damping); },
          "Of each row of joints", nb::rv_policy::automatic)
      .def_prop_ro(
          "normal_rows",
          [](const SchemeStep& s) {
            return ofContacts<std::int64_t>(s, [](const SchemeStep& at, int i) {
              return std::int64_t{at.problem().J.firstRow(i)};
            });
          },
          "The row of each contact's normal; rows of its tangents follow", nb::rv_policy::automatic)
      .def_prop_ro(
          "contact_kinds",
          [](const SchemeStep& s) {
            nb::list kinds;
            for (int i = 0; i < s.problem().contactCount(); ++i)
              kinds.append(kKinds[static_cast<std::size_t>(s.parametersOf(i).kind)]);
            return kinds;
          },
          nb::for_getter(nb::sig("def contact_kinds(self, /) -> list[str]")),
          "Of each contact \"unilateral\", or \"friction\", \"one-way\", \"prestress\"")
      .def_prop_ro(
          "e_n",
          [](const SchemeStep& s) {
            return ofContacts<double>(
                s, [](const SchemeStep& at, int i) { return at.parametersOf(i).e_n; });
          },
          "Normal restitution of each contact", nb::rv_policy::automatic)
      .def_prop_ro(
          "e_t",
          [](const SchemeStep& s) {
            return ofContacts<double>(
                s, [](const SchemeStep& at, int i) { return at.parametersOf(i).e_t; });
          },
          "Tangential restitution of each contact", nb::rv_policy::automatic)
      .def("contact_velocities", &SchemeStep::contactVelocities, nb::arg("v"),
           "Velocities of the contacts' rows: J v and the rheonomic term, without what b has more")
      .def("joint_velocities", &SchemeStep::jointVelocities, nb::arg("v"),
           "Velocities of the joints' rows: G v and the rheonomic term")
      .def(
          "make_spring", &SchemeStep::makeSpring, nb::arg("row"), nb::arg("stretch"),
          nb::arg("resistance"),
          "Turns a row of joints into a spring and damper with the impulse -h (stiffness stretch + "
          "resistance gamma), gamma its velocity at the end of the step")
      .def("prestress", &SchemeStep::prestress, nb::arg("contact"), nb::arg("x"), nb::arg("lead"),
           "Has a prestressed element act on its displacement after the time `lead`, which is x if "
           "its row stands still")
      .def(
          "mobility", [](const SchemeStep& s, int row) { return s.mobility(row, false); },
          nb::arg("row"), "J M^-1 J' of a row of contacts")
      .def(
          "joint_mobility", [](const SchemeStep& s, int row) { return s.mobility(row, true); },
          nb::arg("row"), "G M^-1 G' of a row of joints")
      .def("divide_by_mass", &SchemeStep::divideByMass, nb::arg("x"), "M^-1 x")
      .def("keep_drift", &SchemeStep::keepDrift, nb::arg("joints"),
           "Lets the joints that concede 2 stay as open as they are; False if that changes nothing")
      .def_prop_ro(
          "problem", engineProblem,
          nb::for_getter(nb::sig("def problem(self, /) -> stickslip.problem.ContactProblem")),
          "The problem as it is now: a copy");
}

}  // namespace stickslip::python
