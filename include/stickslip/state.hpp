// What changes from step to step.
#pragma once

#include <cstdint>
#include <vector>

namespace stickslip {

/// Time, positions and velocities of a system.
struct State {
  double t = 0;           ///< time [s]
  std::vector<double> q;  ///< positions, System::positionCount() of them
  std::vector<double> u;  ///< velocities, System::velocityCount() of them
};

/// True if every number in the state is finite.
bool isFinite(const State& state);

/// 64-bit fingerprint of the exact bits of t, q and u. Equal runs have equal fingerprints, on any
/// machine with IEEE doubles.
std::uint64_t fingerprint(const State& state);

}  // namespace stickslip
