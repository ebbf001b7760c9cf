#include "stickslip/method.hpp"

#include <algorithm>
#include <array>

#include "stickslip/input_error.hpp"

namespace stickslip {
namespace {

constexpr std::array<std::string_view, 1> kSchemes{"midpoint"};
constexpr std::array<std::string_view, 2> kLaws{"coulomb", "relaxed"};
constexpr std::array<std::string_view, 3> kCones{"planar", "polyhedral", "circular"};
constexpr std::array<std::string_view, 7> kSolvers{
    "auto", "lemke", "convex", "exact", "fixed-point-1", "fixed-point-2", "one-step"};
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
  if (method.directions < 4 || method.directions > 64 || method.directions % 2 != 0)
    throw InputError("directions must be even, 4 to 64");
  if (method.budget < 0) throw InputError("budget must not be negative");
  if (method.solver == "lemke" && method.cone == "circular")
    throw InputError(
        "solver \"lemke\" pivots on linear conditions and cannot take the cone \"circular\": use "
        "\"polyhedral\", or the solver \"exact\"");
  const bool relaxed = method.law == "relaxed";
  if (relaxed && method.solver != "convex" && method.solver != "auto")
    throw InputError("solver \"" + method.solver +
                     "\" is for the law \"coulomb\" and does not take \"relaxed\": use the solver "
                     "\"convex\" or \"auto\"");
  if (!relaxed && method.solver == "convex")
    throw InputError(
        "solver \"convex\" is for the law \"relaxed\": set it, or use the solver \"exact\" or "
        "\"auto\"");
}

void checkMethodFits(const Method& method, int tangent_count) {
  const bool planar = method.cone == "planar";
  if (tangent_count == 1 && !planar)
    throw InputError("cone \"" + method.cone +
                     "\" is for contacts in space; this system is planar: use \"planar\"");
  if (tangent_count == 2 && planar)
    throw InputError(
        "cone \"planar\" is for contacts in the plane; this system is spatial: use \"circular\" or "
        "\"polyhedral\"");
}

Method defaultMethod(int tangent_count) {
  const bool planar = tangent_count == 1;
  return {.scheme = "midpoint",
          .law = "coulomb",
          .cone = planar ? "planar" : "circular",
          .solver = "auto"};
}

Method presetMethod(std::string_view preset) {
  if (preset == "glocker-studer")
    return {.scheme = "midpoint", .law = "coulomb", .cone = "planar", .solver = "lemke"};
  throw InputError("preset \"" + std::string(preset) + "\" is not known");
}

}  // namespace stickslip
