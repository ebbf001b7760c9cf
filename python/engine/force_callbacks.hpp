// A force on bodies that is a Python function: stickslip.ForceLaw.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "callbacks.hpp"
#include "stickslip/body_system.hpp"

namespace stickslip::python {

class PythonForce final : public PythonPart {
 public:
  /// `function`: of t and the bodies' numbers (kNumbers each), gives a row of six numbers for each
  /// body; `name` is for messages.
  PythonForce(const nb::object& function, std::string name);

  /// A UserForce.
  void add(double t, std::span<const BodyState> bodies, std::span<Wrench> wrenches) const;

  /// Position, orientation (w, x, y, z), angle, velocity, angular velocity.
  static constexpr std::size_t kNumbers = 14;

 private:
  std::string name_;
  mutable std::vector<double> numbers_;
};

/// The same system with these forces as well. `forces` is a list of (function, name).
std::shared_ptr<const BodySystem> withForces(const BodySystem& system, const nb::object& forces,
                                             std::vector<PythonPart*>& parts);

}  // namespace stickslip::python
