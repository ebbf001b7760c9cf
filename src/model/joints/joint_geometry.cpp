#include "model/joints/joint_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "stickslip/elementary.hpp"

namespace stickslip {
namespace {

using Type = Joint::Type;

constexpr Vec3 kAxes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// A value that is no more than the rounding of numbers of this size is zero. Schemes divide it by
// the step, and redundant joints would contradict each other in what comes out.
double withoutRounding(double value, double size) {
  return std::abs(value) <= 16 * std::numeric_limits<double>::epsilon() * size ? 0.0 : value;
}

/// The two frames of a joint in the world.
struct PlacedJoint {
  int body_a, body_b;
  Pose a, b;
  Vec3 center_a, center_b;  ///< of mass

  PlacedJoint(const Joint& joint, const Kinematics& frames)
      : body_a(joint.body_a),
        body_b(joint.body_b),
        a(frames[joint.body_a].pose * joint.frame_a),
        b(frames[joint.body_b].pose * joint.frame_b),
        center_a(frames[joint.body_a].pose.position),
        center_b(frames[joint.body_b].pose.position) {}

  double size() const {
    return norm(a.position) + norm(a.position - center_a) + norm(b.position - center_b);
  }
  // Axes that the joint aligns point in opposite directions.
  bool isReversed(Type type) const {
    const bool aligns_all = type == Type::fixed || type == Type::prismatic;
    const bool aligns_z =
        type == Type::revolute || type == Type::cylindrical || type == Type::planar || aligns_all;
    return (aligns_z && dot(a.rotation.z, b.rotation.z) < 0) ||
           (aligns_all && dot(a.rotation.x, b.rotation.x) < 0);
  }
  double distanceAlong(Vec3 d) const {
    return withoutRounding(dot(d, b.position - a.position), size());
  }
  // d.(p_B - p_A) with d fixed to body a.
  BodyFunction alongA(Vec3 d) const {
    BodyFunction f{distanceAlong(d), {}};
    f.rate.add(body_a, -d, -cross(b.position - center_a, d));
    f.rate.add(body_b, d, cross(b.position - center_b, d));
    return f;
  }
  // The same with d fixed in the world.
  BodyFunction alongWorld(Vec3 d) const {
    BodyFunction f{distanceAlong(d), {}};
    f.rate.add(body_a, -d, -cross(a.position - center_a, d));
    f.rate.add(body_b, d, cross(b.position - center_b, d));
    return f;
  }
  // e.f with e fixed to body a, f to body b.
  BodyFunction across(Vec3 e, Vec3 f) const {
    const Vec3 turn = cross(e, f);
    BodyFunction function{withoutRounding(dot(e, f), 1), {}};
    function.rate.add(body_a, {}, turn);
    function.rate.add(body_b, {}, -turn);
    return function;
  }
  // An angle of b against a about the unit axis d.
  BodyFunction angleAbout(Vec3 d, double value) const {
    BodyFunction f{value, {}};
    f.rate.add(body_a, {}, -d);
    f.rate.add(body_b, {}, d);
    return f;
  }
};

void holdPoint(const PlacedJoint& j, int dimension, BodyFunctions& out) {
  for (int k = 0; k < dimension; ++k) out.add(j.alongWorld(kAxes[k]));
}

void alignAxis(const PlacedJoint& j, BodyFunctions& out) {
  out.add(j.across(j.a.rotation.x, j.b.rotation.z));
  out.add(j.across(j.a.rotation.y, j.b.rotation.z));
}

void holdRotation(const PlacedJoint& j, BodyFunctions& out) {
  out.add(j.across(j.a.rotation.x, j.b.rotation.y));
  out.add(j.across(j.a.rotation.y, j.b.rotation.z));
  out.add(j.across(j.a.rotation.z, j.b.rotation.x));
}

double frameAngle(const Pose& frame) {
  return math::atan2(frame.rotation.x.y, frame.rotation.x.x);
}

// In the plane angles are coordinates already, with their turns.
BodyFunction planarAngle(const Joint& joint, const PlacedJoint& j, const Kinematics& frames) {
  const double angle = frames[joint.body_b].angle + frameAngle(joint.frame_b) -
                       frames[joint.body_a].angle - frameAngle(joint.frame_a);
  return j.angleAbout(kAxes[2], angle);
}

void holdInPlane(const Joint& joint, const PlacedJoint& j, const Kinematics& frames,
                 BodyFunctions& out) {
  if (joint.type == Type::revolute || joint.type == Type::fixed) holdPoint(j, 2, out);
  if (joint.type == Type::prismatic) out.add(j.alongA(j.a.rotation.y));
  if (joint.type == Type::revolute) return;
  BodyFunction angle = planarAngle(joint, j, frames);
  angle.value = nearestTurn(angle.value, 0);
  out.add(angle);
}

void holdInSpace(const Joint& joint, const PlacedJoint& j, BodyFunctions& out) {
  switch (joint.type) {
    case Type::revolute:
      holdPoint(j, 3, out);
      return alignAxis(j, out);
    case Type::prismatic:
      out.add(j.alongA(j.a.rotation.x));
      out.add(j.alongA(j.a.rotation.y));
      return holdRotation(j, out);
    case Type::cylindrical:
      out.add(j.alongA(j.a.rotation.x));
      out.add(j.alongA(j.a.rotation.y));
      return alignAxis(j, out);
    case Type::spherical:
      return holdPoint(j, 3, out);
    case Type::universal:
      holdPoint(j, 3, out);
      return out.add(j.across(j.a.rotation.z, j.b.rotation.y));
    case Type::planar:
      out.add(j.alongA(j.a.rotation.z));
      return alignAxis(j, out);
    case Type::fixed:
      holdPoint(j, 3, out);
      return holdRotation(j, out);
    case Type::distance:
    case Type::gear:
      return;
  }
}

BodyFunction distanceOf(const Joint& joint, const Kinematics& frames) {
  return distanceBetween(joint.body_a, joint.frame_a.position, joint.body_b, joint.frame_b.position,
                         frames);
}

BodyFunction spatialAngle(const PlacedJoint& j) {
  const Vec3 x = j.b.rotation.x;
  return j.angleAbout(j.a.rotation.z, math::atan2(dot(x, j.a.rotation.y), dot(x, j.a.rotation.x)));
}

// Turn of the cross about z of a, then of b about the y that both share.
BodyFunction universalAngle(const PlacedJoint& j, int k) {
  const Vec3 z = j.a.rotation.z, y = j.b.rotation.y;
  if (k == 0) return j.angleAbout(z, math::atan2(-dot(y, j.a.rotation.x), dot(y, j.a.rotation.y)));
  return j.angleAbout(y, math::atan2(dot(j.b.rotation.z, cross(y, z)), dot(j.b.rotation.z, z)));
}

}  // namespace

BodyFunctions heldFunctions(const Joint& joint, const Kinematics& frames, int dimension) {
  BodyFunctions out;
  if (joint.type == Type::distance) {
    if (!joint.length) return out;
    BodyFunction distance = distanceOf(joint, frames);
    distance.value -= *joint.length;
    out.add(distance);
    return out;
  }
  const PlacedJoint placed(joint, frames);
  if (dimension == 2)
    holdInPlane(joint, placed, frames, out);
  else
    holdInSpace(joint, placed, out);
  return out;
}

double relativeMisfit(const Joint& joint, const Kinematics& frames, int dimension) {
  const PlacedJoint placed(joint, frames);
  const double size = placed.size() + joint.length.value_or(0);
  double worst = 0;
  // What is held vanishes for axes that are turned by half a turn, too.
  if (dimension == 3 && placed.isReversed(joint.type)) return 1;
  const BodyFunctions all = heldFunctions(joint, frames, dimension);
  for (const BodyFunction& held : all.all()) {
    const bool is_length = held.rate.terms().back().linear != Vec3{};
    if (held.value != 0) worst = std::max(worst, std::abs(held.value) / (is_length ? size : 1));
  }
  return worst;
}

int heldCount(const Joint& joint, int dimension) {
  switch (joint.type) {
    case Type::revolute:
    case Type::prismatic:
      return dimension == 2 ? 2 : 5;
    case Type::cylindrical:
    case Type::universal:
      return 4;
    case Type::spherical:
    case Type::planar:
      return 3;
    case Type::fixed:
      return dimension == 2 ? 3 : 6;
    case Type::distance:
      return joint.length ? 1 : 0;
    case Type::gear:
      return 1;
  }
  return 0;
}

BodyFunction coordinateOf(const Joint& joint, int k, const Kinematics& frames, int dimension) {
  if (joint.type == Type::distance) return distanceOf(joint, frames);
  const PlacedJoint j(joint, frames);
  if (joint.type == Type::universal) return universalAngle(j, k);
  const bool is_angle = joint.type == Type::revolute || k == 1;
  if (is_angle) return dimension == 2 ? planarAngle(joint, j, frames) : spatialAngle(j);
  return j.alongA(dimension == 2 ? j.a.rotation.x : j.a.rotation.z);
}

bool needsTurns(const Joint& joint, int k, int dimension) {
  return dimension == 3 &&
         ((joint.type == Type::revolute && k == 0) || (joint.type == Type::cylindrical && k == 1) ||
          joint.type == Type::universal);
}

double nearestTurn(double angle, double near) {
  constexpr double kTurn = 2 * std::numbers::pi;
  return angle + kTurn * std::round((near - angle) / kTurn);
}

BodyFunction distanceBetween(int body_a, Vec3 point_a, int body_b, Vec3 point_b,
                             const Kinematics& frames) {
  const Vec3 difference =
      frames[body_b].pose.pointToWorld(point_b) - frames[body_a].pose.pointToWorld(point_a);
  const double distance = norm(difference);
  const Vec3 direction = distance > 0 ? (1 / distance) * difference : kAxes[0];
  BodyFunction f = differenceAlong(direction, body_a, point_a, body_b, point_b, frames);
  f.value = distance;
  return f;
}

BodyFunction differenceAlong(Vec3 direction, int body_a, Vec3 point_a, int body_b, Vec3 point_b,
                             const Kinematics& frames) {
  const Vec3 arm_a = frames[body_a].pose.rotation * point_a;
  const Vec3 arm_b = frames[body_b].pose.rotation * point_b;
  const Vec3 difference =
      frames[body_b].pose.position + arm_b - frames[body_a].pose.position - arm_a;
  BodyFunction f{dot(direction, difference), {}};
  f.rate.add(body_a, -direction, -cross(arm_a, direction));
  f.rate.add(body_b, direction, cross(arm_b, direction));
  return f;
}

const char* jointTypeName(Joint::Type type) {
  constexpr const char* kNames[] = {"revolute",  "prismatic", "cylindrical",
                                    "spherical", "universal", "planar",
                                    "fixed",     "distance",  "gear"};
  return kNames[static_cast<int>(type)];
}

int coordinateCount(Joint::Type type, int dimension) {
  switch (type) {
    case Type::revolute:
    case Type::prismatic:
    case Type::distance:
      return 1;
    case Type::cylindrical:
    case Type::universal:
      return dimension == 3 ? 2 : 0;
    default:
      return 0;
  }
}

}  // namespace stickslip
