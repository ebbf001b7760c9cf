// The names that fields of scenes have.
#pragma once

#include <set>
#include <string>

namespace stickslip {

/// Of all objects of a scene, wherever they are: what the schema calls "properties".
const std::set<std::string>& sceneFieldNames();

}  // namespace stickslip
