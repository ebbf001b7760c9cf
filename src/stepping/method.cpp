#include "stickslip/method.hpp"

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

Method presetMethod(std::string_view preset) {
  if (preset == "glocker-studer")
    return {.scheme = "midpoint", .law = "coulomb", .cone = "planar", .solver = "lemke"};
  throw InputError("preset \"" + std::string(preset) + "\" is not known");
}

}  // namespace stickslip
