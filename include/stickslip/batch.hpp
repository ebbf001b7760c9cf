// Many simulations side by side: one scene with different parameters, or the copies of it that
// a learner plays with.
//
//   std::vector<Simulation> copies = ...;
//   setThreadCount(0);
//   stepAll(copies, 2.0);             // all of them to t = 2
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "stickslip/simulation.hpp"
#include "stickslip/threads.hpp"

namespace stickslip {

/// Steps each simulation until it is at `until`, at most `steps` times, on all threads
/// (threads.hpp); loops within their steps then stay on one. Each has the bits that it has alone,
/// for any number of threads. Simulations must not share a System, which has workspaces.
///
/// An exception, from a force of the user's own for example, ends the simulation that it is from
/// where it is, and no other; that of the first one in order comes out when all are done.
///
/// True if some have made all `steps`: they may go on. False if all have arrived or stopped.
bool stepAll(std::span<Simulation> simulations, double until,
             std::int64_t steps = std::numeric_limits<std::int64_t>::max());

/// The same for simulations that are kept one by one, on the threads of a team; null: on those of
/// the process.
bool stepAll(std::span<Simulation* const> simulations, double until, std::int64_t steps,
             ThreadTeam* team);

}  // namespace stickslip
