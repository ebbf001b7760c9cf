// How a run is computed: scheme x law x cone x solver, chosen one by one or by a preset that is
// named after the paper it comes from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stickslip {

class System;

struct Method {
  std::string scheme = "midpoint";
  std::string law = "coulomb";
  std::string cone = "planar";
  std::string solver = "auto";
  /// Corners of a polyhedral cone in space, 3 to 64, where a contact does not say it itself.
  int directions = 8;
  /// Largest relative residual of a certified step. Range (0, 1].
  double tolerance = 1e-8;
  /// Scheme `position`: take normals, gaps, masses at the end of the step, by iteration (000 3.4).
  bool implicit = false;
  /// Scheme `position`: contacts with gaps up to this [length] take part in a step, 001 (5.2); 0
  /// takes those that the velocities at hand could close.
  double margin = 0;
  /// Scheme `velocity`: "poisson", compression and decompression (003 section 3), or "reflected",
  /// v+ = v_c + e (v_c - v-).
  std::string impact = "poisson";
  /// Scheme `midpoint`: the share of the end of a step in its means, from 1/2 (the midpoint rule of
  /// 002) to 1 (implicit Euler): the theta-method that 002 section 5 names.
  double theta = 0.5;
  /// Scheme `velocity`: what becomes of the drift of rigid joints, which are held at velocity level
  /// (003 (2.9)): "projection" takes it back at the end of a step without touching velocities;
  /// "baumgarte" has gap / h in the velocity, which puts energy in; "none" lets it stay.
  std::string joint_stabilization = "projection";
  /// Scheme `velocity`: where M, n, D and joints of a motion q to q + h v are taken: at its "end",
  /// "middle" or "start" (003 section 4).
  std::string geometry = "end";
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
  /// the solvers of 004, whole iterations of each island, whose convex problems are always
  /// finished. 0 lets the solver choose.
  std::int64_t budget = 0;
  /// Solvers of 004 (isFixedPointSolver): sliding speeds by which the first convex problem of a
  /// step is shifted: "zero", as in 004 section 5, or "previous", those at the start of the step.
  std::string initial_slip = "zero";
  /// Scheme `position`: overlaps are taken back within one step however deep they are, with b_n =
  /// gap/h as 001 (5.1) has it. The velocity that this takes stays.
  bool full_push = false;
  /// Law `relaxed`, scheme `position`, where friction depends on the sliding speed s: a sliding
  /// contact lifts off with "product", mu(s) s, or "integral", that of mu over speeds up to s (001
  /// 5.1; see src/stepping/friction_iteration.hpp).
  std::string lift = "product";
};

/// The names that each part of a method may have, and the presets.
std::span<const std::string_view> schemeNames();
std::span<const std::string_view> lawNames();
std::span<const std::string_view> coneNames();
std::span<const std::string_view> solverNames();
std::span<const std::string_view> impactNames();
std::span<const std::string_view> initialSlipNames();
std::span<const std::string_view> liftNames();
std::span<const std::string_view> jointStabilizationNames();
std::span<const std::string_view> geometryNames();
std::span<const std::string_view> presetNames();

/// Whether this is one of the solvers of 004: fixed-point-1, fixed-point-2, one-step, one-step-2.
bool isFixedPointSolver(std::string_view solver);

/// Throws InputError if a part of the method has a name that is not known, a number is not in
/// range, or parts do not go together.
void checkMethod(const Method& method);

/// Throws InputError if the cone is not one for contacts with this many tangents: 1 in the plane,
/// 2 in space.
void checkMethodFits(const Method& method, int tangent_count);

/// What is used where nothing is said: the preset `stickslip`.
Method defaultMethod(const System& system);

/// The method of a preset for a system: presets know the cones of the plane and of space, and
/// `stickslip` asks whether anything touches or bounces. Throws InputError for an unknown name.
Method presetMethod(std::string_view preset, const System& system);

}  // namespace stickslip
