#include "scene/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "scene/frames.hpp"
#include "scene/joints.hpp"

namespace stickslip {
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
