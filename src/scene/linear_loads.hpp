// Loads over time on the coordinates of a linear system: the list "loads".
#pragma once

#include <string>
#include <vector>

#include "scene/json/field_reader.hpp"
#include "stickslip/linear_system.hpp"

namespace stickslip {

std::vector<LinearLoad> readLinearLoads(FieldReader& system,
                                        const std::vector<std::string>& coordinates);

}  // namespace stickslip
