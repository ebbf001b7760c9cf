// Set-valued force elements between two points (002 section 2), as scenes describe them.
//
// Each is a distance joint that holds nothing and does not keep its bodies from colliding, with
// what the element does as its drive. About axes and along guides the same is said in the joint.
#pragma once

#include "scene/json/field_reader.hpp"
#include "scene/json/name_index.hpp"
#include "stickslip/body_system.hpp"

namespace stickslip {

/// Reads "elements" into `data`, whose bodies and joints are there.
void readElements(FieldReader& system, const NameIndex& bodies, BodySystemData& data);

}  // namespace stickslip
