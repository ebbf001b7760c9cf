#include <algorithm>
#include <array>
#include <cstdint>

#include "stepping/schemes/midpoint.hpp"
#include "stepping/schemes/position.hpp"
#include "stepping/schemes/velocity.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/method.hpp"
#include "stickslip/scheme.hpp"
#include "stickslip/system.hpp"

namespace stickslip {
namespace {

constexpr std::array<std::string_view, 3> kSchemes{"midpoint", "position", "velocity"};
constexpr std::array<std::string_view, 2> kLaws{"coulomb", "relaxed"};
constexpr std::array<std::string_view, 3> kCones{"planar", "polyhedral", "circular"};
constexpr std::array<std::string_view, 11> kSolvers{
    "auto",     "lemke",      "convex", "exact",       "fixed-point-1", "fixed-point-2",
    "one-step", "one-step-2", "sweeps", "accelerated", "gradient"};
constexpr std::array<std::string_view, 4> kFixedPointSolvers{"fixed-point-1", "fixed-point-2",
                                                             "one-step", "one-step-2"};
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

// Options that one scheme has and others do not.
void checkSchemeOptions(const Method& method) {
  const auto only = [&](std::string_view option, std::string_view scheme, bool used) {
    if (used && method.scheme != scheme)
      throw InputError("\"" + std::string(option) + "\" is for the scheme \"" +
                       std::string(scheme) + "\"; this one is \"" + method.scheme + "\"");
  };
  const Method plain;
  only("implicit", "position", method.implicit);
  only("margin", "position", method.margin != plain.margin);
  only("correction", "position", method.correction != plain.correction);
  only("full_push", "position", method.full_push);
  only("lift", "position", method.lift != plain.lift);
  only("sleep_time", "position", method.sleep_time != plain.sleep_time);
  only("impact", "velocity", method.impact != plain.impact);
  only("theta", "midpoint", method.theta != plain.theta);
  if (!(method.theta >= 0.5 && method.theta <= 1))
    throw InputError("theta must be from 0.5 to 1: below, the method is not stable");
  only("joint_stabilization", "velocity", method.joint_stabilization != plain.joint_stabilization);
  only("geometry", "velocity", method.geometry != plain.geometry);
  if (!(method.margin >= 0)) throw InputError("margin must not be negative");
  if (!(method.correction > 0 && method.correction <= 1))
    throw InputError("correction must be > 0 and at most 1");
  if (!(method.sleep_time >= 0)) throw InputError("sleep_time must not be negative");
  if (!(method.rest_speed >= 0)) throw InputError("rest_speed must not be negative");
}

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
std::span<const std::string_view> impactNames() {
  return kImpacts;
}
std::span<const std::string_view> initialSlipNames() {
  return kInitialSlips;
}
std::span<const std::string_view> liftNames() {
  return kLifts;
}
std::span<const std::string_view> jointStabilizationNames() {
  return kJointStabilizations;
}
std::span<const std::string_view> geometryNames() {
  return kGeometries;
}
std::span<const std::string_view> presetNames() {
  return kPresets;
}

bool isFixedPointSolver(std::string_view solver) {
  return std::find(kFixedPointSolvers.begin(), kFixedPointSolvers.end(), solver) !=
         kFixedPointSolvers.end();
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
  expect("impact", method.impact, kImpacts);
  expect("initial_slip", method.initial_slip, kInitialSlips);
  expect("lift", method.lift, kLifts);
  expect("joint_stabilization", method.joint_stabilization, kJointStabilizations);
  expect("geometry", method.geometry, kGeometries);
  checkSchemeOptions(method);
  if (!(method.tolerance > 0 && method.tolerance <= 1))
    throw InputError("tolerance must be > 0 and at most 1");
  if (method.directions < 3 || method.directions > 64)
    throw InputError("directions must be 3 to 64");
  if (method.budget < 0) throw InputError("budget must not be negative");
  if (method.solver == "lemke" && method.cone == "circular")
    throw InputError(
        "solver \"lemke\" pivots on linear conditions and cannot take the cone \"circular\": use "
        "\"polyhedral\", or the solver \"exact\"");
  if (method.initial_slip != Method{}.initial_slip && !isFixedPointSolver(method.solver))
    throw InputError(
        "\"initial_slip\" is for the solvers \"fixed-point-1\", \"fixed-point-2\", \"one-step\" "
        "and "
        "\"one-step-2\"; this one is \"" +
        method.solver + "\"");
  const bool relaxed = method.law == "relaxed";
  if (method.lift != Method{}.lift && !relaxed)
    throw InputError("\"lift\" is for the law \"relaxed\"; this one is \"" + method.law + "\"");
  if (method.lift != Method{}.lift && method.cone == "polyhedral")
    throw InputError(
        "\"lift\" is for the cones \"planar\" and \"circular\", whose friction depends on the "
        "speed "
        "alone; this one is \"polyhedral\"");
  if (relaxed && method.solver != "convex" && method.solver != "sweeps" &&
      method.solver != "accelerated" && method.solver != "gradient" && method.solver != "auto")
    throw InputError("solver \"" + method.solver +
                     "\" is for the law \"coulomb\" and does not take \"relaxed\": use the solver "
                     "\"convex\", \"sweeps\", \"gradient\" or \"auto\"");
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

Method defaultMethod(const System& system) {
  return presetMethod("stickslip", system);
}

Method presetMethod(std::string_view preset, const System& system) {
  const bool planar = system.tangentCount() == 1;
  Method method;
  method.law = "coulomb";
  method.cone = planar ? "planar" : "polyhedral";
  method.solver = "lemke";
  if (preset == "stickslip") {
    // Measured in docs/theory.md: `position` leaves no overlaps behind and lands where it should;
    // `midpoint` is of second order in flight and bounces at the right time.
    method.scheme = system.touches() && !system.bounces() ? "position" : "midpoint";
    method.cone = planar ? "planar" : "circular";
    method.solver = "auto";
  } else if (preset == "realtime") {
    method.scheme = "position";
    method.cone = planar ? "planar" : "circular";
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
    method.law = "relaxed";
    method.cone = planar ? "planar" : "circular";
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
    throw InputError("preset \"" + std::string(preset) + "\" is not known");
  }
  return method;
}

void SchemeReport::add(const SchemeReport& later) {
  geometry_iterations = std::max(geometry_iterations, later.geometry_iterations);
  geometry_change = std::max(geometry_change, later.geometry_change);
  geometry_contraction = std::max(geometry_contraction, later.geometry_contraction);
  contact_rounds += later.contact_rounds;
  contacts_missed = contacts_missed || later.contacts_missed;
  collisions += later.collisions;
  collisions_cut = collisions_cut || later.collisions_cut;
  restitution_limited = restitution_limited || later.restitution_limited;
  restitution_work += later.restitution_work;
}

std::unique_ptr<Scheme> makeScheme(const Method& method) {
  if (method.scheme == "midpoint") return std::make_unique<MidpointScheme>(method);
  if (method.scheme == "position") return std::make_unique<PositionScheme>(method);
  if (method.scheme == "velocity") return std::make_unique<VelocityScheme>(method);
  throw InputError("scheme \"" + method.scheme + "\" is not known");
}

}  // namespace stickslip
