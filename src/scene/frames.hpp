// Points, directions, turns, frames and functions of time in scenes of the plane and of space.
//
// The plane is z = 0 of space: its points have two numbers, its turns one, about z.
#pragma once

#include <vector>

#include "scene/json/field_reader.hpp"
#include "stickslip/motion.hpp"
#include "stickslip/rotation.hpp"

namespace stickslip {

/// What the numbers of a field are.
enum class Quantity {
  vector,  ///< x, y and in space z
  turn,    ///< plane: one number, about z; space: three
  scalar,  ///< one number, kept in x
};

Vec3 readQuantity(FieldReader& fields, const char* key, Quantity quantity, int dimension);
/// Zero if the field is missing.
Vec3 readQuantityOrZero(FieldReader& fields, const char* key, Quantity quantity, int dimension);
/// A list of at least `least` of them.
std::vector<Vec3> readQuantities(FieldReader& fields, const char* key, Quantity quantity,
                                 int dimension, std::size_t least);

/// A vector that is not zero, scaled to length 1.
Vec3 readDirection(FieldReader& fields, const char* key, int dimension);

/// Field "angle" in the plane, "orientation" in space: [w, x, y, z] or {"axis", "angle"}. No turn
/// if it is missing.
Quaternion readOrientation(FieldReader& fields, int dimension);
/// Plane: the whole turns of field "angle" that `orientation`, which was read from it, cannot hold.
int readTurns(FieldReader& fields, const Quaternion& orientation);
/// Field "position", zero if it is missing, and the orientation.
Pose readPose(FieldReader& fields, int dimension);

/// Field "times": at least `least` numbers, strictly ascending.
std::vector<double> readTimes(FieldReader& fields, std::size_t least);
/// A constant, or {"times": [...], "values": [...]}.
VectorTable readTable(FieldReader& fields, const char* key, Quantity quantity, int dimension);

}  // namespace stickslip
