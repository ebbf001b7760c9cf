// What is fixed to bodies, with every point taken from the centre of mass of its body, from where
// the engine sees them.
#pragma once

#include <vector>

#include "stickslip/body_system.hpp"

namespace stickslip {

struct Attachments {
  std::vector<Joint> joints;
  std::vector<PointSpring> springs;
  std::vector<BodyLoad> loads;
};

}  // namespace stickslip
