// Short cuts to build systems of bodies in tests.
#pragma once

#include <memory>
#include <string>

#include "stickslip/stickslip.hpp"

namespace stickslip::testing {

inline constexpr double kGravity = 9.81;

inline Quaternion aboutZ(double angle) {
  return rotationBy({0, 0, angle});
}

/// A dynamic body of the plane without a shape.
inline Body planarBody(const std::string& name, double mass, double inertia, Vec2 position,
                       double angle = 0) {
  Body body;
  body.name = name;
  body.position = {position.x, position.y, 0};
  body.orientation = aboutZ(angle);
  body.mass = {mass, {}, diagonal({1, 1, inertia})};
  return body;
}

/// A dynamic body of space without a shape.
inline Body spatialBody(const std::string& name, double mass, Vec3 inertia, Vec3 position,
                        Quaternion orientation = {}) {
  Body body;
  body.name = name;
  body.position = position;
  body.orientation = orientation;
  body.mass = {mass, {}, diagonal(inertia)};
  return body;
}

/// A joint at a place of the world where the bodies are at the start; `axes` are those of its
/// frames.
inline Joint jointAt(const std::string& name, Joint::Type type, const BodySystemData& data,
                     int body_a, int body_b, Vec3 place, const Mat3& axes = {}) {
  const auto local = [&](int body) -> Pose {
    if (body < 0) return {place, axes};
    const Body& at = data.bodies[body];
    const Mat3 back = transposed(matrixOf(at.orientation));
    return {back * (place - at.position), back * axes};
  };
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.body_a = body_a;
  joint.body_b = body_b;
  joint.frame_a = local(body_a);
  joint.frame_b = local(body_b);
  return joint;
}

/// A run of bodies from where they start.
struct BodyRun {
  std::shared_ptr<const BodySystem> system;
  State state;
  RunSummary summary;

  BodyState body(int k) const { return system->bodyState(k, state); }
  double coordinate(int joint, int k = 0) const { return system->jointCoordinate(joint, k, state); }
};

inline BodyRun runBodies(BodySystemData data, double step, double end,
                         const StepObserver& observer = {}, std::string_view preset = "stickslip") {
  BodyRun result;
  result.system = std::make_shared<BodySystem>(std::move(data));
  Stepper stepper({result.system, presetMethod(preset, *result.system)});
  result.summary = run(stepper, result.system->initialState(), {{step, end}, false}, observer);
  result.state = result.summary.final_state;
  return result;
}

}  // namespace stickslip::testing
