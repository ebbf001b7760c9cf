// Prescribed motions of kinematic bodies, as scenes describe them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "scene/json/field_reader.hpp"
#include "scene/json/name_index.hpp"
#include "scene/scene_files.hpp"
#include "stickslip/body.hpp"
#include "stickslip/material.hpp"
#include "stickslip/motion.hpp"

namespace stickslip {

// Bodies, as scenes describe them.

/// What the fields of a body refer to.
struct BodyContext {
  int dimension;
  std::span<const Material> materials;
  const NameIndex& material_names;
  SceneFiles& files;
  /// Number of the instance that is read: every rock is another one.
  std::int64_t instance = 0;
  /// Given if the place of the body decides what its shape is.
  std::optional<Shape> shape_of_place = {};
};

/// Reads a body, all but its name, and refuses unknown fields.
Body readBody(FieldReader& fields, const BodyContext& context);

/// Reads a "motion" object: "type" constant, sinusoid or table, and what belongs to it.
Motion readMotion(FieldReader& fields, int dimension);

}  // namespace stickslip
