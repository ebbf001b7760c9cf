// Is a system of bodies sound? Everything that a program could get wrong in BodySystemData.
#pragma once

#include "stickslip/body_system.hpp"

namespace stickslip {

/// Throws InputError that names the first body, joint or load with a mistake, and says which.
void checkBodySystem(const BodySystemData& data);

}  // namespace stickslip
