#include "scene/joints.hpp"

#include <fmt/format.h>
#include <cmath>
#include <tuple>

#include "scene/frames.hpp"
#include "stickslip/scene/scene.hpp"

namespace stickslip {
namespace {

constexpr std::string_view kAngleOnly[] = {"angle"};
constexpr std::string_view kDisplacement[] = {"displacement"};
constexpr std::string_view kDisplacementAndAngle[] = {"displacement", "angle"};
constexpr std::string_view kTwoAngles[] = {"angle_1", "angle_2"};
constexpr std::string_view kDistance[] = {"distance"};
constexpr std::string_view kWays[] = {"forward", "backward"};

JointDrive::Motor readMotor(FieldReader& fields) {
  JointDrive::Motor motor;
  if (fields.has("velocity") == fields.has("position")) {
    fields.refuseMisspelt();
    fields.failHere("a motor needs either \"velocity\" or \"position\", what it is to reach");
  }
  const bool position = fields.has("position");
  motor.target =
      position ? JointDrive::Motor::Target::position : JointDrive::Motor::Target::velocity;
  motor.value = readTable(fields, position ? "position" : "velocity", Quantity::scalar, 3);
  motor.max_force = fields.number("max_force", kNonNegative);
  if (position)
    motor.time_constant = fields.number("time_constant", kPositive);
  else if (fields.has("time_constant"))
    fields.fail("time_constant", "only for motors with a \"position\" to reach");
  fields.refuseUnknown();
  return motor;
}

}  // namespace

JointDrive readDrive(FieldReader& fields, double start) {
  JointDrive drive;
  if (fields.has("limits")) {
    const std::vector<std::optional<double>> limits = fields.bounds("limits");
    drive.lower = limits[0];
    drive.upper = limits[1];
  }
  drive.limit_restitution = fields.numberOr("limit_restitution", 0, kZeroToOne);
  if (drive.limit_restitution > 0 && !drive.lower && !drive.upper)
    fields.fail("limit_restitution", "given without \"limits\"");
  if (fields.has("motor")) {
    FieldReader motor = fields.object("motor");
    drive.motor = readMotor(motor);
  }
  if (fields.has("one_way")) drive.one_way = fields.choice("one_way", kWays) == "forward" ? 1 : -1;
  drive.friction = fields.numberOr("friction", 0, kNonNegative);
  if (fields.has("spring")) {
    FieldReader spring = fields.object("spring");
    drive.stiffness = spring.numberOr("stiffness", 0, kNonNegative);
    drive.damping = spring.numberOr("damping", 0, kNonNegative);
    drive.rest = spring.numberOr("rest", start);
    drive.prestress = spring.numberOr("prestress", 0, kNonNegative);
    spring.refuseUnknown();
    if (drive.stiffness == 0 && drive.damping == 0 && drive.prestress == 0)
      fields.fail("spring",
                  "has no effect; it needs \"stiffness\", \"damping\" or \"prestress\", > 0");
  }
  return drive;
}

std::span<const std::string_view> coordinateNames(Joint::Type type) {
  switch (type) {
    case Joint::Type::revolute:
      return kAngleOnly;
    case Joint::Type::prismatic:
      return kDisplacement;
    case Joint::Type::cylindrical:
      return kDisplacementAndAngle;
    case Joint::Type::universal:
      return kTwoAngles;
    case Joint::Type::distance:
      return kDistance;
    default:
      return {};
  }
}

namespace {

constexpr std::string_view kSpatialJoints[] = {"revolute",  "prismatic", "cylindrical",
                                               "spherical", "universal", "planar",
                                               "fixed",     "distance",  "gear"};
constexpr std::string_view kPlanarJoints[] = {"revolute", "prismatic", "fixed", "distance", "gear"};
constexpr Joint::Type kJointTypes[] = {
    Joint::Type::revolute,  Joint::Type::prismatic, Joint::Type::cylindrical,
    Joint::Type::spherical, Joint::Type::universal, Joint::Type::planar,
    Joint::Type::fixed,     Joint::Type::distance,  Joint::Type::gear};

// Axes and lengths that a person has written are good to about this much.
constexpr double kWrittenDigits = 1e-6;

Joint::Type readJointType(FieldReader& fields, int dimension) {
  const std::string name = dimension == 2
                               ? fields.choice("type", kPlanarJoints, kSpatialJoints, "spatial")
                               : fields.choice("type", kSpatialJoints);
  std::size_t i = 0;
  while (kSpatialJoints[i] != name) ++i;
  return kJointTypes[i];
}

bool hasAxis(Joint::Type type, int dimension) {
  switch (type) {
    case Joint::Type::prismatic:
      return true;
    case Joint::Type::revolute:
    case Joint::Type::cylindrical:
    case Joint::Type::universal:
    case Joint::Type::planar:
      return dimension == 3;
    default:
      return false;
  }
}

// In the world; z along the axis, in the plane x along it. The second axis of a universal joint is
// y.
Mat3 readAxes(FieldReader& fields, Joint::Type type, int dimension) {
  if (!hasAxis(type, dimension)) {
    if (fields.has("axis"))
      fields.fail("axis", fmt::format("a {} joint {} has no axis to choose", jointTypeName(type),
                                      dimension == 2 ? "in the plane" : "in space"));
    return {};
  }
  const Vec3 axis = readDirection(fields, "axis", dimension);
  if (dimension == 2) return {axis, {-axis.y, axis.x, 0}, {0, 0, 1}};
  if (type != Joint::Type::universal) {
    const Vec3 x = someTangent(axis);
    return {x, cross(axis, x), axis};
  }
  const Vec3 second = readDirection(fields, "axis_2", dimension);
  if (!(std::abs(dot(axis, second)) <= kWrittenDigits))
    fields.fail("axis_2", fmt::format("{} is not at right angles to axis = {}",
                                      fields.valueText("axis_2"), fields.valueText("axis")));
  const Vec3 x = normalized(cross(second, axis));
  return {x, cross(axis, x), axis};
}

Pose inFrameOf(const Pose& body, const Pose& world) {
  return {body.pointToLocal(world.position), transposed(body.rotation) * world.rotation};
}

void readFrames(FieldReader& fields, const BodySystemData& data, Joint& joint) {
  const Pose a = startPose(joint.body_a, data), b = startPose(joint.body_b, data);
  if (fields.has("frame_a") || fields.has("frame_b")) {
    FieldReader frame_a = fields.object("frame_a"), frame_b = fields.object("frame_b");
    joint.frame_a = readPose(frame_a, data.dimension);
    joint.frame_b = readPose(frame_b, data.dimension);
    frame_a.refuseUnknown();
    frame_b.refuseUnknown();
    for (const char* key : {"position", "axis", "axis_2"})
      if (fields.has(key)) fields.fail(key, "given beside \"frame_a\"; keep one of them");
    return;
  }
  Pose world;
  // What a fixed joint holds does not depend on where it sits.
  const bool anywhere = joint.type == Joint::Type::fixed && !fields.has("position");
  const int reference = joint.body_b == Joint::kWorld ? joint.body_a : joint.body_b;
  world.position = anywhere ? startPose(reference, data).position
                            : readQuantity(fields, "position", Quantity::vector, data.dimension);
  world.rotation = readAxes(fields, joint.type, data.dimension);
  joint.frame_a = inFrameOf(a, world);
  joint.frame_b = inFrameOf(b, world);
}

// Returns the distance at the start.
double readDistance(FieldReader& fields, const BodySystemData& data, Joint& joint) {
  joint.frame_a.position = readQuantityOrZero(fields, "point_a", Quantity::vector, data.dimension);
  joint.frame_b.position = readQuantityOrZero(fields, "point_b", Quantity::vector, data.dimension);
  const double start = norm(startPose(joint.body_b, data).pointToWorld(joint.frame_b.position) -
                            startPose(joint.body_a, data).pointToWorld(joint.frame_a.position));
  if (!(start > 0)) fields.failHere("the two points of a distance joint coincide at the start");
  if (fields.holds("length", FieldReader::Kind::null)) return start;
  joint.length = fields.numberOr("length", start, kPositive);
  if (!(std::abs(*joint.length - start) <= kWrittenDigits * start))
    fields.fail("length", fmt::format("{} does not fit the start, where the distance is {}",
                                      *joint.length, start));
  return start;
}

bool acts(const JointDrive& drive) {
  return drive.lower || drive.upper || drive.motor || drive.friction > 0 || drive.stiffness > 0 ||
         drive.damping > 0 || drive.prestress > 0 || drive.one_way != 0;
}

void readDrives(FieldReader& fields, double start, int dimension, Joint& joint) {
  const int count = coordinateCount(joint.type, dimension);
  if (joint.type == Joint::Type::distance && joint.length) return;
  if (count == 1) joint.drives = {readDrive(fields, start)};
  if (joint.type == Joint::Type::distance && !acts(joint.drives[0]))
    fields.failHere(
        "has no effect; a distance without length needs limits, a motor, friction, a spring or "
        "one_way");
  if (count < 2 || !fields.has("drives")) return;
  FieldReader drives = fields.object("drives");
  for (const std::string_view coordinate : coordinateNames(joint.type)) {
    const std::string key(coordinate);
    joint.drives.emplace_back();
    if (!drives.has(key.c_str())) continue;
    FieldReader drive = drives.object(key.c_str());
    joint.drives.back() = readDrive(drive, 0);
    drive.refuseUnknown();
  }
  drives.refuseUnknown();
}

void readGear(FieldReader& fields, const NameIndex& names, const BodySystemData& data,
              Joint& joint) {
  const std::vector<std::string> pair = fields.twoNames("joints", "joints");
  joint.joint_a = names.at(pair[0], fields, "joints");
  joint.joint_b = names.at(pair[1], fields, "joints");
  if (joint.joint_a == joint.joint_b)
    fields.fail("joints", fmt::format("\"{}\" cannot be geared to itself", pair[0]));
  for (std::size_t i = 0; i < 2; ++i) {
    const Joint::Type type = data.joints[i == 0 ? joint.joint_a : joint.joint_b].type;
    if (type != Joint::Type::revolute && type != Joint::Type::prismatic &&
        type != Joint::Type::cylindrical)
      fields.failAt("joints", i,
                    fmt::format("\"{}\" is {}; a gear connects revolute, prismatic "
                                "and cylindrical joints",
                                pair[i], jointTypeName(type)));
  }
  joint.ratio = fields.number("ratio");
  if (joint.ratio == 0) fields.fail("ratio", "0 would hold one joint and leave the other free");
}

Joint readOneJoint(FieldReader& fields, const NameIndex& bodies, const BodySystemData& data) {
  Joint joint;
  joint.type = readJointType(fields, data.dimension);
  if (joint.type == Joint::Type::gear) return joint;
  std::tie(joint.body_a, joint.body_b) = readBodyPair(fields, bodies, data);
  double start = 0;
  if (joint.type == Joint::Type::distance)
    start = readDistance(fields, data, joint);
  else
    readFrames(fields, data, joint);
  readDrives(fields, start, data.dimension, joint);
  joint.collide = fields.flagOr("collide", false);
  return joint;
}

}  // namespace

Pose startPose(int body, const BodySystemData& data) {
  if (body == Joint::kWorld) return {};
  const Body& b = data.bodies[body];
  const Pose given{b.position, matrixOf(b.orientation)};
  return b.type == Body::Type::kinematic ? evaluate(b.motion, given, 0).pose : given;
}

std::pair<int, int> readBodyPair(FieldReader& fields, const NameIndex& bodies,
                                 const BodySystemData& data) {
  const std::vector<std::string> names = fields.twoNames("bodies", "bodies");
  int index[2];
  bool moves = false;
  for (std::size_t i = 0; i < 2; ++i) {
    index[i] = names[i] == kWorldName ? Joint::kWorld : bodies.at(names[i], fields, "bodies");
    moves =
        moves || (index[i] != Joint::kWorld && data.bodies[index[i]].type == Body::Type::dynamic);
  }
  if (index[0] == index[1])
    fields.fail("bodies", fmt::format("\"{}\" cannot be connected with itself", names[0]));
  if (!moves)
    fields.fail("bodies", fmt::format("neither \"{}\" nor \"{}\" is dynamic; there is nothing to "
                                      "act on",
                                      names[0], names[1]));
  return {index[0], index[1]};
}

void readJoints(FieldReader& system, const NameIndex& bodies, BodySystemData& data) {
  NameIndex names("joint");
  std::vector<FieldReader> items = system.objects("joints");
  for (FieldReader& fields : items) {
    const std::string name =
        fields.has("name") ? fields.name("name") : fmt::format("joint{}", names.size());
    // Both name columns of results, as in "arm.angle".
    if (bodies.contains(name))
      fields.fail("name", fmt::format("\"{}\" is used twice, for a body too; the name of a joint "
                                      "must be its own",
                                      name));
    names.add(name, fields);
    data.joints.push_back(readOneJoint(fields, bodies, data));
    data.joints.back().name = name;
  }
  // Gears last, as they may refer to joints that come after them.
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (data.joints[i].type == Joint::Type::gear) readGear(items[i], names, data, data.joints[i]);
    items[i].refuseUnknown();
  }
}

}  // namespace stickslip
