// Interface of the time discretizations: where the geometry is taken, which contacts are active,
// what b is, and how positions follow from the new velocity.
#pragma once

#include <memory>
#include <string_view>

#include "stickslip/contact_problem.hpp"
#include "stickslip/method.hpp"
#include "stickslip/state.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

class Scheme {
 public:
  virtual ~Scheme() = default;
  virtual std::string_view name() const = 0;
  /// Sizes the workspaces and `problem` for what `system` can ask for.
  virtual void reserve(const System& system, ContactProblem& problem) = 0;
  /// Sets up the contact problem of the step from `state` over the time h >= 0. With h = 0 it is a
  /// pure impact.
  virtual void formulate(const System& system, const State& state, double h,
                         ContactProblem& problem) = 0;
  /// Moves `state` to the end of that step, given the velocity v there.
  virtual void advance(const System& system, double h, std::span<const double> v, State& state) = 0;
};

/// The scheme that `method` names. Throws InputError for an unknown name.
std::unique_ptr<Scheme> makeScheme(const Method& method);

}  // namespace stickslip
