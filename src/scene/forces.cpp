#include "scene/forces.hpp"

#include <fmt/format.h>

#include <tuple>

#include "scene/frames.hpp"
#include "scene/joints.hpp"

namespace stickslip {
namespace {

constexpr std::string_view kFrames[] = {"world", "body"};

// The dynamic bodies that field "body" names: one, or all of an "instances" element.
std::pair<int, int> readTargets(FieldReader& fields, const NameIndex& bodies,
                                const BodySystemData& data) {
  const std::pair<int, int> range = bodies.rangeOf(fields.string("body"), fields, "body");
  if (data.bodies[range.first].type != Body::Type::dynamic)
    fields.fail("body", fields.valueText("body") + " is not dynamic; forces do not move it");
  return range;
}

BodyLoad readLoad(FieldReader& fields, int dimension) {
  BodyLoad load;
  if (!fields.has("force") && !fields.has("torque")) {
    fields.refuseMisspelt();
    fields.failHere("a load needs \"force\", \"torque\" or both");
  }
  if (fields.has("force")) load.force = readTable(fields, "force", Quantity::vector, dimension);
  if (fields.has("torque")) load.torque = readTable(fields, "torque", Quantity::turn, dimension);
  load.point = readQuantityOrZero(fields, "point", Quantity::vector, dimension);
  load.in_body_frame = fields.choiceOr("frame", "world", kFrames) == "body";
  return load;
}

PointSpring readSpring(FieldReader& fields, const NameIndex& bodies, const BodySystemData& data) {
  PointSpring spring;
  std::tie(spring.body_a, spring.body_b) = readBodyPair(fields, bodies, data);
  spring.point_a = readQuantityOrZero(fields, "point_a", Quantity::vector, data.dimension);
  spring.point_b = readQuantityOrZero(fields, "point_b", Quantity::vector, data.dimension);
  const double start = norm(startPose(spring.body_b, data).pointToWorld(spring.point_b) -
                            startPose(spring.body_a, data).pointToWorld(spring.point_a));
  spring.rest_length = fields.numberOr("rest_length", start, kNonNegative);
  spring.stiffness = fields.numberOr("stiffness", 0, kNonNegative);
  spring.damping = fields.numberOr("damping", 0, kNonNegative);
  spring.implicit = fields.flagOr("implicit", true);
  fields.refuseUnknown();
  if (spring.stiffness == 0 && spring.damping == 0)
    fields.failHere("a spring needs \"stiffness\", \"damping\" or both, > 0");
  return spring;
}

}  // namespace

void readSprings(FieldReader& system, const NameIndex& bodies, BodySystemData& data) {
  NameIndex names("spring");
  for (FieldReader& fields : system.objects("springs")) {
    const std::string name =
        fields.has("name") ? fields.name("name") : fmt::format("spring{}", names.size());
    names.add(name, fields);
    data.springs.push_back(readSpring(fields, bodies, data));
    data.springs.back().name = name;
  }
}

void readLoads(FieldReader& system, const NameIndex& bodies, BodySystemData& data) {
  for (FieldReader& fields : system.objects("loads")) {
    const auto [first, count] = readTargets(fields, bodies, data);
    BodyLoad load = readLoad(fields, data.dimension);
    fields.refuseUnknown();
    for (load.body = first; load.body < first + count; ++load.body) data.loads.push_back(load);
  }
}

void readDrags(FieldReader& system, const NameIndex& bodies, BodySystemData& data) {
  for (FieldReader& fields : system.objects("drag")) {
    const auto [first, count] = readTargets(fields, bodies, data);
    Drag drag;
    drag.linear = fields.numberOr("linear", 0, kNonNegative);
    drag.quadratic = fields.numberOr("quadratic", 0, kNonNegative);
    drag.angular = fields.numberOr("angular", 0, kNonNegative);
    drag.angular_quadratic = fields.numberOr("angular_quadratic", 0, kNonNegative);
    fields.refuseUnknown();
    if (drag.linear == 0 && drag.quadratic == 0 && drag.angular == 0 && drag.angular_quadratic == 0)
      fields.failHere(
          "has no effect; a drag needs \"linear\", \"quadratic\", \"angular\" or "
          "\"angular_quadratic\", > 0");
    for (drag.body = first; drag.body < first + count; ++drag.body) data.drags.push_back(drag);
  }
}

}  // namespace stickslip
