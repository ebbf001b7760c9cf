// Springs, loads, drag and set-valued force elements, as scenes describe them.
#pragma once

#include "scene/json/field_reader.hpp"
#include "scene/json/name_index.hpp"
#include "stickslip/body_system.hpp"

namespace stickslip {

/// Read "springs", "loads" and "drag" into `data`, whose bodies are there.
void readSprings(FieldReader& system, const NameIndex& bodies, BodySystemData& data);
void readLoads(FieldReader& system, const NameIndex& bodies, BodySystemData& data);
void readDrags(FieldReader& system, const NameIndex& bodies, BodySystemData& data);

// Set-valued force elements between two points ([GS05] section 2).
//
// Each is a distance joint that holds nothing and does not keep its bodies from colliding, with
// what the element does as its drive. About axes and along guides the same is said in the joint.

/// Reads "elements" into `data`, whose bodies and joints are there.
void readElements(FieldReader& system, const NameIndex& bodies, BodySystemData& data);

}  // namespace stickslip
