// Many bodies from one description: rows of bricks, piles of grains, a list of places.
//
// Every instance is the body that the template describes, moved (and, if asked for, turned and
// scaled) to its place. Random choices come from a seed in the scene.
#pragma once

#include "io/body_fields.hpp"

namespace stickslip {

/// Stands for the number of an instance in its name.
inline constexpr std::string_view kInstanceNumber = "{i}";

/// Reads "instances" and appends their bodies, with their names, to those that are there. More than
/// a scene may have are refused before any is made.
void readInstances(FieldReader& system, const BodyContext& context, std::vector<Body>& bodies,
                   NameIndex& names);

}  // namespace stickslip
