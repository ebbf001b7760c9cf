#include "io/material_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/frame_fields.hpp"
#include "io/friction_fields.hpp"

namespace stickslip {
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

Material readOne(const std::string& name, FieldReader& fields, int dimension) {
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
  const auto surface = [&](int i) { return data.materials[static_cast<std::size_t>(i)].surface; };
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
      data.materials.push_back(readOne(name, fields, data.dimension));
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
