// Is a system of bodies sound? Everything that a program could get wrong in BodySystemData; and
// what follows from the rest of it.
#pragma once

#include "stickslip/body_system.hpp"

namespace stickslip {

/// Computes the mass of bodies that give none from their shapes. Throws InputError that names the
/// first body, joint or load with a mistake, and says which.
void completeBodySystem(BodySystemData& data);

}  // namespace stickslip
