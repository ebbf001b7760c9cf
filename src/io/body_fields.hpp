// Bodies, as scenes describe them.
#pragma once

#include <span>

#include "io/field_reader.hpp"
#include "io/name_index.hpp"
#include "io/scene_files.hpp"
#include "stickslip/body.hpp"
#include "stickslip/material.hpp"

namespace stickslip {

/// What the fields of a body refer to.
struct BodyContext {
  int dimension;
  std::span<const Material> materials;
  const NameIndex& material_names;
  SceneFiles& files;
};

/// Reads a body, all but its name, and refuses unknown fields.
Body readBody(FieldReader& fields, const BodyContext& context);

}  // namespace stickslip
