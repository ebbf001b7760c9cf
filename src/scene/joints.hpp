// Joints, as scenes describe them.
//
// Where a joint sits is said in world coordinates as they are at the start ("position", "axis"),
// or by a frame on each body ("frame_a", "frame_b").
#pragma once

#include "scene/json/field_reader.hpp"
#include "scene/json/name_index.hpp"
#include "stickslip/body_system.hpp"
#include "stickslip/joint.hpp"

namespace stickslip {

// Limits, motors, friction and springs along the coordinates of joints, as scenes describe them.

/// Reads "limits", "limit_restitution", "motor", "friction" and "spring" of one coordinate; a
/// spring that names no "rest" is at rest at `start`.
JointDrive readDrive(FieldReader& fields, double start);

/// The name of the world where a body is asked for.
inline constexpr const char* kWorldName = "world";

/// Reads "joints" into `data`, whose bodies are there.
void readJoints(FieldReader& system, const NameIndex& bodies, BodySystemData& data);

/// The two different bodies, or body and world, that field "bodies" names; one of them moves.
std::pair<int, int> readBodyPair(FieldReader& fields, const NameIndex& bodies,
                                 const BodySystemData& data);
/// Where a body, or the world, is at the start; a kinematic one where its motion puts it then.
Pose startPose(int body, const BodySystemData& data);

}  // namespace stickslip
