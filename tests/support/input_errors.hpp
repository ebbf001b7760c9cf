// What is said of input that cannot be used.
#pragma once

#include <string>

#include "stickslip/input_error.hpp"

namespace stickslip::testing {

/// The line of the InputError that a call ends in; empty if it ends well.
inline std::string messageOf(const auto& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace stickslip::testing
