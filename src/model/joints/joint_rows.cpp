#include "model/joints/joint_rows.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace stickslip {
namespace {

// Ids of rows that belong to joints: the highest bit, the joint, its coordinate, the row.
constexpr std::uint64_t kJointBit = std::uint64_t{1} << 63;
constexpr std::uint64_t kRowBits = 15;
constexpr std::array<const char*, 6> kRowNames{"lower limit", "upper limit", "motor",
                                               "friction",    "one-way",     "prestress"};
enum RowKind : std::uint64_t { kLower, kUpper, kMotor, kFriction, kOneWay, kPrestress };

std::uint64_t driveId(std::size_t joint, int coordinate) {
  return kJointBit | (std::uint64_t{joint} << 8) | (static_cast<std::uint64_t>(coordinate) << 4);
}

bool hasSpring(const JointDrive& drive) {
  return drive.stiffness > 0 || drive.damping > 0;
}

int rowsOf(const JointDrive& drive) {
  return int(drive.lower.has_value()) + int(drive.upper.has_value()) +
         int(drive.motor.has_value()) + int(drive.friction > 0) + int(drive.one_way != 0) +
         int(drive.prestress > 0);
}

bool isForPosition(const JointDrive::Motor& motor) {
  return motor.target == JointDrive::Motor::Target::position;
}

void boundForce(double most, ContactParameters& row) {
  row.max_force = most;
  row.min_force = -most;
}

}  // namespace

JointRows::JointRows(std::vector<Joint> joints, int dimension, int first_angle,
                     const std::shared_ptr<BodyInputs>& inputs)
    : joints_(std::move(joints)),
      dimension_(dimension),
      first_angle_(first_angle),
      inputs_(inputs) {
  gear_offset_.assign(joints_.size(), 0.0);
  turns_at_start_.assign(joints_.size(), 0.0);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& joint = joints_[j];
    equations_ += heldCount(joint, dimension);
    for (int k = 0; k < coordinateCount(joint.type, dimension); ++k)
      if (needsTurns(joint, k, dimension)) angles_.push_back({static_cast<int>(j), k});
    for (const JointDrive& drive : joint.drives) {
      equations_ += hasSpring(drive) ? 1 : 0;
      drives_ += rowsOf(drive);
    }
  }
}

double JointRows::angleWithoutTurns(int k, const Kinematics& frames) const {
  const CountedAngle& angle = angles_[k];
  return coordinateOf(joints_[angle.joint], angle.coordinate, frames, dimension_).value;
}

double JointRows::angleRate(int k, const Kinematics& frames) const {
  const CountedAngle& angle = angles_[k];
  return coordinateOf(joints_[angle.joint], angle.coordinate, frames, dimension_).rate.at(frames);
}

int JointRows::placeOfAngle(int joint, int k) const {
  const auto found =
      std::lower_bound(angles_.begin(), angles_.end(), std::pair(joint, k),
                       [](const CountedAngle& angle, const std::pair<int, int>& wanted) {
                         return std::pair(angle.joint, angle.coordinate) < wanted;
                       });
  assert(found != angles_.end() && found->joint == joint && found->coordinate == k);
  return first_angle_ + static_cast<int>(found - angles_.begin());
}

BodyFunction JointRows::coordinate(int joint, int k, const Kinematics& frames,
                                   std::span<const double> q) const {
  const Joint& description = joints_[joint];
  BodyFunction x = coordinateOf(description, k, frames, dimension_);
  if (needsTurns(description, k, dimension_))
    x.value = nearestTurn(x.value, q[placeOfAngle(joint, k)]);
  if (dimension_ == 2) x.value -= turns_at_start_[joint];
  return x;
}

// Angles of planar bodies have turns of their own; a joint starts to count at the nearest to zero.
void JointRows::dropTurnsAtStart(const Kinematics& frames) {
  if (dimension_ == 3) return;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (joints_[j].type != Joint::Type::revolute) continue;
    const double angle = coordinateOf(joints_[j], 0, frames, dimension_).value;
    turns_at_start_[j] = angle - nearestTurn(angle, 0);
  }
}

void JointRows::start(const Kinematics& frames, std::span<const double> q) {
  dropTurnsAtStart(frames);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& gear = joints_[j];
    if (gear.type != Joint::Type::gear) continue;
    gear_offset_[j] = coordinate(gear.joint_b, 0, frames, q).value -
                      gear.ratio * coordinate(gear.joint_a, 0, frames, q).value;
  }
}

void JointRows::addGear(std::size_t joint, const Kinematics& frames, std::span<const double> q,
                        JointSet& out) const {
  const Joint& gear = joints_[joint];
  const BodyFunction a = coordinate(gear.joint_a, 0, frames, q);
  BodyFunction b = coordinate(gear.joint_b, 0, frames, q);
  b.rate.add(-gear.ratio, a.rate);
  double drive = 0;
  writeGroup(frames, dimension_, {&b.rate, 1}, out.directions, {&drive, 1});
  out.addRigid(b.value - gear.ratio * a.value - gear_offset_[joint], drive);
}

void JointRows::addEquations(const Kinematics& frames, std::span<const double> q,
                             JointSet& out) const {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& joint = joints_[j];
    if (joint.type == Joint::Type::gear) {
      addGear(j, frames, q, out);
      continue;
    }
    const BodyFunctions held = heldFunctions(joint, frames, dimension_);
    std::array<BodyForm, 6> forms;
    std::array<double, 6> drive{};
    for (std::size_t k = 0; k < held.count; ++k) forms[k] = held.functions[k].rate;
    if (held.count > 0)
      writeGroup(frames, dimension_, {forms.data(), held.count}, out.directions, drive);
    for (std::size_t k = 0; k < held.count; ++k) out.addRigid(held.functions[k].value, drive[k]);
    for (std::size_t k = 0; k < joint.drives.size(); ++k) {
      const JointDrive& spring = joint.drives[k];
      if (!hasSpring(spring)) continue;
      const BodyFunction x = coordinate(static_cast<int>(j), static_cast<int>(k), frames, q);
      writeGroup(frames, dimension_, {&x.rate, 1}, out.directions, drive);
      out.addSpring(x.value - spring.rest, drive[0], spring.stiffness, spring.damping);
    }
  }
}

void JointRows::addDrives(double t, const Kinematics& frames, std::span<const double> q,
                          const Reach& reach, ContactSet& out) const {
  for (std::size_t j = 0; j < joints_.size(); ++j)
    for (std::size_t k = 0; k < joints_[j].drives.size(); ++k) {
      const JointDrive& drive = joints_[j].drives[k];
      if (rowsOf(drive) == 0) continue;
      const int coordinate_index = static_cast<int>(k);
      const BodyFunction x = coordinate(static_cast<int>(j), coordinate_index, frames, q);
      const std::uint64_t id = driveId(j, coordinate_index);
      addLimits(id, drive, x, frames, reach, out);
      if (drive.motor) addMotor(j, k, x, t, frames, out);
      addElements(id, drive, x, frames, out);
    }
}

void JointRows::addLimits(std::uint64_t id, const JointDrive& drive, const BodyFunction& x,
                          const Kinematics& frames, const Reach& reach, ContactSet& out) const {
  RowContact limit;
  limit.parameters.e_n = drive.limit_restitution;
  if (drive.lower) {
    limit.contact.id = id | kLower;
    limit.contact.gap = x.value - *drive.lower;
    addRowContact(limit, x.rate, 0, frames, dimension_, reach, out);
  }
  if (drive.upper) {
    BodyForm closing;
    closing.add(-1, x.rate);
    limit.contact.id = id | kUpper;
    limit.contact.gap = *drive.upper - x.value;
    addRowContact(limit, closing, 0, frames, dimension_, reach, out);
  }
}

JointRows::MotorAim JointRows::aimOf(std::size_t joint, std::size_t k, double t) const {
  const JointDrive::Motor& motor = *joints_[joint].drives[k].motor;
  MotorAim aim{motor.value.at(t).x, motor.value.rateAt(t).x, motor.max_force};
  if (!inputs_) return aim;
  const JointInput& input = inputs_->joints[joint];
  if (!std::isnan(input.target[k])) {
    aim.target = input.target[k];
    aim.rate = 0;
  }
  if (!std::isnan(input.max_force[k])) aim.max_force = input.max_force[k];
  return aim;
}

void JointRows::addMotor(std::size_t joint, std::size_t k, const BodyFunction& x, double t,
                         const Kinematics& frames, ContactSet& out) const {
  const JointDrive::Motor& motor = *joints_[joint].drives[k].motor;
  const MotorAim aim = aimOf(joint, k, t);
  RowContact row;
  row.contact.id = driveId(joint, static_cast<int>(k)) | kMotor;
  row.parameters.kind = ContactParameters::Kind::bounded;
  boundForce(aim.max_force, row.parameters);
  const bool for_position = isForPosition(motor);
  if (for_position) {
    row.parameters.time_constant = motor.time_constant;
    row.contact.gap = x.value - aim.target;
  }
  addRowContact(row, x.rate, for_position ? -aim.rate : -aim.target, frames, dimension_, {}, out);
}

void JointRows::addElements(std::uint64_t id, const JointDrive& drive, const BodyFunction& x,
                            const Kinematics& frames, ContactSet& out) const {
  if (drive.friction > 0) {
    RowContact friction;
    friction.contact.id = id | kFriction;
    friction.parameters.kind = ContactParameters::Kind::bounded;
    boundForce(drive.friction, friction.parameters);
    addRowContact(friction, x.rate, 0, frames, dimension_, {}, out);
  }
  RowContact row;
  if (drive.one_way != 0) {
    BodyForm allowed;
    allowed.add(drive.one_way, x.rate);
    row.contact.id = id | kOneWay;
    row.parameters.kind = ContactParameters::Kind::one_way;
    addRowContact(row, allowed, 0, frames, dimension_, {}, out);
  }
  if (drive.prestress > 0) {
    row.contact.id = id | kPrestress;
    row.contact.gap = x.value - drive.rest;
    row.parameters.kind = ContactParameters::Kind::prestressed;
    boundForce(drive.prestress, row.parameters);
    addRowContact(row, x.rate, 0, frames, dimension_, {}, out);
  }
}

double JointRows::potentialEnergy(const Kinematics& frames, std::span<const double> q) const {
  double energy = 0;
  for (std::size_t j = 0; j < joints_.size(); ++j)
    for (std::size_t k = 0; k < joints_[j].drives.size(); ++k) {
      const JointDrive& drive = joints_[j].drives[k];
      if (!(drive.stiffness > 0 || drive.prestress > 0)) continue;
      const double stretch =
          coordinate(static_cast<int>(j), static_cast<int>(k), frames, q).value - drive.rest;
      energy += drive.stiffness * stretch * stretch / 2 + drive.prestress * std::abs(stretch);
    }
  return energy;
}

namespace {

// Adds what rows that hold a joint do to its second body. Those of a point act at the point of that
// body (joint_geometry.hpp), the others are torques.
void addHeldForces(const Joint& joint, const Kinematics& frames, int dimension,
                   const BlockRows& rows, int group, std::span<const double> force,
                   JointForce& sum) {
  const bool on_b = frames[joint.body_b].isDynamic();
  const BodyFrame& body = frames[on_b ? joint.body_b : joint.body_a];
  const double sign = on_b ? 1 : -1;
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    if (strip.first_column != body.first_velocity) continue;
    const StripValues entries = rows.values(group, strip);
    for (int row = 0; row < rows.rowsOf(group); ++row) {
      const double f = sign * force[rows.firstRow(group) + row];
      const Vec3 linear{entries(row, 0), entries(row, 1), dimension == 2 ? 0 : entries(row, 2)};
      if (linear != Vec3{})
        sum.force += f * linear;
      else if (dimension == 2)
        sum.torque.z += f * entries(row, 2);
      else
        sum.torque += f * body.fromSpin({entries(row, 3), entries(row, 4), entries(row, 5)});
    }
  }
}

}  // namespace

bool JointRows::mayBeEquations(const BlockRows& rows) const {
  int groups = 0;
  for (const Joint& joint : joints_) {
    const bool is_gear = joint.type == Joint::Type::gear;
    groups += is_gear || heldCount(joint, dimension_) > 0 ? 1 : 0;
    if (!is_gear)
      groups +=
          static_cast<int>(std::count_if(joint.drives.begin(), joint.drives.end(), hasSpring));
  }
  if (rows.groupCount() != groups) return false;
  for (int group = 0; group < groups; ++group)
    for (const BlockRows::Strip& strip : rows.stripsOf(group))
      if (strip.columns != (dimension_ == 2 ? 3 : 6)) return false;
  return true;
}

void JointRows::addEquationForces(const Kinematics& frames, const BlockRows& rows,
                                  std::span<const double> force,
                                  std::span<JointForce> forces) const {
  int group = 0;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& joint = joints_[j];
    if (joint.type == Joint::Type::gear) {
      forces[j].drive[0] += force[rows.firstRow(group++)];
      continue;
    }
    if (heldCount(joint, dimension_) > 0)
      addHeldForces(joint, frames, dimension_, rows, group++, force, forces[j]);
    for (std::size_t k = 0; k < joint.drives.size(); ++k)
      if (hasSpring(joint.drives[k])) forces[j].drive[k] += force[rows.firstRow(group++)];
  }
}

void JointRows::addDriveForce(std::uint64_t contact_id, double force,
                              std::span<JointForce> forces) const {
  const DriveId id = driveOf(contact_id);
  if (!has(id)) return;
  const RowKind kind = static_cast<RowKind>(contact_id & kRowBits);
  const bool is_backward =
      kind == kUpper || (kind == kOneWay && joints_[id.joint].drives[id.coordinate].one_way < 0);
  forces[id.joint].drive[id.coordinate] += is_backward ? -force : force;
}

JointRows::DriveId JointRows::driveOf(std::uint64_t contact_id) {
  if ((contact_id & kJointBit) == 0) return {};
  const std::uint64_t row = contact_id & kRowBits;
  return {static_cast<int>((contact_id & ~kJointBit) >> 8), static_cast<int>(contact_id >> 4 & 15),
          row < kRowNames.size() ? kRowNames[row] : ""};
}

bool JointRows::has(const DriveId& id) const {
  return id.joint >= 0 && static_cast<std::size_t>(id.joint) < joints_.size() &&
         static_cast<std::size_t>(id.coordinate) <
             joints_[static_cast<std::size_t>(id.joint)].drives.size();
}

bool addRowContact(const RowContact& row, const BodyForm& form, double extra_drive,
                   const Kinematics& frames, int dimension, const Reach& reach, ContactSet& out) {
  double drive = 0;
  writeGroup(frames, dimension, {&form, 1}, out.directions, {&drive, 1});
  const double gap = row.contact.gap;
  if (row.parameters.isUnilateral() && !(gap <= 0) &&
      !lastGroupIsWithinReach(out.directions, gap, drive + extra_drive, reach)) {
    out.directions.dropGroup();
    return false;
  }
  out.add(row.contact, row.parameters);
  out.drive.push_back(drive + extra_drive);
  return true;
}

bool lastGroupIsWithinReach(const BlockRows& rows, double gap, double drive, const Reach& reach) {
  const int group = rows.groupCount() - 1;
  double most = reach.margin + reach.time * std::abs(drive);
  for (const BlockRows::Strip& strip : rows.stripsOf(group)) {
    const StripValues entries = rows.values(group, strip);
    const std::span<const double> normal = entries.row(0);
    for (std::size_t k = 0; k < normal.size(); ++k)
      most += std::abs(normal[k]) * reach.way[strip.first_column + k];
  }
  return gap <= most;
}

}  // namespace stickslip
