// Memory that parts of a step take turns with: the sums of the certificate, then the next state.
// With vectors of its own for each a body in space would take 100 bytes more.
#pragma once

#include <vector>

namespace stickslip {

/// Who is handed one may overwrite both vectors. What it leaves in them means nothing to anyone.
struct StepWorkspace {
  std::vector<double> first;
  std::vector<double> second;
};

}  // namespace stickslip
