#include "stickslip/method.hpp"

#include <algorithm>
#include <array>

#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

constexpr std::array<std::string_view, 1> kSchemes{"midpoint"};
constexpr std::array<std::string_view, 1> kLaws{"coulomb"};
constexpr std::array<std::string_view, 1> kCones{"planar"};
constexpr std::array<std::string_view, 1> kSolvers{"lemke"};
constexpr std::array<std::string_view, 1> kPresets{"glocker-studer"};

}  // namespace

std::span<const std::string_view> schemeNames() {
  return kSchemes;
}
std::span<const std::string_view> lawNames() {
  return kLaws;
}
std::span<const std::string_view> coneNames() {
  return kCones;
}
std::span<const std::string_view> solverNames() {
  return kSolvers;
}
std::span<const std::string_view> presetNames() {
  return kPresets;
}

void checkMethod(const Method& method) {
  const auto expect = [](std::string_view part, const std::string& name,
                         std::span<const std::string_view> known) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(std::string(part) + " \"" + name + "\" is not known");
  };
  expect("scheme", method.scheme, kSchemes);
  expect("law", method.law, kLaws);
  expect("cone", method.cone, kCones);
  expect("solver", method.solver, kSolvers);
  if (!(method.tolerance > 0 && method.tolerance <= 1))
    throw InputError("tolerance must be > 0 and at most 1");
}

Method presetMethod(std::string_view preset) {
  if (preset == "glocker-studer")
    return {.scheme = "midpoint", .law = "coulomb", .cone = "planar", .solver = "lemke"};
  throw InputError("preset \"" + std::string(preset) + "\" is not known");
}

}  // namespace stickslip
