// The part of a scene that describes a linear system with affine contacts.
#pragma once

#include "scene/json/field_reader.hpp"
#include "stickslip/linear_system.hpp"
#include "stickslip/state.hpp"

namespace stickslip {

/// Reads and checks a "system" object of type "linear".
LinearSystemData readLinearSystem(FieldReader& system);

/// Reads the "initial" object of `root`; `impact` gets what it says about an impact at the start.
State readLinearStart(FieldReader& root, const LinearSystem& system, bool& impact);

}  // namespace stickslip
