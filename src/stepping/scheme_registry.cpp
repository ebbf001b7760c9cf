#include "stepping/midpoint.hpp"
#include "stepping/position.hpp"
#include "stepping/velocity.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/scheme.hpp"

namespace stickslip {

std::unique_ptr<Scheme> makeScheme(const Method& method) {
  if (method.scheme == "midpoint") return std::make_unique<MidpointScheme>(method);
  if (method.scheme == "position") return std::make_unique<PositionScheme>(method);
  if (method.scheme == "velocity") return std::make_unique<VelocityScheme>(method);
  throw InputError("scheme \"" + method.scheme + "\" is not known");
}

}  // namespace stickslip
