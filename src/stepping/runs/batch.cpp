#include "stickslip/batch.hpp"

#include <atomic>
#include <exception>
#include <vector>

#include "base/parallel_for.hpp"

namespace stickslip {
namespace {

// Steps simulation(i) for all i.
template <class Pick>
bool stepEach(std::size_t count, const Pick& simulation, double until, std::int64_t steps,
              ThreadTeam* team) {
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<bool> goes_on{false};
  const auto step = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      try {
        Simulation& s = simulation(i);
        std::int64_t done = 0;
        while (done < steps && s.stepTowards(until)) ++done;
        if (done == steps) goes_on.store(true, std::memory_order_relaxed);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    }
  };
  const int chunks = static_cast<int>(count);
  team != nullptr ? parallelFor(*team, chunks, 1, step) : parallelFor(chunks, 1, step);
  for (const std::exception_ptr& exception : thrown)
    if (exception) std::rethrow_exception(exception);
  return goes_on;
}

}  // namespace

bool stepAll(std::span<Simulation> simulations, double until, std::int64_t steps) {
  const auto pick = [&](int i) -> Simulation& { return simulations[i]; };
  return stepEach(simulations.size(), pick, until, steps, nullptr);
}

bool stepAll(std::span<Simulation* const> simulations, double until, std::int64_t steps,
             ThreadTeam* team) {
  const auto pick = [&](int i) -> Simulation& { return *simulations[i]; };
  return stepEach(simulations.size(), pick, until, steps, team);
}

}  // namespace stickslip
