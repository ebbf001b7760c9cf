#include "stickslip/method.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "stickslip/input_error.hpp"
#include "stickslip/registry.hpp"
#include "stickslip/system.hpp"

namespace stickslip {
namespace {

// In the order of the enums' values.
constexpr std::array<std::string_view, 2> kLaws{"coulomb", "relaxed"};
constexpr std::array<std::string_view, 3> kCones{"planar", "polyhedral", "circular"};
constexpr std::array<std::string_view, 2> kImpacts{"poisson", "reflected"};
constexpr std::array<std::string_view, 3> kJointStabilizations{"projection", "baumgarte", "none"};
constexpr std::array<std::string_view, 3> kGeometries{"end", "middle", "start"};
constexpr std::array<std::string_view, 2> kInitialSlips{"zero", "previous"};
constexpr std::array<std::string_view, 2> kLifts{"product", "integral"};
constexpr std::array<std::string_view, 11> kPresets{
    "stickslip",       "stewart-trinkle", "anitescu-potra",      "glocker-studer",
    "anitescu",        "anitescu-hart-0", "anitescu-hart-1",     "anitescu-hart-2",
    "anitescu-hart-3", "realtime",        "anitescu-hart-2-once"};
// Of the preset `realtime`: what 20 sweeps leave in a moving pile is a few per cent.
constexpr std::int64_t kRealtimeSweeps = 20;
constexpr double kRealtimeTolerance = 0.1;
constexpr double kRealtimeCorrection = 0.2;

std::string quoted(std::string_view name) {
  return "\"" + std::string(name) + "\"";
}

std::string listed(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + quoted(name);
  return text;
}

// The solvers for which `fits` is true.
template <class Fits>
std::string solversThat(Fits fits) {
  std::vector<std::string_view> names = solverNames();
  std::erase_if(names, [&](std::string_view name) { return !fits(solverTraits(name)); });
  return listed(names);
}

// Options that some schemes have and others do not.
void checkSchemeOptions(const Method& method, const SchemeTraits& scheme) {
  const auto check = [&](std::string_view option, bool used) {
    if (!used || scheme.has(option)) return;
    std::vector<std::string_view> names = schemeNames();
    std::erase_if(names, [&](std::string_view name) { return !schemeTraits(name).has(option); });
    throw InputError(quoted(option) + " is for the scheme " + listed(names) + "; this one is " +
                     quoted(method.scheme));
  };
  const Method plain;
  check("implicit", method.implicit);
  check("margin", method.margin != plain.margin);
  check("correction", method.correction != plain.correction);
  check("full_push", method.full_push);
  check("lift", method.lift != plain.lift);
  check("sleep_time", method.sleep_time != plain.sleep_time);
  check("impact", method.impact != plain.impact);
  check("theta", method.theta != plain.theta);
  if (!(method.theta >= 0.5 && method.theta <= 1))
    throw InputError("theta must be from 0.5 to 1: below, the method is not stable");
  check("joint_stabilization", method.joint_stabilization != plain.joint_stabilization);
  check("geometry", method.geometry != plain.geometry);
  if (!(method.margin >= 0)) throw InputError("margin must not be negative");
  if (!(method.correction > 0 && method.correction <= 1))
    throw InputError("correction must be > 0 and at most 1");
  if (!(method.sleep_time >= 0)) throw InputError("sleep_time must not be negative");
  if (!(method.rest_speed >= 0)) throw InputError("rest_speed must not be negative");
}

void checkSolverFits(const Method& method, const SolverTraits& solver) {
  if (!solver.takes_circular && method.cone == FrictionCone::circular)
    throw InputError("solver " + quoted(method.solver) +
                     " pivots on linear conditions and cannot take the cone \"circular\": use "
                     "\"polyhedral\", or the solver \"exact\"");
  if (method.initial_slip != Method{}.initial_slip && !solver.takes_initial_slip)
    throw InputError(
        "\"initial_slip\" is for the solvers " +
        solversThat([](const SolverTraits& traits) { return traits.takes_initial_slip; }) +
        "; this one is " + quoted(method.solver));
  if (solver.takes(method.law)) return;
  const Law other = method.law == Law::relaxed ? Law::coulomb : Law::relaxed;
  throw InputError(
      "solver " + quoted(method.solver) + " is for the law " + quoted(nameOf(other)) +
      " and does not take " + quoted(nameOf(method.law)) + ": use one of " +
      solversThat([&](const SolverTraits& traits) { return traits.takes(method.law); }));
}

void checkLift(const Method& method) {
  if (method.lift == Method{}.lift) return;
  if (method.law != Law::relaxed)
    throw InputError("\"lift\" is for the law \"relaxed\"; this one is " +
                     quoted(nameOf(method.law)));
  if (method.cone == FrictionCone::polyhedral)
    throw InputError(
        "\"lift\" is for the cones \"planar\" and \"circular\", whose friction depends on the "
        "speed alone; this one is \"polyhedral\"");
}

}  // namespace

template <>
std::span<const std::string_view> namesOf<Law>() {
  return kLaws;
}
template <>
std::span<const std::string_view> namesOf<FrictionCone>() {
  return kCones;
}
template <>
std::span<const std::string_view> namesOf<Impact>() {
  return kImpacts;
}
template <>
std::span<const std::string_view> namesOf<JointStabilization>() {
  return kJointStabilizations;
}
template <>
std::span<const std::string_view> namesOf<GeometryAt>() {
  return kGeometries;
}
template <>
std::span<const std::string_view> namesOf<InitialSlip>() {
  return kInitialSlips;
}
template <>
std::span<const std::string_view> namesOf<Lift>() {
  return kLifts;
}

std::size_t placeOfName(std::string_view name, std::span<const std::string_view> names,
                        std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(std::string(what) + " " + quoted(name) + " is not known: " + listed(names));
  return static_cast<std::size_t>(found - names.begin());
}

std::span<const std::string_view> presetNames() {
  return kPresets;
}

void checkMethod(const Method& method) {
  checkMethod(method, schemeTraits(method.scheme), solverTraits(method.solver));
}

void checkMethod(const Method& method, const SchemeTraits& scheme, const SolverTraits& solver) {
  checkSchemeOptions(method, scheme);
  if (!(method.tolerance > 0 && method.tolerance <= 1))
    throw InputError("tolerance must be > 0 and at most 1");
  if (method.directions < 3 || method.directions > 64)
    throw InputError("directions must be 3 to 64");
  if (method.budget < 0) throw InputError("budget must not be negative");
  checkLift(method);
  checkSolverFits(method, solver);
}

void checkMethodFits(const Method& method, int tangent_count) {
  const bool planar = method.cone == FrictionCone::planar;
  if (tangent_count == 1 && !planar)
    throw InputError("cone \"" + std::string(nameOf(method.cone)) +
                     "\" is for contacts in space; this system is planar: use \"planar\"");
  if (tangent_count == 2 && planar)
    throw InputError(
        "cone \"planar\" is for contacts in the plane; this system is spatial: use \"circular\" or "
        "\"polyhedral\"");
}

Method defaultMethod(const System& system) {
  return presetMethod("stickslip", system);
}

Method presetMethod(std::string_view preset, const System& system) {
  const bool planar = system.tangentCount() == 1;
  Method method;
  method.law = Law::coulomb;
  method.cone = planar ? FrictionCone::planar : FrictionCone::polyhedral;
  method.solver = "lemke";
  if (preset == "stickslip") {
    // Measured in docs/theory.md: `position` leaves no overlaps behind and lands where it should;
    // `midpoint` is of second order in flight and bounces at the right time.
    method.scheme = system.touches() && !system.bounces() ? "position" : "midpoint";
    method.cone = planar ? FrictionCone::planar : FrictionCone::circular;
    method.solver = "auto";
  } else if (preset == "realtime") {
    method.scheme = "position";
    method.cone = planar ? FrictionCone::planar : FrictionCone::circular;
    method.solver = "sweeps";
    method.budget = kRealtimeSweeps;
    method.correction = kRealtimeCorrection;
    method.tolerance = kRealtimeTolerance;
  } else if (preset == "stewart-trinkle") {
    method.scheme = "position";
    method.implicit = true;
  } else if (preset == "anitescu-potra") {
    method.scheme = "velocity";
  } else if (preset == "glocker-studer") {
    method.scheme = "midpoint";
  } else if (preset == "anitescu") {
    method.scheme = "position";
    method.law = Law::relaxed;
    method.cone = planar ? FrictionCone::planar : FrictionCone::circular;
    method.solver = "convex";
  } else if (preset == "anitescu-hart-2-once") {
    method.scheme = "position";
    method.solver = "one-step-2";
  } else if (preset.starts_with("anitescu-hart-") && preset.size() == 15 && preset.back() >= '0' &&
             preset.back() <= '3') {
    constexpr std::array<std::string_view, 4> kByNumber{"lemke", "fixed-point-1", "fixed-point-2",
                                                        "one-step"};
    method.scheme = "position";
    method.solver = kByNumber[preset.back() - '0'];
  } else {
    throw InputError("preset \"" + std::string(preset) + "\" is not known: " + listed(kPresets));
  }
  return method;
}

}  // namespace stickslip
