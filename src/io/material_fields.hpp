// The materials of a scene and their pairs.
#pragma once

#include "io/field_reader.hpp"
#include "io/name_index.hpp"
#include "stickslip/body_system.hpp"

namespace stickslip {

/// The material of shapes that name none.
inline constexpr const char* kDefaultMaterial = "default";

/// Reads "materials" and "material_pairs" into `data`, whose dimension is set; returns the names.
/// Without "materials" there is one with the name "default".
NameIndex readMaterials(FieldReader& system, BodySystemData& data);

/// The index of the material that field "material" names, or else of `fallback` if that is >= 0,
/// or else of "default".
int readMaterial(FieldReader& fields, const NameIndex& materials, int fallback);

}  // namespace stickslip
