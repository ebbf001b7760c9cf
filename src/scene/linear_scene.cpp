#include "scene/linear_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "math/dense/cholesky.hpp"
#include "math/dense/semidefinite_rows.hpp"
#include "scene/frames.hpp"
#include "scene/materials.hpp"

namespace stickslip {
namespace {

// Set-valued force elements: the list "elements".
//
// Each acts along one row, on the elongation x = g0 + w.q + drive t. A rope becomes a contact, the
// others become elements of one row (ContactLaw::kind) and, as far as they are linear, springs.

constexpr std::string_view kElementTypes[] = {"rope", "spring", "one-way", "friction"};

// g0 + w.q + drive t
struct ElementRow {
  double g0 = 0;
  std::vector<double> w;
  double drive = 0;
};

ElementRow readElementRow(FieldReader& fields, std::size_t n) {
  ElementRow row{fields.numberOr("g0", 0.0), fields.vector("w", n), fields.numberOr("drive", 0.0)};
  if (std::all_of(row.w.begin(), row.w.end(), [](double x) { return x == 0; }))
    fields.fail("w", "all zero; an element must act on some coordinate");
  return row;
}

LinearContact elementAlong(const ElementRow& row, const ContactLaw& law) {
  return {.name = {}, .g0 = row.g0, .w_N = row.w, .w_T = {}, .drive_n = row.drive, .law = law};
}

// What is left of its length is its gap.
LinearContact readLinearRope(FieldReader& fields, ElementRow row) {
  row.g0 = fields.number("length") - row.g0;
  for (double& x : row.w) x = -x;
  row.drive = -row.drive;
  ContactLaw law;
  law.e_n = fields.numberOr("restitution", 0.0, kZeroToOne);
  return elementAlong(row, law);
}

void readLinearSpring(FieldReader& fields, ElementRow row, const std::string& name,
                      LinearSystemData& data) {
  const double prestress = fields.numberOr("prestress", 0.0, kNonNegative);
  const double stiffness = fields.numberOr("stiffness", 0.0, kNonNegative);
  const double damping = fields.numberOr("damping", 0.0, kNonNegative);
  row.g0 -= fields.numberOr("rest", 0.0);
  if (prestress == 0 && stiffness == 0 && damping == 0) {
    fields.refuseMisspelt();
    fields.failHere("has no effect; it needs \"prestress\", \"stiffness\" or \"damping\", > 0");
  }
  if (prestress > 0) {
    data.contacts.push_back(elementAlong(row, ContactLaw::prestress(prestress)));
    data.contacts.back().name = name;
  }
  if (stiffness > 0 || damping > 0)
    data.springs.push_back({name, row.g0, row.w, row.drive, stiffness, damping});
}

void readLinearElement(FieldReader& fields, const std::string& name, LinearSystemData& data) {
  const std::string type = fields.choice("type", kElementTypes);
  const ElementRow row = readElementRow(fields, data.coordinates.size());
  if (type == "spring") {
    readLinearSpring(fields, row, name, data);
  } else {
    data.contacts.push_back(
        type == "rope" ? readLinearRope(fields, row)
        : type == "one-way"
            ? elementAlong(row, ContactLaw::oneWay())
            : elementAlong(row, ContactLaw::dryFriction(fields.number("force", kPositive))));
    data.contacts.back().name = name;
  }
  fields.refuseUnknown();
}

// Appends to `data`; `names` holds those that are taken.
void readLinearElements(FieldReader& system, std::set<std::string>& names, LinearSystemData& data) {
  std::size_t count = 0;
  for (FieldReader& fields : system.objects("elements")) {
    const std::string name = fields.stringOr("name", fmt::format("element{}", count++));
    if (!names.insert(name).second)
      fields.fail("name", fmt::format("\"{}\" is used twice; names must differ", name));
    readLinearElement(fields, name, data);
  }
}

// Loads over time on the coordinates: the list "loads".

constexpr std::string_view kLoadTypes[] = {"sinusoid", "table"};

VectorTable readLoadTable(FieldReader& fields) {
  VectorTable table{readTimes(fields, 1), readQuantities(fields, "values", Quantity::scalar, 3, 1)};
  if (table.values.size() != table.times.size())
    fields.fail("values", fmt::format("{} values for {} times; expected one each",
                                      table.values.size(), table.times.size()));
  return table;
}

LinearLoad readLinearLoad(FieldReader& fields, const std::vector<std::string>& coordinates) {
  const std::vector<std::string_view> names(coordinates.begin(), coordinates.end());
  const std::string coordinate = fields.choice("coordinate", names);
  LinearLoad load;
  load.coordinate =
      static_cast<int>(std::find(names.begin(), names.end(), coordinate) - names.begin());
  if (fields.choice("type", kLoadTypes) == "table")
    load.course = readLoadTable(fields);
  else
    load.course = SinusoidalLoad{fields.number("amplitude"), fields.number("frequency", kPositive),
                                 fields.numberOr("phase", 0)};
  fields.refuseUnknown();
  return load;
}

std::vector<LinearLoad> readLinearLoads(FieldReader& system,
                                        const std::vector<std::string>& coordinates) {
  std::vector<LinearLoad> loads;
  for (FieldReader& fields : system.objects("loads"))
    loads.push_back(readLinearLoad(fields, coordinates));
  return loads;
}

// Both on the matrix scaled to a unit diagonal, so that the units of the coordinates do not matter.
constexpr double kAsymmetry = 1e-10;
constexpr double kSmallestPivot = 1e-7;  // square root of the smallest eigenvalue ratio kept
// A joint that is open by more than this part of the terms in it was not closed on purpose.
constexpr double kOpenJoint = 1e-9;
// Two tangents whose angle has a smaller squared sine are one.
constexpr double kParallel = 1e-12;

void checkMassMatrix(const FieldReader& system, const std::vector<double>& M,
                     const std::vector<std::string>& names) {
  const std::size_t n = names.size();
  const auto at = [&](std::size_t i, std::size_t j) { return M[i * n + j]; };
  for (std::size_t i = 0; i < n; ++i)
    if (!(at(i, i) > 0))
      system.fail("M", fmt::format("not positive definite: the diagonal entry of \"{}\" is {}",
                                   names[i], at(i, i)));
  BlockDiagonal scaled;
  const int size[] = {static_cast<int>(n)};
  scaled.resize(size);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double unit = std::sqrt(at(i, i)) * std::sqrt(at(j, j));
      if (std::abs(at(i, j) - at(j, i)) > kAsymmetry * unit)
        system.fail("M", fmt::format("not symmetric: entry ({0}, {1}) is {2}, entry ({1}, {0}) "
                                     "is {3}; they must be equal",
                                     i, j, at(i, j), at(j, i)));
      scaled.block(0)(static_cast<int>(i), static_cast<int>(j)) = at(i, j) / unit;
    }
  factorizeCholesky(scaled);
  for (std::size_t i = 0; i < n; ++i)
    if (!(scaled.block(0)(static_cast<int>(i), static_cast<int>(i)) > kSmallestPivot))
      system.fail("M", fmt::format("not positive definite: some motion that involves \"{}\" has "
                                   "no inertia",
                                   names[i]));
}

// Takes away the rounding that checkMassMatrix lets pass.
void symmetrize(std::vector<double>& M, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      M[i * n + j] = M[j * n + i] = (M[i * n + j] + M[j * n + i]) / 2;
}

// What is taken implicitly is made of springs and dampers.
void checkSemidefinite(const FieldReader& system, const char* key, const std::vector<double>& A,
                       std::size_t n) {
  if (!semidefiniteRows(A, n))
    system.fail(key, "with \"implicit\" it must be symmetric and without negative eigenvalues");
}

bool isZero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return x == 0; });
}

std::string uniqueName(FieldReader& item, const std::string& fallback,
                       std::set<std::string>& taken) {
  const std::string name = item.stringOr("name", fallback);
  if (!taken.insert(name).second)
    item.fail("name", fmt::format("\"{}\" is used twice; names must differ", name));
  return name;
}

// What a contact has that can slide in two directions.
void readSecondTangent(FieldReader& item, std::size_t n, LinearContact& contact) {
  ContactLaw& law = contact.law;
  if (!item.has("w_T2")) {
    for (const char* key : {"mu_2", "drive_t2", "directions", "friction_directions"})
      if (item.has(key))
        item.fail(key, "only for a contact with two tangents; give the second one, \"w_T2\"");
    return;
  }
  contact.w_T2 = item.vector("w_T2", n);
  contact.drive_t2 = item.numberOr("drive_t2", 0.0);
  law.tangents = 2;
  law.mu_2 = item.numberOr("mu_2", law.mu, kNonNegative);
  law.directions = readDirectionCount(item, 0);
  if (item.has("friction_directions")) {
    if (item.has("mu_2") || item.has("directions"))
      item.fail("friction_directions",
                "they say how much friction there is in each direction; leave out \"mu_2\" and "
                "\"directions\"");
    law.given = readFrictionDirections(item, false);
  }
}

bool isParallel(const std::vector<double>& a, const std::vector<double>& b) {
  double aa = 0, ab = 0, bb = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    aa += a[k] * a[k];
    ab += a[k] * b[k];
    bb += b[k] * b[k];
  }
  return ab * ab >= (1 - kParallel) * aa * bb;
}

LinearContact readContact(FieldReader& item, std::size_t n) {
  LinearContact contact;
  contact.g0 = item.number("g0");
  contact.w_N = item.vector("w_N", n);
  if (isZero(contact.w_N)) item.fail("w_N", "all zero; a gap must depend on some coordinate");
  contact.law.mu = item.number("mu", kNonNegative);
  contact.law.curve = readFrictionCurve(item, contact.law.mu, "mu", "mu_kinetic");
  contact.law.e_n = item.number("e_n", kZeroToOne);
  contact.law.e_t = item.numberOr("e_t", 0.0, kZeroToOne);
  contact.law.friction_force = item.numberOr("friction_force", 0.0, kNonNegative);
  contact.drive_n = item.numberOr("drive_n", 0.0);
  contact.drive_t = item.numberOr("drive_t", 0.0);
  readSecondTangent(item, n, contact);
  if (contact.law.hasFriction() || item.has("w_T")) contact.w_T = item.vector("w_T", n);
  if (contact.law.hasFriction() && isZero(contact.w_T))
    item.fail("w_T", "all zero; a contact with friction needs a direction to slide in");
  if (contact.law.hasFriction() && contact.law.tangents == 2 &&
      isParallel(contact.w_T, contact.w_T2))
    item.fail("w_T2", "zero, or parallel to w_T; a second tangent is another direction");
  item.refuseUnknown();
  return contact;
}

LinearJoint readJoint(FieldReader& item, std::size_t n) {
  LinearJoint joint;
  joint.g0 = item.number("g0");
  joint.w = item.vector("w", n);
  if (isZero(joint.w)) item.fail("w", "all zero; a joint must hold some coordinate");
  joint.drive = item.numberOr("drive", 0.0);
  item.refuseUnknown();
  return joint;
}

// Positions must fit the joints; velocities too, unless an impact at the start makes them fit.
void checkJointsHold(const FieldReader& root, const LinearSystem& system, const State& state,
                     bool impact) {
  for (const LinearJoint& joint : system.data().joints) {
    const auto holds = [&](double constant, const std::vector<double>& x, double& sum) {
      sum = constant;
      double size = std::abs(constant);
      for (std::size_t k = 0; k < x.size(); ++k) {
        sum += joint.w[k] * x[k];
        size += std::abs(joint.w[k] * x[k]);
      }
      return std::abs(sum) <= kOpenJoint * size;
    };
    double sum = 0;
    if (!holds(joint.g0, state.q, sum))
      root.fail("initial", fmt::format("joint \"{}\" does not hold at the start: g0 + w.q = {}, "
                                       "which must be 0",
                                       joint.name, sum));
    if (!impact && !holds(joint.drive, state.u, sum))
      root.fail("initial", fmt::format("joint \"{}\" does not hold at the start: drive + w.u = {}, "
                                       "which must be 0; or set initial.impact to true",
                                       joint.name, sum));
  }
}

}  // namespace

LinearSystemData readLinearSystem(FieldReader& system) {
  LinearSystemData data;
  data.coordinates = system.names("coordinates");
  const std::size_t n = data.coordinates.size();
  data.M = system.squareMatrix("M", n);
  checkMassMatrix(system, data.M, data.coordinates);
  symmetrize(data.M, n);
  if (system.has("K")) data.K = system.squareMatrix("K", n);
  if (system.has("C")) data.C = system.squareMatrix("C", n);
  if (system.has("f")) data.f = system.vector("f", n);
  data.implicit = system.flagOr("implicit", false);
  if (data.implicit) {
    checkSemidefinite(system, "K", data.K, n);
    checkSemidefinite(system, "C", data.C, n);
  }
  data.loads = readLinearLoads(system, data.coordinates);
  std::set<std::string> names;
  for (FieldReader& item : system.objects("contacts")) {
    const std::string name =
        uniqueName(item, fmt::format("contact{}", data.contacts.size()), names);
    data.contacts.push_back(readContact(item, n));
    data.contacts.back().name = name;
  }
  for (FieldReader& item : system.objects("joints")) {
    const std::string name = uniqueName(item, fmt::format("joint{}", data.joints.size()), names);
    data.joints.push_back(readJoint(item, n));
    data.joints.back().name = name;
  }
  readLinearElements(system, names, data);
  system.refuseUnknown();
  return data;
}

State readLinearStart(FieldReader& root, const LinearSystem& system, bool& impact) {
  const std::vector<std::string>& names = system.data().coordinates;
  State state;
  state.q.assign(names.size(), 0.0);
  state.u.assign(names.size(), 0.0);
  if (root.has("initial")) {
    FieldReader fields = root.object("initial");
    if (fields.has("q")) state.q = fields.object("q").numbersByName(names);
    if (fields.has("u")) state.u = fields.object("u").numbersByName(names);
    impact = fields.flagOr("impact", false);
    fields.refuseUnknown();
  }
  checkJointsHold(root, system, state, impact);
  return state;
}

}  // namespace stickslip
