#include "system_callbacks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "stickslip/input_error.hpp"

namespace stickslip::python {
namespace {

// Where the objects are that stand beside the functions: the place at hand as Python has it.
constexpr std::size_t kTimeObject = PythonSystem::kFunctions;
constexpr std::size_t kPositionsObject = kTimeObject + 1;
constexpr std::size_t kObjects = kPositionsObject + 1;

// As scenes have them, of the matrix scaled to a unit diagonal.
constexpr double kAsymmetry = 1e-10;
constexpr double kSmallestPivot = 1e-7;

template <class T>
T attribute(const nb::object& object, const char* name) {
  return nb::cast<T>(object.attr(name));
}

FrictionCurve curveOf(const nb::object& law, double mu) {
  const nb::object transition = law.attr("transition");
  if (transition.is_none()) return {};
  const bool is_stribeck = attribute<std::string>(transition, "type") == "stribeck";
  return {is_stribeck ? FrictionCurve::Transition::stribeck : FrictionCurve::Transition::smooth,
          attribute<double>(law, "mu_kinetic") / mu, attribute<double>(transition, "speed"),
          attribute<double>(transition, "exponent")};
}

FrictionDirections::Pointer directionsOf(const nb::object& law) {
  const nb::object given = law.attr("friction_directions");
  if (given.is_none()) return nullptr;
  std::vector<FrictionDirections::Direction> directions;
  for (const nb::handle one : given) {
    FrictionDirections::Direction direction{};
    direction[0] = nb::cast<double>(one[0]);
    direction[1] = nb::cast<double>(one[1]);
    directions.push_back(direction);
  }
  return FrictionDirections::make(directions);
}

// The objects of stickslip.system, which have checked themselves.
ContactLaw contactLawOf(const nb::object& law) {
  const auto kind = attribute<std::string>(law, "kind");
  if (kind == "one-way") return ContactLaw::oneWay();
  if (kind == "friction") return ContactLaw::dryFriction(attribute<double>(law, "force"));
  if (kind == "prestress") return ContactLaw::prestress(attribute<double>(law, "force"));
  ContactLaw out;
  out.mu = attribute<double>(law, "mu");
  out.e_n = attribute<double>(law, "e_n");
  out.e_t = attribute<double>(law, "e_t");
  out.friction_force = attribute<double>(law, "friction_force");
  out.curve = curveOf(law, out.mu);
  out.tangents = attribute<int>(law, "tangents");
  if (out.tangents != 1 && out.tangents != 2) throw InputError("tangents: expected 1 or 2");
  out.mu_2 = attribute<std::optional<double>>(law, "mu_2");
  out.directions = attribute<int>(law, "directions");
  out.given = directionsOf(law);
  return out;
}

JointLaw jointLawOf(const nb::object& law) {
  return {attribute<double>(law, "stiffness"), attribute<double>(law, "damping")};
}

}  // namespace

std::shared_ptr<const PythonSystem::About> PythonSystem::read(const nb::object& system) {
  auto about = std::make_shared<About>();
  about->name = className(system);
  about->coordinates = attribute<std::vector<std::string>>(system, "coordinates");
  for (const nb::handle contact : system.attr("contacts")) {
    const nb::object law = nb::borrow(contact);
    const auto name = attribute<std::string>(law, "name");
    about->contact_names.push_back(name.empty() ? "contact" + std::to_string(about->contacts.size())
                                                : name);
    about->contacts.push_back(contactLawOf(law));
    about->most_tangents =
        std::max(about->most_tangents, static_cast<std::size_t>(about->contacts.back().tangents));
  }
  for (const nb::handle joint : system.attr("joints"))
    about->joints.push_back(jointLawOf(nb::borrow(joint)));
  return about;
}

PythonSystem::PythonSystem(std::shared_ptr<const About> about, int coordinates)
    : GeneralizedSystem(coordinates), about_(std::move(about)) {}

std::shared_ptr<PythonSystem> PythonSystem::make(const nb::object& system) {
  const std::shared_ptr<const About> about = read(system);
  const int coordinates = static_cast<int>(about->coordinates.size());
  if (coordinates == 0) throw InputError("coordinates: expected a name for each, got none");
  const std::shared_ptr<PythonSystem> made(new PythonSystem(about, coordinates));
  made->find(system);
  return made;
}

std::shared_ptr<PythonSystem> PythonSystem::again() const {
  const std::shared_ptr<PythonSystem> made(new PythonSystem(about_, coordinateCount()));
  for (std::size_t f = 0; f < kObjects; ++f)
    made->hold(f < kFunctions ? held(f) : nb::object(nb::none()));
  for (std::size_t f = 0; f < kFunctions; ++f) {
    made->answers_[f].source = answers_[f].source;
    if (isConstant(static_cast<Function>(f))) made->answers_[f] = answers_[f];
  }
  return made;
}

// Looks for the functions of a system, and reads those that are arrays.
void PythonSystem::find(const nb::object& system) {
  for (std::size_t f = 0; f < kObjects; ++f)
    hold(f < kFunctions ? nb::getattr(system, kNames[f], nb::none()) : nb::object(nb::none()));
  for (int k = 0; k < kFunctions; ++k) {
    const auto f = static_cast<Function>(k);
    if (held(f).is_none()) continue;
    if (PyCallable_Check(held(f).ptr()) != 0) {
      answers_[f].source = Answer::Source::function;
    } else {
      answers_[f].source = Answer::Source::array;
      take(f, held(f));
    }
  }
  require(kMass, "a system");
  require(kForces, "a system");
  if (contactCount() > 0)
    for (const Function f : {kGaps, kNormals}) require(f, "a system with contacts");
  for (const ContactLaw& law : about_->contacts) {
    if (!law.hasFriction()) continue;
    require(kTangents, "a contact with friction");
    if (law.tangents == 2) require(kSecondTangents, "a contact with two tangents");
  }
  if (jointCount() > 0)
    for (const Function f : {kJointGaps, kJointDirections}) require(f, "a system with joints");
}

void PythonSystem::require(Function f, const char* who) {
  if (answers_[f].source == Answer::Source::none)
    throw InputError(nameOf(f).text() + ": missing; " + who + " needs it");
}

// Numbers in a row of an answer.
std::size_t PythonSystem::width(Function f) const {
  switch (f) {
    case kGaps:
    case kJointGaps:
    case kJointDrives:
    case kPotentialEnergy:
      return 1;
    case kDrives:
      return 1 + about_->most_tangents;
    default:
      return static_cast<std::size_t>(coordinateCount());
  }
}

void PythonSystem::take(Function f, nb::handle from) const {
  const auto n = static_cast<std::size_t>(coordinateCount());
  const auto contacts = static_cast<std::size_t>(contactCount());
  const auto joints = static_cast<std::size_t>(jointCount());
  const auto shape = [&]() -> Shape {
    switch (f) {
      case kMass:
        return {n, n};
      case kForces:
        return {n};
      case kGaps:
        return {contacts};
      case kJointGaps:
      case kJointDrives:
        return {joints};
      case kJointDirections:
        return {joints, n};
      case kPotentialEnergy:
        return {};
      default:
        return {contacts, width(f)};
    }
  }();
  std::size_t size = 1;
  for (const std::size_t length : shape.axes()) size *= length;
  answers_[f].values.resize(size);
  takeNumbers(from, shape, answers_[f].values, nameOf(f));
  check(f);
}

// What the engine counts on.
void PythonSystem::check(Function f) const {
  std::vector<double>& values = answers_[f].values;
  const std::size_t n = width(f);
  if (f == kNormals || f == kJointDirections) {
    for (std::size_t i = 0; i * n < values.size(); ++i)
      if (std::all_of(&values[i * n], &values[i * n] + n, [](double x) { return x == 0; }))
        throw InputError(nameOf(f).text() + ": row " + std::to_string(i) +
                         " is all zero; a gap must depend on some coordinate");
    return;
  }
  if (f != kMass) return;
  const auto entry = [&](std::size_t i, std::size_t j) -> double& { return values[i * n + j]; };
  const auto refuse = [&](std::size_t i) {
    throw InputError(nameOf(f).text() + ": not positive definite; some motion that involves \"" +
                     about_->coordinates[i] + "\" has no inertia");
  };
  factor_ = values;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(entry(i, i) > 0)) refuse(i);
    for (std::size_t j = 0; j < i; ++j) {
      const double unit = std::sqrt(entry(i, i)) * std::sqrt(entry(j, j));
      if (std::abs(entry(i, j) - entry(j, i)) > kAsymmetry * unit)
        throw InputError(nameOf(f).text() + ": not symmetric in \"" + about_->coordinates[i] +
                         "\" and \"" + about_->coordinates[j] + "\"");
      entry(i, j) = entry(j, i) = (entry(i, j) + entry(j, i)) / 2;
      // Cholesky's factor of the matrix scaled to a unit diagonal, row by row.
      double sum = entry(i, j) / unit;
      for (std::size_t k = 0; k < j; ++k) sum -= factor_[i * n + k] * factor_[j * n + k];
      factor_[i * n + j] = sum / factor_[j * n + j];
    }
    double rest = 1;
    for (std::size_t k = 0; k < i; ++k) rest -= factor_[i * n + k] * factor_[i * n + k];
    if (!(rest > kSmallestPivot * kSmallestPivot)) refuse(i);
    factor_[i * n + i] = std::sqrt(rest);
  }
}

bool PythonSystem::isAt(double t, std::span<const double> q) const {
  return is_somewhere_ && std::memcmp(&t, &t_, sizeof t) == 0 &&
         std::memcmp(q.data(), q_.data(), q.size_bytes()) == 0;
}

// From here on t and q are these.
void PythonSystem::goTo(double t, std::span<const double> q) const {
  if (isAt(t, q)) return;
  is_somewhere_ = false;
  held(kTimeObject) = nb::float_(t);
  held(kPositionsObject) = constantArray(q);
  t_ = t;
  q_.assign(q.begin(), q.end());
  for (Answer& answer : answers_) answer.known = answer.source == Answer::Source::array;
  is_somewhere_ = true;
}

namespace {

// While a function is called.
class Asking {
 public:
  explicit Asking(bool& flag, const CallName& name) : flag_(flag) {
    if (flag)
      throw std::runtime_error(name.text() +
                               ": a function of this system is being called already, "
                               "by another thread or around this call");
    flag = true;
  }
  ~Asking() { flag_ = false; }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

 private:
  bool& flag_;
};

}  // namespace

// Calls a function: forces with the velocities, others without.
void PythonSystem::ask(Function f, double t, std::span<const double> q,
                       std::span<const double> u) const {
  const WithLock lock;
  const Asking asking(is_asked_, nameOf(f));
  goTo(t, q);
  // Kept here: who is called may take the system apart.
  const nb::object function = held(f), time = held(kTimeObject), positions = held(kPositionsObject);
  take(f, u.empty() ? call(function, {time, positions})
                    : call(function, {time, positions, constantArray(u)}));
}

std::span<const double> PythonSystem::at(Function f, double t, std::span<const double> q) const {
  Answer& answer = answers_[f];
  if (answer.source == Answer::Source::array || (isAt(t, q) && answer.known)) return answer.values;
  ask(f, t, q, {});
  answer.known = true;
  return answer.values;
}

double PythonSystem::row(Function f, int i, int drive, double t, std::span<const double> q,
                         std::span<double> w) const {
  const std::span<const double> all = at(f, t, q);
  std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(i) * std::ssize(w), w.size(), w.begin());
  const Function drives = f == kJointDirections ? kJointDrives : kDrives;
  if (answers_[drives].source == Answer::Source::none) return 0;
  return at(drives, t,
            q)[static_cast<std::size_t>(i) * width(drives) + static_cast<std::size_t>(drive)];
}

void PythonSystem::generalizedMass(double t, std::span<const double> q, MatrixView M) const {
  const std::span<const double> values = at(kMass, t, q);
  std::copy(values.begin(), values.end(), M.data);
}

void PythonSystem::generalizedForces(double t, std::span<const double> q, std::span<const double> u,
                                     std::span<double> h) const {
  const Answer& answer = answers_[kForces];
  if (answer.source == Answer::Source::function) ask(kForces, t, q, u);
  std::copy(answer.values.begin(), answer.values.end(), h.begin());
}

double PythonSystem::gap(int i, double t, std::span<const double> q) const {
  return at(kGaps, t, q)[i];
}

double PythonSystem::normalDirection(int i, double t, std::span<const double> q,
                                     std::span<double> w) const {
  return row(kNormals, i, 0, t, q, w);
}

double PythonSystem::tangentDirection(int i, double t, std::span<const double> q,
                                      std::span<double> w) const {
  return row(kTangents, i, 1, t, q, w);
}

double PythonSystem::secondTangentDirection(int i, double t, std::span<const double> q,
                                            std::span<double> w) const {
  return row(kSecondTangents, i, 2, t, q, w);
}

double PythonSystem::jointGap(int j, double t, std::span<const double> q) const {
  return at(kJointGaps, t, q)[j];
}

double PythonSystem::jointDirection(int j, double t, std::span<const double> q,
                                    std::span<double> w) const {
  return row(kJointDirections, j, 0, t, q, w);
}

double PythonSystem::potentialEnergy(double t, std::span<const double> q) const {
  return answers_[kPotentialEnergy].source == Answer::Source::none ? 0
                                                                   : at(kPotentialEnergy, t, q)[0];
}

}  // namespace stickslip::python
