// Random linear complementarity problems of contacts, for tests and benchmarks.
#pragma once

#include <vector>

#include "stickslip/lcp.hpp"
#include "support/random.hpp"

namespace stickslip::testing {

struct DenseLcp {
  int size = 0;
  std::vector<double> N;
  std::vector<double> q;

  Lcp view() const { return {{N.data(), size, size}, q}; }
};

/// The LCP (33) of [GS05], three variables a contact, of planar contacts around a ring of bodies,
/// as many as contacts; directions, masses and velocities are random, mu = 0.3.
DenseLcp randomContactLcp(Random& random, int contacts);

}  // namespace stickslip::testing
