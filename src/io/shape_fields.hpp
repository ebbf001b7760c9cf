// Shapes of bodies, as scenes describe them.
#pragma once

#include "io/field_reader.hpp"
#include "io/scene_files.hpp"
#include "stickslip/shape.hpp"

namespace stickslip {

/// Reads the fields of a shape: "type", its sizes, and where it stands in the body ("position" and
/// "angle", "orientation" or "normal"). Refuses one that problemOf() finds fault with.
PlacedShape readShape(FieldReader& fields, int dimension, SceneFiles& files);

/// The same shape, `factor` times as large.
Shape scaled(const Shape& shape, double factor);

}  // namespace stickslip
