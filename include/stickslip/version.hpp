#pragma once

namespace stickslip {

/// "major.minor.patch" of the library.
const char* version();

}  // namespace stickslip
