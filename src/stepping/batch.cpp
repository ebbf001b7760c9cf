#include "stickslip/batch.hpp"

#include <exception>
#include <vector>

#include "base/parallel_for.hpp"

namespace stickslip {

void stepAll(std::span<Simulation> simulations, double until, std::int64_t steps) {
  const int count = static_cast<int>(simulations.size());
  std::vector<std::exception_ptr> thrown(simulations.size());
  parallelFor(count, 1, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      try {
        for (std::int64_t done = 0; done < steps && simulations[i].stepTowards(until);) ++done;
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    }
  });
  for (const std::exception_ptr& exception : thrown)
    if (exception) std::rethrow_exception(exception);
}

}  // namespace stickslip
