// Springs, loads and drag, as scenes describe them.
#pragma once

#include "scene/json/field_reader.hpp"
#include "scene/json/name_index.hpp"
#include "stickslip/body_system.hpp"

namespace stickslip {

/// Read "springs", "loads" and "drag" into `data`, whose bodies are there.
void readSprings(FieldReader& system, const NameIndex& bodies, BodySystemData& data);
void readLoads(FieldReader& system, const NameIndex& bodies, BodySystemData& data);
void readDrags(FieldReader& system, const NameIndex& bodies, BodySystemData& data);

}  // namespace stickslip
