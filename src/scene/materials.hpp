// The materials of a scene and their pairs.
#pragma once

#include "scene/json/field_reader.hpp"
#include "scene/json/name_index.hpp"
#include "stickslip/body_system.hpp"
#include "stickslip/friction_curve.hpp"
#include "stickslip/friction_directions.hpp"

namespace stickslip {

// Friction that depends on the sliding speed, as scenes give it:
//   "kinetic_friction": 0.3, "transition": {"type": "stribeck", "speed": 0.01, "exponent": 1}

/// The curve from `friction`, which holds at rest and is field `friction_key`, to field
/// `kinetic_key` over field "transition"; constant if neither of the two is there.
FrictionCurve readFrictionCurve(FieldReader& fields, double friction, const char* friction_key,
                                const char* kinetic_key);

/// "directions": corners of a polyhedral cone, 3 to 64; `fallback` if they are not there.
int readDirectionCount(FieldReader& fields, int fallback);

/// "friction_directions": a list of directions with two components or, if they may have `moments`,
/// three or five (FrictionDirections).
FrictionDirections::Pointer readFrictionDirections(FieldReader& fields, bool moments);

/// The material of shapes that name none.
inline constexpr const char* kDefaultMaterial = "default";

/// Reads "materials" and "material_pairs" into `data`, whose dimension is set; returns the names.
/// Without "materials" there is one with the name "default".
NameIndex readMaterials(FieldReader& system, BodySystemData& data);

/// The index of the material that field "material" names, or else of `fallback` if that is >= 0,
/// or else of "default".
int readMaterial(FieldReader& fields, const NameIndex& materials, int fallback);

}  // namespace stickslip
