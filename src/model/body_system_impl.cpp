// Set-up of a system of bodies, and the angles that it keeps.
#include "model/body_system_impl.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "model/body_checks.hpp"
#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

// Joints may be open at the start by so much of their size.
constexpr double kMostMisfit = 1e-3;

// The mass of a body that does not move freely means nothing, its centre neither.
BodySystemData checked(BodySystemData data) {
  checkBodySystem(data);
  for (Body& body : data.bodies)
    if (body.type != Body::Type::dynamic) body.mass = {};
  data.bodies.shrink_to_fit();
  shareEqualShapes(data.bodies);
  return data;
}

Attachments aboutCenters(const BodySystemData& data) {
  Attachments out{data.joints, data.springs, data.loads};
  const auto shift = [&](int body, Vec3& point) {
    if (body >= 0) point -= data.bodies[static_cast<std::size_t>(body)].mass.center;
  };
  for (Joint& joint : out.joints) {
    if (joint.type == Joint::Type::gear) continue;
    shift(joint.body_a, joint.frame_a.position);
    shift(joint.body_b, joint.frame_b.position);
  }
  for (PointSpring& spring : out.springs) {
    shift(spring.body_a, spring.point_a);
    shift(spring.body_b, spring.point_b);
  }
  for (BodyLoad& load : out.loads) shift(load.body, load.point);
  return out;
}

// Of each dynamic body the first one with the same mass and inertia; nothing if all differ.
std::vector<int> firstOfEqualMass(const BodySystemData& data, const BodyLayout& layout) {
  std::map<std::array<double, 10>, int> first;
  std::vector<int> like;
  for (int k = 0; k < layout.dynamicCount(); ++k) {
    const MassProperties& mass = data.bodies[static_cast<std::size_t>(layout.dynamicBody(k))].mass;
    std::array<double, 10> entries{mass.mass};
    for (int i = 0; i < 9; ++i)
      entries[static_cast<std::size_t>(1 + i)] = mass.inertia(i / 3, i % 3);
    like.push_back(first.emplace(entries, k).first->second);
  }
  if (first.size() == like.size()) like.clear();
  return like;
}

// Limits of joints count in units of their own, and no lever says what they feel of a turn.
std::vector<double> leversOf(const BodySystemData& data, const BodyLayout& layout,
                             std::vector<double> of_bodies) {
  for (const Joint& joint : data.joints)
    for (const int body : {joint.body_a, joint.body_b})
      if (!joint.drives.empty() && body != Joint::kWorld)
        of_bodies[static_cast<std::size_t>(body)] = std::numeric_limits<double>::infinity();
  std::vector<double> out;
  for (int k = 0; k < layout.dynamicCount(); ++k)
    out.push_back(of_bodies[static_cast<std::size_t>(layout.dynamicBody(k))]);
  return out;
}

}  // namespace

BodySystem::Impl::Impl(BodySystemData given)
    : data(checked(std::move(given))),
      attached(aboutCenters(data)),
      layout(data),
      joints(attached.joints, data.dimension, layout.positionCount()),
      forces(data, attached, layout),
      contacts(data),
      mass_like(firstOfEqualMass(data, layout)),
      levers(leversOf(data, layout, contacts.levers())) {
  const State start = initialState();
  joints.start(framesAt(start.t, start.q), start.q);
  checkFit(start.q);
}

// Joints close what is open by so little; beyond, they would throw their bodies.
void BodySystem::Impl::checkFit(std::span<const double> q) const {
  for (std::size_t j = 0; j < attached.joints.size(); ++j) {
    const Joint& joint = attached.joints[j];
    checkLimits(j, q);
    if (joint.type != Joint::Type::gear &&
        !(relativeMisfit(joint, frames, data.dimension) <= kMostMisfit))
      throw InputError("joint \"" + joint.name +
                       "\": its two frames (or its length) do not fit where the bodies start");
  }
}

// A limit that is passed already would never be enforced: impulses stop, they do not pull back.
void BodySystem::Impl::checkLimits(std::size_t joint, std::span<const double> q) const {
  const Joint& description = attached.joints[joint];
  for (std::size_t k = 0; k < description.drives.size(); ++k) {
    const JointDrive& drive = description.drives[k];
    if (!drive.lower && !drive.upper) continue;
    const double x =
        joints.coordinate(static_cast<int>(joint), static_cast<int>(k), frames, q).value;
    const double lower = drive.lower.value_or(x), upper = drive.upper.value_or(x);
    const double slack = kMostMisfit * std::max({std::abs(lower), std::abs(upper), std::abs(x)});
    if (x < lower - slack || x > upper + slack)
      throw InputError("joint \"" + description.name +
                       "\": its coordinate starts outside of its limits");
  }
}

State BodySystem::Impl::initialState() {
  State state;
  state.q.reserve(static_cast<std::size_t>(layout.positionCount() + joints.angleCount()));
  state.u.reserve(static_cast<std::size_t>(layout.dynamicCount() * layout.velocitiesPerBody()));
  for (int k = 0; k < layout.dynamicCount(); ++k) {
    const Body& body = data.bodies[static_cast<std::size_t>(layout.dynamicBody(k))];
    const Mat3 rotation = matrixOf(body.orientation);
    const Vec3 arm = rotation * body.mass.center;
    const Vec3 position = body.position + arm;
    const Vec3 velocity = body.velocity + cross(body.angular_velocity, arm);
    if (data.dimension == 2) {
      state.q.insert(state.q.end(), {position.x, position.y, startAngle(body)});
      state.u.insert(state.u.end(), {velocity.x, velocity.y, body.angular_velocity.z});
      continue;
    }
    const Quaternion turn = normalized(body.orientation);
    const Vec3 omega = layout.spinsInWorld(k) ? body.angular_velocity
                                              : transposedTimes(rotation, body.angular_velocity);
    state.q.insert(state.q.end(),
                   {position.x, position.y, position.z, turn.w, turn.x, turn.y, turn.z});
    state.u.insert(state.u.end(), {velocity.x, velocity.y, velocity.z, omega.x, omega.y, omega.z});
  }
  framesAt(0, state.q);
  for (int k = 0; k < joints.angleCount(); ++k)
    state.q.push_back(joints.angleWithoutTurns(k, frames));
  return state;
}

// The angles that q keeps beside the bodies follow them, each to the turn next to where its rate
// takes it.
void BodySystem::Impl::countTurns(double t, std::span<const double> u, double dt,
                                  std::span<double> q) {
  if (joints.angleCount() == 0) return;
  framesAt(t + dt, q);
  for (int k = 0; k < layout.dynamicCount(); ++k) {
    const int body = layout.dynamicBody(k);
    frames.setVelocity(body, layout.velocityOf(frames[body], u));
  }
  for (int k = 0; k < joints.angleCount(); ++k) {
    double& angle = q[static_cast<std::size_t>(layout.positionCount() + k)];
    angle =
        nearestTurn(joints.angleWithoutTurns(k, frames), angle + dt * joints.angleRate(k, frames));
  }
}

}  // namespace stickslip
