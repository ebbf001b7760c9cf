// What all parts of the engine that call Python have in common: how they hold Python's objects, how
// they call, and how they read what comes back.
//
// The engine calls without Python's lock; each of these functions takes it. What a function raises
// goes through the engine as it is and comes out of the call that stepped.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "binding.hpp"
#include "lock.hpp"

namespace stickslip::python {

/// A part of the engine that holds Python objects. Whoever owns it in Python's eyes, a simulation
/// or a model, shows them to Python's garbage collector, so that a system that keeps its own
/// simulation goes with it.
class PythonPart {
 public:
  PythonPart() = default;
  PythonPart(const PythonPart&) = delete;
  PythonPart& operator=(const PythonPart&) = delete;
  virtual ~PythonPart();

  int traverse(visitproc visit, void* argument) const;
  /// Lets go of all of them: calls are refused from then on.
  void forget();
  /// Code of the user has run since the engine last called: what it gave may have changed.
  virtual void askAgain() {}

 protected:
  /// Keeps an object, under the next number from 0 on.
  std::size_t hold(nb::object object);
  /// One that is kept. Throws if this part has forgotten all.
  nb::object& held(std::size_t i) const;

 private:
  mutable std::vector<nb::object> held_;
};

/// Who is called, for messages: "Rod.mass".
struct CallName {
  std::string owner;
  const char* function = "";

  std::string text() const { return function[0] == '\0' ? owner : owner + "." + function; }
};

/// Lengths of the axes of an array; without any, it is a number.
struct Shape {
  Shape(std::initializer_list<std::size_t> lengths);
  std::span<const std::size_t> axes() const { return {lengths_.data(), count_}; }

 private:
  std::array<std::size_t, 3> lengths_{};
  std::size_t count_ = 0;
};

/// Copies numbers of this shape that a function has returned: an array, or lists. Throws InputError
/// that begins with the name if there are others, and if one is not finite unless `any_number`.
void takeNumbers(nb::handle from, const Shape& shape, std::span<double> to, const CallName& name,
                 bool any_number = false);

/// A new array that cannot be written to.
nb::object constantArray(std::span<const double> numbers);

/// Calls with any arguments. Throws what the function raises.
nb::object call(nb::handle function, std::initializer_list<nb::handle> arguments);

/// What an object remembers from step to step, as bytes: its functions save() and restore().
std::string savedBy(const nb::object& object, const std::string& name);
void restoreTo(const nb::object& object, const std::string& saved);

/// The name of an object's class.
std::string className(nb::handle object);

}  // namespace stickslip::python
