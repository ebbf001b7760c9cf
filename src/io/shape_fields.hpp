// Shapes of bodies, as scenes describe them.
#pragma once

#include <cstdint>

#include "io/field_reader.hpp"
#include "io/scene_files.hpp"
#include "stickslip/shape.hpp"

namespace stickslip {

/// Reads the fields of a shape: "type", its sizes, and where it stands in the body ("position" and
/// "angle", "orientation" or "normal"). Refuses one that problemOf() finds fault with. Rocks depend
/// on the number of the instance.
PlacedShape readShape(FieldReader& fields, int dimension, SceneFiles& files, std::int64_t instance);

/// Whether a body has rocks among its shapes, which have been read before without complaint.
bool hasRocks(FieldReader& body);

/// The same shape, `factor` times as large.
Shape scaled(const Shape& shape, double factor);

}  // namespace stickslip
