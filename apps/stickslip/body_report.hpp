// Bodies and joints in the results of a run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "stickslip/body_system.hpp"

namespace stickslip::cli {

/// [{name, type, position, orientation, velocity, angular_velocity}, ...]
nlohmann::ordered_json bodiesAsJson(const BodySystem& system, const State& state);
/// [{name, type, coordinates: {angle: ...}}, ...]
nlohmann::ordered_json jointsAsJson(const BodySystem& system, const State& state);
/// A line for each of the first bodies that move, and one for how many there are besides.
std::vector<std::string> bodiesAsLines(const BodySystem& system, const State& state);

}  // namespace stickslip::cli
