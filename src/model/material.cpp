#include "stickslip/material.hpp"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

// A surface that does not have it takes part in what the other one does.
double combinedForce(double a, double b) {
  return a > 0 && b > 0 ? std::sqrt(a * b) : std::max(a, b);
}

}  // namespace

ContactProperties combine(const ContactProperties& a, const ContactProperties& b) {
  return {.friction = std::sqrt(a.friction * b.friction),
          .restitution = std::max(a.restitution, b.restitution),
          .tangential_restitution = std::max(a.tangential_restitution, b.tangential_restitution),
          .rolling_friction = std::sqrt(a.rolling_friction * b.rolling_friction),
          .torsional_friction = std::sqrt(a.torsional_friction * b.torsional_friction),
          .friction_force = combinedForce(a.friction_force, b.friction_force)};
}

}  // namespace stickslip
