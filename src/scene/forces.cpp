#include "scene/forces.hpp"

#include <fmt/format.h>

#include <algorithm>
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

namespace {

constexpr std::string_view kPointElements[] = {"rope", "spring", "one-way", "friction"};
constexpr std::string_view kOneWayDirections[] = {"apart", "together"};
// A rope may start as much too long as joints may start open.
constexpr double kMostStretch = 1e-3;

JointDrive readRope(FieldReader& fields, double start) {
  JointDrive drive;
  drive.upper = fields.numberOr("length", start, kPositive);
  if (start > *drive.upper * (1 + kMostStretch))
    fields.fail("length", fmt::format("{} is shorter than the distance at the start, {}",
                                      *drive.upper, start));
  drive.limit_restitution = fields.numberOr("restitution", 0, kZeroToOne);
  return drive;
}

JointDrive readPointSpring(FieldReader& fields, double start) {
  JointDrive drive;
  drive.prestress = fields.numberOr("prestress", 0, kNonNegative);
  drive.stiffness = fields.numberOr("stiffness", 0, kNonNegative);
  drive.damping = fields.numberOr("damping", 0, kNonNegative);
  drive.rest = fields.numberOr("rest_length", start, kPositive);
  if (drive.prestress == 0 && drive.stiffness == 0 && drive.damping == 0) {
    fields.refuseMisspelt();
    fields.failHere("has no effect; it needs \"prestress\", \"stiffness\" or \"damping\", > 0");
  }
  return drive;
}

JointDrive readElementDrive(FieldReader& fields, const std::string& type, double start) {
  if (type == "rope") return readRope(fields, start);
  if (!(start > 0)) fields.failHere("its two points coincide at the start: they make no line");
  if (type == "spring") return readPointSpring(fields, start);
  JointDrive drive;
  if (type == "friction")
    drive.friction = fields.number("force", kPositive);
  else
    drive.one_way = fields.choice("direction", kOneWayDirections) == "apart" ? 1 : -1;
  return drive;
}

Joint readElement(FieldReader& fields, const NameIndex& bodies, const BodySystemData& data) {
  Joint element;
  element.type = Joint::Type::distance;
  element.collide = true;
  const std::string type = fields.choice("type", kPointElements);
  std::tie(element.body_a, element.body_b) = readBodyPair(fields, bodies, data);
  Vec3& a = element.frame_a.position;
  Vec3& b = element.frame_b.position;
  a = readQuantityOrZero(fields, "point_a", Quantity::vector, data.dimension);
  b = readQuantityOrZero(fields, "point_b", Quantity::vector, data.dimension);
  const double start = norm(startPose(element.body_b, data).pointToWorld(b) -
                            startPose(element.body_a, data).pointToWorld(a));
  element.drives = {readElementDrive(fields, type, start)};
  fields.refuseUnknown();
  return element;
}

}  // namespace

void readElements(FieldReader& system, const NameIndex& bodies, BodySystemData& data) {
  std::size_t count = 0;
  for (FieldReader& fields : system.objects("elements")) {
    const std::string name =
        fields.has("name") ? fields.name("name") : fmt::format("element{}", count);
    ++count;
    // All of these name columns of results.
    const bool is_taken = bodies.contains(name) ||
                          std::any_of(data.joints.begin(), data.joints.end(),
                                      [&](const Joint& joint) { return joint.name == name; });
    if (is_taken)
      fields.fail("name", fmt::format("\"{}\" is used twice; bodies, joints and elements must have "
                                      "names of their own",
                                      name));
    data.joints.push_back(readElement(fields, bodies, data));
    data.joints.back().name = name;
  }
}

}  // namespace stickslip
