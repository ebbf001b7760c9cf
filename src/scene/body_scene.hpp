// The part of a scene that describes rigid bodies in the plane or in space.
#pragma once

#include "scene/json/field_reader.hpp"
#include "scene/scene_files.hpp"
#include "stickslip/body_system.hpp"

namespace stickslip {

/// Reads and checks a "system" object of type "planar" (dimension 2) or "spatial" (3).
BodySystemData readBodySystem(FieldReader& system, int dimension, SceneFiles& files);

}  // namespace stickslip
