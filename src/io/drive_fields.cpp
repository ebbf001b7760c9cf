#include "io/drive_fields.hpp"

#include "io/frame_fields.hpp"
#include "stickslip/io/scene.hpp"

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

}  // namespace stickslip
