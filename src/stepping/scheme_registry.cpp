#include "stepping/midpoint.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/scheme.hpp"

namespace stickslip {

std::unique_ptr<Scheme> makeScheme(const Method& method) {
  if (method.scheme == "midpoint") return std::make_unique<MidpointScheme>(method);
  throw InputError("scheme \"" + method.scheme + "\" is not known");
}

}  // namespace stickslip
