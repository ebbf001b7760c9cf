// Runs as bytes, from a child process to its parent: the same machine and program.
#pragma once

#include <string>
#include <string_view>

#include "convergence/step_study.hpp"

namespace stickslip {

std::string packed(const StudyRun& run);
StudyRun unpacked(std::string_view bytes);

}  // namespace stickslip
