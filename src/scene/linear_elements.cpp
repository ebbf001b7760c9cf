#include "scene/linear_elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace stickslip {
namespace {

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

}  // namespace

void readLinearElements(FieldReader& system, std::set<std::string>& names, LinearSystemData& data) {
  std::size_t count = 0;
  for (FieldReader& fields : system.objects("elements")) {
    const std::string name = fields.stringOr("name", fmt::format("element{}", count++));
    if (!names.insert(name).second)
      fields.fail("name", fmt::format("\"{}\" is used twice; names must differ", name));
    readLinearElement(fields, name, data);
  }
}

}  // namespace stickslip
