#include <algorithm>

#include "stepping/midpoint.hpp"
#include "stepping/position.hpp"
#include "stepping/velocity.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/scheme.hpp"

namespace stickslip {

void SchemeReport::add(const SchemeReport& later) {
  geometry_iterations = std::max(geometry_iterations, later.geometry_iterations);
  geometry_change = std::max(geometry_change, later.geometry_change);
  geometry_contraction = std::max(geometry_contraction, later.geometry_contraction);
  contact_rounds += later.contact_rounds;
  contacts_missed = contacts_missed || later.contacts_missed;
  collisions += later.collisions;
  collisions_cut = collisions_cut || later.collisions_cut;
  restitution_limited = restitution_limited || later.restitution_limited;
  restitution_work += later.restitution_work;
}

std::unique_ptr<Scheme> makeScheme(const Method& method) {
  if (method.scheme == "midpoint") return std::make_unique<MidpointScheme>(method);
  if (method.scheme == "position") return std::make_unique<PositionScheme>(method);
  if (method.scheme == "velocity") return std::make_unique<VelocityScheme>(method);
  throw InputError("scheme \"" + method.scheme + "\" is not known");
}

}  // namespace stickslip
