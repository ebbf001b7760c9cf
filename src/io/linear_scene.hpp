// The part of a scene that describes a linear system with affine contacts.
#pragma once

#include "io/field_reader.hpp"
#include "stickslip/linear_system.hpp"

namespace stickslip {

/// Reads and checks a "system" object of type "linear".
LinearSystemData readLinearSystem(FieldReader& system);

}  // namespace stickslip
