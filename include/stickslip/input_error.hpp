// The one exception of the library: input from outside (scene, setting, file) that cannot be used.
#pragma once

#include <stdexcept>
#include <string>

namespace stickslip {

/// One line that names what is wrong, where, and what would be right.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace stickslip
