#include "scene/body_scene.hpp"

#include <fmt/format.h>

#include "scene/bodies.hpp"
#include "scene/forces.hpp"
#include "scene/frames.hpp"
#include "scene/instances.hpp"
#include "scene/joints.hpp"
#include "scene/materials.hpp"

namespace stickslip {
namespace {

constexpr double kStandardGravity = 9.81;

Vec3 readGravity(FieldReader& system, int dimension) {
  if (system.has("gravity")) return readQuantity(system, "gravity", Quantity::vector, dimension);
  return dimension == 2 ? Vec3{0, -kStandardGravity, 0} : Vec3{0, 0, -kStandardGravity};
}

NameIndex readBodyList(FieldReader& system, const BodyContext& context, BodySystemData& data) {
  NameIndex names("body");
  for (FieldReader& fields : system.objects("bodies")) {
    const std::string name =
        fields.has("name") ? fields.name("name") : fmt::format("body{}", names.size());
    if (name == kWorldName)
      fields.fail("name", fmt::format("\"{}\" is the name of the world itself", kWorldName));
    if (name.find(kInstanceNumber) != std::string::npos)
      fields.fail("name", fmt::format("\"{}\": {} is only for the names of \"instances\"", name,
                                      kInstanceNumber));
    names.add(name, fields);
    data.bodies.push_back(readBody(fields, context));
    data.bodies.back().name = name;
  }
  readInstances(system, context, data.bodies, names);
  if (data.bodies.empty()) system.failMissing("bodies", "a scene needs a body that moves");
  return names;
}

void checkThatSomethingMoves(const FieldReader& system, const BodySystemData& data) {
  for (const Body& body : data.bodies)
    if (body.type == Body::Type::dynamic) return;
  system.fail("bodies", "none of them is dynamic; a scene needs a body that moves freely");
}

void readExceptions(FieldReader& system, const NameIndex& bodies, BodySystemData& data) {
  std::size_t i = 0;
  for (const std::vector<std::string>& pair : system.pairsOfNames("no_collision")) {
    const int a = bodies.at(pair[0], system, "no_collision");
    const int b = bodies.at(pair[1], system, "no_collision");
    if (a == b)
      system.failAt("no_collision", i, fmt::format("\"{}\" never collides with itself", pair[0]));
    data.no_collision.emplace_back(a, b);
    ++i;
  }
}

}  // namespace

BodySystemData readBodySystem(FieldReader& system, int dimension, SceneFiles& files) {
  BodySystemData data;
  data.dimension = dimension;
  data.gravity = readGravity(system, dimension);
  const NameIndex materials = readMaterials(system, data);
  const BodyContext context{dimension, data.materials, materials, files};
  const NameIndex bodies = readBodyList(system, context, data);
  checkThatSomethingMoves(system, data);
  readJoints(system, bodies, data);
  readElements(system, bodies, data);
  readSprings(system, bodies, data);
  readLoads(system, bodies, data);
  readDrags(system, bodies, data);
  readExceptions(system, bodies, data);
  system.refuseUnknown();
  return data;
}

}  // namespace stickslip
