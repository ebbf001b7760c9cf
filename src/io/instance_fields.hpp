// Many bodies from one description: rows of bricks, piles of grains, a list of places.
//
// Every instance is the body that the template describes, moved (and, if asked for, turned and
// scaled) to its place. Random choices come from a seed in the scene and from integer arithmetic,
// divisions and square roots only, so that they are the same on every machine.
#pragma once

#include "io/body_fields.hpp"

namespace stickslip {

/// Most bodies, and most shapes, of a scene.
inline constexpr long kMostBodies = 1'000'000;

/// Reads one element of "instances" and appends its bodies, with their names.
void readInstances(FieldReader& fields, const BodyContext& context, std::vector<Body>& bodies,
                   NameIndex& names);

}  // namespace stickslip
