#include "stickslip/material.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {

ContactProperties combine(const ContactProperties& a, const ContactProperties& b) {
  return {.friction = std::sqrt(a.friction * b.friction),
          .restitution = std::max(a.restitution, b.restitution),
          .tangential_restitution = std::max(a.tangential_restitution, b.tangential_restitution),
          .rolling_friction = std::sqrt(a.rolling_friction * b.rolling_friction),
          .torsional_friction = std::sqrt(a.torsional_friction * b.torsional_friction)};
}

}  // namespace stickslip
