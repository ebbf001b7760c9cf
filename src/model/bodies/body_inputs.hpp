// What of the inputs of a system of bodies acts, and whether it can be used.
#pragma once

#include "stickslip/body_system.hpp"
#include "stickslip/inputs.hpp"

namespace stickslip {

/// True if any force is not 0.
bool anyForce(const BodyInputs& inputs);
/// Throws InputError that names the body or joint if a number is none, or is for what the system
/// does not have.
void checkInputs(const BodyInputs& inputs, const BodySystemData& data);

/// What is set. `inputs` may be null: nothing is.
void saveInputs(const BodyInputs* inputs, MemoryWriter& to);
/// Sets that again in `system`, where its inputs are.
void restoreInputs(MemoryReader& from, const BodySystem& system, BodyInputs* inputs);

}  // namespace stickslip
