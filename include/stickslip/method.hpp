// How a run is computed: scheme x law x cone x solver, chosen one by one or by a preset that is
// named after the paper it comes from.
//
// What there is a closed set of is an enum, whose values have the names that scene files use
// (nameOf, named). Schemes and solvers have names, since programs add their own (registry.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "stickslip/law.hpp"

namespace stickslip {

class System;
struct SchemeTraits;
struct SolverTraits;

/// The set that friction is in: an interval in the plane; in space a polygon, or an ellipse.
enum class FrictionCone { planar, polyhedral, circular };

/// How impacts give back what they took: "poisson", compression and decompression ([AP97] section
/// 3), or "reflected", v+ = v_c + e (v_c - v-).
enum class Impact { poisson, reflected };

/// What becomes of the drift of rigid joints that are held at velocity level ([AP97] (2.9)).
enum class JointStabilization {
  projection,  ///< taken back at the end of a step without touching velocities
  baumgarte,   ///< gap / h is in the velocity, which puts energy in
  none,        ///< it stays
};

/// Where in a motion M, n, D and joints are taken ([AP97] section 4).
enum class GeometryAt { end, middle, start };

/// Sliding speeds by which the first convex problem of a step is shifted: none, as in [AH04]
/// section 5, or those at the start of the step.
enum class InitialSlip { zero, previous };

/// By how much a contact lifts off where friction depends on the sliding speed s: mu(s) s, or the
/// integral of mu over speeds up to s ([A06] 5.1; see src/stepping/friction_iteration.hpp).
enum class Lift { product, integral };

/// Scheme, law, cone and solver of a run, with their options.
struct Method {
  std::string scheme = "midpoint";
  Law law = Law::coulomb;
  FrictionCone cone = FrictionCone::planar;
  std::string solver = "auto";
  /// Corners of a polyhedral cone in space, 3 to 64, where a contact does not say it itself.
  int directions = 8;
  /// Largest relative residual of a certified step. Range (0, 1].
  double tolerance = 1e-8;
  /// Scheme `position`: take normals, gaps, masses at the end of the step, by iteration
  /// ([ST00] 3.4).
  bool implicit = false;
  /// Scheme `position`: contacts with gaps up to this [length] take part in a step, [A06] (5.2); 0
  /// takes those that the velocities at hand could close.
  double margin = 0;
  Impact impact = Impact::poisson;  ///< scheme `velocity`
  /// Scheme `midpoint`: the share of the end of a step in its means, from 1/2 (the midpoint rule of
  /// [GS05]) to 1 (implicit Euler): the theta-method that [GS05] section 5 names.
  double theta = 0.5;
  /// Scheme `velocity`.
  JointStabilization joint_stabilization = JointStabilization::projection;
  /// Scheme `velocity`, for a motion q to q + h v.
  GeometryAt geometry = GeometryAt::end;
  /// Contacts that approach more slowly do not bounce [velocity], so that bouncing ends; 0 leaves
  /// it to the scheme.
  double rest_speed = 0;
  /// Scheme `position`: the part of an overlap that a step takes back, > 0 and at most 1. Less than
  /// all where the solver leaves overlaps behind, which pushes would turn into motion.
  double correction = 1;
  /// Scheme `position`: islands whose bodies have rested this long [s] fall asleep, and are left
  /// out of the steps until something touches them; 0: never. See
  /// src/stepping/resting_islands.hpp.
  double sleep_time = 0;
  /// Most iterations (pivots of lemke, sweeps and Newton steps of exact) that one step may take; of
  /// the solvers of [AH04], whole iterations of each island, whose convex problems are always
  /// finished. 0 lets the solver choose.
  std::int64_t budget = 0;
  /// Solvers of [AH04]: fixed-point-1, fixed-point-2, one-step, one-step-2.
  InitialSlip initial_slip = InitialSlip::zero;
  /// Scheme `position`: overlaps are taken back within one step however deep they are, with b_n =
  /// gap/h as [A06] (5.1) has it. The velocity that this takes stays.
  bool full_push = false;
  /// Law `relaxed`, scheme `position`.
  Lift lift = Lift::product;
};

/// The names of an enum of Method, in the order of its values, which start at 0.
template <class Choice>
std::span<const std::string_view> namesOf();
template <>
std::span<const std::string_view> namesOf<Law>();
template <>
std::span<const std::string_view> namesOf<FrictionCone>();
template <>
std::span<const std::string_view> namesOf<Impact>();
template <>
std::span<const std::string_view> namesOf<JointStabilization>();
template <>
std::span<const std::string_view> namesOf<GeometryAt>();
template <>
std::span<const std::string_view> namesOf<InitialSlip>();
template <>
std::span<const std::string_view> namesOf<Lift>();

/// The name of a value.
template <class Choice>
std::string_view nameOf(Choice choice) {
  return namesOf<Choice>()[static_cast<std::size_t>(choice)];
}

/// Throws InputError, with the names that there are. `what` says of what it is a name.
std::size_t placeOfName(std::string_view name, std::span<const std::string_view> names,
                        std::string_view what);

/// The value of a name. Throws InputError, with the names that there are, if it is none of them.
template <class Choice>
Choice named(std::string_view name, std::string_view what = "name") {
  return static_cast<Choice>(placeOfName(name, namesOf<Choice>(), what));
}

std::span<const std::string_view> presetNames();

/// Throws InputError if scheme or solver has a name that is not known, a number is not in range, or
/// parts do not go together.
void checkMethod(const Method& method);
/// The same for a scheme and a solver with these traits, whatever their names.
void checkMethod(const Method& method, const SchemeTraits& scheme, const SolverTraits& solver);

/// Throws InputError if the cone is not one for contacts with this many tangents: 1 in the plane,
/// 2 in space.
void checkMethodFits(const Method& method, int tangent_count);

/// What is used where nothing is said: the preset `stickslip`.
Method defaultMethod(const System& system);

/// The method of a preset for a system: presets know the cones of the plane and of space, and
/// `stickslip` asks whether anything touches or bounces. Throws InputError for an unknown name.
Method presetMethod(std::string_view preset, const System& system);

}  // namespace stickslip
