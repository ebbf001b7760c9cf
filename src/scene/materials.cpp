#include "scene/materials.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <set>

#include "scene/frames.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

constexpr std::array<std::string_view, 2> kTransitions{"smooth", "stribeck"};

FrictionCurve readTransition(FieldReader fields) {
  FrictionCurve curve;
  const bool is_stribeck = fields.choice("type", kTransitions) == "stribeck";
  curve.transition =
      is_stribeck ? FrictionCurve::Transition::stribeck : FrictionCurve::Transition::smooth;
  curve.speed = fields.number("speed", kPositive);
  if (is_stribeck)
    curve.exponent = fields.numberOr("exponent", 1, kPositive);
  else if (fields.has("exponent"))
    fields.fail("exponent", "only for the type \"stribeck\"");
  fields.refuseUnknown();
  return curve;
}

}  // namespace

FrictionCurve readFrictionCurve(FieldReader& fields, double friction, const char* friction_key,
                                const char* kinetic_key) {
  const bool has_kinetic = fields.has(kinetic_key), has_transition = fields.has("transition");
  if (!has_kinetic && !has_transition) return {};
  if (!has_transition)
    fields.failMissing("transition",
                       fmt::format("it says over which speeds friction goes from \"{}\" to \"{}\"",
                                   friction_key, kinetic_key));
  if (!has_kinetic)
    fields.failMissing(kinetic_key, "it is what friction tends to beyond the transition");
  const double kinetic = fields.number(kinetic_key, kNonNegative);
  FrictionCurve curve = readTransition(fields.object("transition"));
  if (!(friction > 0))
    fields.fail(kinetic_key,
                fmt::format("\"{}\" is 0 here, and kinetic friction is a multiple of it; give one "
                            "that is > 0",
                            friction_key));
  curve.kinetic_ratio = kinetic / friction;
  return curve;
}

int readDirectionCount(FieldReader& fields, int fallback) {
  const std::int64_t directions = fields.wholeNumberOr("directions", fallback, 0);
  if (fields.has("directions") && (directions < 3 || directions > FrictionDirections::kMostGiven))
    fields.fail("directions",
                fmt::format("{} is out of range; expected 3 to {} corners of a friction cone",
                            directions, FrictionDirections::kMostGiven));
  return static_cast<int>(directions);
}

FrictionDirections::Pointer readFrictionDirections(FieldReader& fields, bool moments) {
  constexpr const char* kKey = "friction_directions";
  const std::size_t width = fields.isListOfLists(kKey) ? fields.firstRowSize(kKey) : 2;
  if (width != 2 && !(moments && (width == 3 || width == 5)))
    fields.fail(kKey, fmt::format("the first direction has {} components; expected {}", width,
                                  moments ? "2 along the tangents, 3 with spin, or 5 with spin and "
                                            "rolling"
                                          : "2 along the tangents"));
  const std::vector<double> rows = fields.rows(kKey, width, 2);
  std::vector<FrictionDirections::Direction> directions(rows.size() / width);
  if (directions.size() > std::size_t{FrictionDirections::kMostGiven})
    fields.fail(kKey, fmt::format("there are {} directions; expected 2 to {}", directions.size(),
                                  FrictionDirections::kMostGiven));
  for (std::size_t k = 0; k < rows.size(); ++k) directions[k / width][k % width] = rows[k];
  try {
    return FrictionDirections::make(directions);
  } catch (const InputError& error) {
    fields.fail(kKey, error.what());
  }
}

namespace {

// Fields that are given replace what is there.
ContactProperties readSurface(FieldReader& fields, ContactProperties surface, int dimension) {
  surface.friction = fields.numberOr("friction", surface.friction, kNonNegative);
  if (fields.has("friction") || fields.has("kinetic_friction") || fields.has("transition"))
    surface.friction_curve =
        readFrictionCurve(fields, surface.friction, "friction", "kinetic_friction");
  surface.restitution = fields.numberOr("restitution", surface.restitution, kZeroToOne);
  surface.tangential_restitution =
      fields.numberOr("tangential_restitution", surface.tangential_restitution, kZeroToOne);
  surface.rolling_friction =
      fields.numberOr("rolling_friction", surface.rolling_friction, kNonNegative);
  surface.friction_force = fields.numberOr("friction_force", surface.friction_force, kNonNegative);
  if (dimension == 3)
    surface.directions = readDirectionCount(fields, surface.directions);
  else if (fields.has("directions"))
    fields.fail("directions",
                "only for spatial scenes; in the plane a friction cone has two edges");
  if (dimension == 3)
    surface.torsional_friction =
        fields.numberOr("torsional_friction", surface.torsional_friction, kNonNegative);
  else if (fields.has("torsional_friction"))
    fields.fail("torsional_friction",
                "only for spatial scenes; in the plane nothing spins about "
                "the normal of a contact");
  return surface;
}

// Moments are said once.
void checkMoments(const FieldReader& fields, const ContactProperties& surface,
                  const FrictionDirections& directions) {
  const auto refuse = [&](const char* other, const char* what) {
    fields.fail("friction_directions",
                fmt::format("they have components of {0}, beside which the material cannot have "
                            "\"{1}\"; leave out one of them",
                            what, other));
  };
  if (directions.spins() && surface.torsional_friction > 0) refuse("torsional_friction", "spin");
  if (directions.rolls() && surface.rolling_friction > 0) refuse("rolling_friction", "rolling");
  if (directions.rows() > 2 && surface.friction_force > 0) refuse("friction_force", "moments");
}

Anisotropy readAnisotropy(FieldReader& material, int dimension, const ContactProperties& surface) {
  if (dimension == 2)
    material.fail("anisotropy",
                  "only for spatial scenes; in the plane a contact slides along one "
                  "line");
  FieldReader fields = material.object("anisotropy");
  Anisotropy anisotropy{readDirection(fields, "direction", dimension), surface.friction, {}};
  if (!fields.has("friction_directions")) {
    anisotropy.friction_across = fields.number("friction_across", kNonNegative);
  } else {
    if (fields.has("friction_across"))
      fields.fail("friction_across",
                  "friction_directions say how much friction there is in each direction; leave out "
                  "one of the two");
    anisotropy.directions = readFrictionDirections(fields, true);
    checkMoments(fields, surface, *anisotropy.directions);
  }
  fields.refuseUnknown();
  return anisotropy;
}

Material readOneMaterial(const std::string& name, FieldReader& fields, int dimension) {
  Material material;
  material.name = name;
  material.surface = readSurface(fields, material.surface, dimension);
  material.density = fields.numberOr("density", material.density, kPositive);
  if (fields.has("anisotropy"))
    material.anisotropy = readAnisotropy(fields, dimension, material.surface);
  fields.refuseUnknown();
  return material;
}

MaterialPair readPair(FieldReader& fields, const NameIndex& names, const BodySystemData& data) {
  const std::vector<std::string> between = fields.twoNames("between", "materials");
  MaterialPair pair;
  pair.a = names.at(between[0], fields, "between");
  pair.b = names.at(between[1], fields, "between");
  const auto surface = [&](int i) { return data.materials[i].surface; };
  pair.surface = readSurface(fields, combine(surface(pair.a), surface(pair.b)), data.dimension);
  pair.keeps_grain = !fields.has("friction");
  if (!fields.has("friction") && !fields.has("kinetic_friction") &&
      !transitionsAgree(surface(pair.a).friction_curve, surface(pair.b).friction_curve))
    fields.failMissing("friction",
                       "the kinetic frictions of the two materials have different transitions, so "
                       "that they do not combine");
  fields.refuseUnknown();
  return pair;
}

}  // namespace

NameIndex readMaterials(FieldReader& system, BodySystemData& data) {
  NameIndex names("material");
  if (!system.has("materials")) {
    names.add(kDefaultMaterial, system);
    data.materials.push_back({.name = kDefaultMaterial, .surface = {}, .anisotropy = {}});
  } else {
    FieldReader list = system.object("materials");
    for (auto& [name, fields] : list.objectsByName()) {
      names.add(name, fields);
      data.materials.push_back(readOneMaterial(name, fields, data.dimension));
    }
  }
  std::set<std::pair<int, int>> seen;
  for (FieldReader& fields : system.objects("material_pairs")) {
    const MaterialPair pair = readPair(fields, names, data);
    if (!seen.insert(std::minmax(pair.a, pair.b)).second)
      fields.fail("between", fields.valueText("between") + " is given twice; keep one of them");
    data.material_pairs.push_back(pair);
  }
  return names;
}

int readMaterial(FieldReader& fields, const NameIndex& materials, int fallback) {
  if (fields.has("material")) return materials.at(fields.string("material"), fields, "material");
  if (fallback >= 0) return fallback;
  if (!materials.contains(kDefaultMaterial))
    fields.failMissing("material",
                       fmt::format("name a material, here or in the body, or define one with the "
                                   "name \"{}\"",
                                   kDefaultMaterial));
  return materials.at(kDefaultMaterial, fields, "material");
}

}  // namespace stickslip
