// What all parts of the module share: how numbers come and go as NumPy arrays, and how mistakes are
// said.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "stickslip/input_error.hpp"

namespace nb = nanobind;

namespace stickslip::python {

/// What a function takes: any array of numbers, which is copied only if it is not one of doubles in
/// the order of C.
using Numbers = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// An array that owns its entries.
template <class T>
nb::ndarray<nb::numpy, T> arrayOf(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return {owned->data(), shape, owner};
}

template <class T>
nb::ndarray<nb::numpy, T> arrayOf(std::vector<T> values) {
  const std::size_t size = values.size();
  return arrayOf(std::move(values), {size});
}

template <class T>
nb::ndarray<nb::numpy, T> copyOf(std::span<const T> values) {
  return arrayOf(std::vector<T>(values.begin(), values.end()));
}

/// The numbers of a vector. Throws InputError if there are not `size` of them, or it has more than
/// one axis. `what` names it.
std::span<const double> vectorOf(const Numbers& numbers, std::size_t size, const std::string& what);
/// Rows of so many columns.
std::span<const double> rowsOf(const Numbers& numbers, std::size_t columns,
                               const std::string& what);
/// Throws InputError if one is not finite.
std::span<const double> finite(std::span<const double> numbers, const std::string& what);

void bindInputs(nb::module_& module);
void bindModel(nb::module_& module);
void bindSimulation(nb::module_& module);
void bindFrames(nb::module_& module);
void bindShapes(nb::module_& module);
void bindBatch(nb::module_& module);
void bindOwnParts(nb::module_& module);
void bindProblems(nb::module_& module);

}  // namespace stickslip::python
